import {
  memberChanged,
  scenarioPublished,
  scenarioRemoved,
  sessionCompleted,
  sessionSaved,
} from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { dashboardMembers, dashboardScenarios } from './dashboard.model.ts';
import { applyPresence, applySession } from './dashboard.service.ts';

// All of an organization's events write to its totals, so they are taken one after the other.
const order = { order: 'organization' } as const;

/** What keeps the dashboard's projection up to date. */
export const dashboardReactions: readonly Reaction<never>[] = [
  reaction(sessionSaved, applySession, order),
  reaction(sessionCompleted, applySession, order),
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
];
