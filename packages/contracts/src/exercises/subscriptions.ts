import { subscriptions } from '../core/subscriptions.ts';
import { memberChanged } from '../identity/members/member.events.ts';
import { intelScenarioDrafted } from '../intel/drafts/draft.events.ts';
import { intelItemIngested, intelItemRemoved } from '../intel/items/item.events.ts';
import { eventsCounted } from '../security-ops/events/event.events.ts';
import { operationCompleted, operationRemoved } from '../security-ops/operations/operation.events.ts';
import { playbookGenerated } from './playbooks/playbook.events.ts';
import { scenarioPublished, scenarioRemoved } from './scenarios/scenario.events.ts';
import { sessionCompleted, sessionSaved } from './sessions/session.events.ts';

export const exercisesSubscriptions = subscriptions('exercises', {
  scenarioPublished,
  scenarioRemoved,
  sessionSaved,
  sessionCompleted,
  playbookGenerated,
  memberChanged,
  intelScenarioDrafted,
  intelItemIngested,
  intelItemRemoved,
  operationCompleted,
  operationRemoved,
  eventsCounted,
});
