import {
  type EventDeclaration,
  eventsCounted,
  intelItemIngested,
  intelItemRemoved,
  memberChanged,
  operationCompleted,
  operationRemoved,
  playbookGenerated,
  scenarioPublished,
  scenarioRemoved,
  sessionCompleted,
  sessionSaved,
} from '@muster/contracts';
import { batchReaction, type Reaction, reaction } from '@muster/service-kit';
import { dashboardMembers, dashboardPlaybooks, dashboardScenarios } from './dashboard.model.ts';
import { applyElsewhere, applyOpenEvents, applyPresence, applySessions } from './dashboard.service.ts';

// All of an organization's events write to its totals, so they are taken one after the other.
const order = { order: 'organization' } as const;

function elsewhere(
  declaration: EventDeclaration,
  total: Parameters<typeof applyElsewhere>[1],
  present: boolean,
): Reaction {
  return reaction(
    declaration,
    (ctx, { subject, seq }) => applyElsewhere(ctx, total, { subject, seq, present }),
    order,
  );
}

/** What keeps the dashboard's projection up to date. */
export const dashboardReactions: readonly Reaction[] = [
  batchReaction(sessionSaved, applySessions, order),
  batchReaction(sessionCompleted, applySessions, order),
  reaction(
    scenarioPublished,
    async (ctx, { subject, seq }) => {
      await applyPresence(ctx, dashboardScenarios(ctx), 'scenarios', { subject, seq, present: true });
    },
    order,
  ),
  reaction(
    scenarioRemoved,
    async (ctx, { subject, seq }) => {
      await applyPresence(ctx, dashboardScenarios(ctx), 'scenarios', { subject, seq, present: false });
    },
    order,
  ),
  reaction(
    memberChanged,
    async (ctx, { subject, seq, data }) => {
      await applyPresence(ctx, dashboardMembers(ctx), 'members', {
        subject,
        seq,
        present: data.status === 'active',
      });
    },
    order,
  ),
  elsewhere(intelItemIngested, 'intel_items', true),
  elsewhere(intelItemRemoved, 'intel_items', false),
  elsewhere(operationCompleted, 'operations', true),
  elsewhere(operationRemoved, 'operations', false),
  reaction(eventsCounted, applyOpenEvents, order),
  reaction(
    playbookGenerated,
    async (ctx, { subject, seq }) => {
      await applyPresence(ctx, dashboardPlaybooks(ctx), 'playbooks', { subject, seq, present: true });
    },
    order,
  ),
];
