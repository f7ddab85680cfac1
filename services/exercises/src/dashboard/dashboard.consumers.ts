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
import { batchReaction, reaction } from '@muster/service-kit';
import { dashboardMembers, dashboardPlaybooks, dashboardScenarios } from './dashboard.model.ts';
import { applyForeignItem, applyOpenEvents, applyPresence, applySessions } from './dashboard.service.ts';

// All of an organization's events write to its totals, so they are taken one after the other.
const order = { order: 'organization' } as const;

function foreignItem<const E extends EventDeclaration>(
  declaration: E,
  total: Parameters<typeof applyForeignItem>[1],
  present: boolean,
) {
  return reaction(
    declaration,
    (ctx, { subject, seq }) => applyForeignItem(ctx, total, { subject, seq, present }),
    order,
  );
}

/** What keeps the dashboard's projection up to date. */
export const dashboardReactions = {
  sessionSaved: batchReaction(sessionSaved, applySessions, order),
  sessionCompleted: batchReaction(sessionCompleted, applySessions, order),
  scenarioPublished: reaction(
    scenarioPublished,
    async (ctx, { subject, seq }) => {
      await applyPresence(ctx, dashboardScenarios(ctx), 'scenarios', { subject, seq, present: true });
    },
    order,
  ),
  scenarioRemoved: reaction(
    scenarioRemoved,
    async (ctx, { subject, seq }) => {
      await applyPresence(ctx, dashboardScenarios(ctx), 'scenarios', { subject, seq, present: false });
    },
    order,
  ),
  memberChanged: reaction(
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
  intelItemIngested: foreignItem(intelItemIngested, 'intel_items', true),
  intelItemRemoved: foreignItem(intelItemRemoved, 'intel_items', false),
  operationCompleted: foreignItem(operationCompleted, 'operations', true),
  operationRemoved: foreignItem(operationRemoved, 'operations', false),
  eventsCounted: reaction(eventsCounted, applyOpenEvents, order),
  playbookGenerated: reaction(
    playbookGenerated,
    async (ctx, { subject, seq }) => {
      await applyPresence(ctx, dashboardPlaybooks(ctx), 'playbooks', { subject, seq, present: true });
    },
    order,
  ),
};
