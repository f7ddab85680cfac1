import type { Api, ServiceName } from './core/endpoint.ts';
import type { EventDeclaration } from './core/event.ts';
import { conductApi } from './exercises/conduct/conduct.api.ts';
import { dashboardApi } from './exercises/dashboard/dashboard.api.ts';
import { evaluationsApi } from './exercises/evaluations/evaluation.api.ts';
import { gapsApi } from './exercises/gaps/gap.api.ts';
import { manualsApi } from './exercises/manuals/manual.api.ts';
import { playbooksApi } from './exercises/playbooks/playbook.api.ts';
import { reportsApi } from './exercises/reports/report.api.ts';
import { scenariosApi } from './exercises/scenarios/scenario.api.ts';
import { sessionsApi } from './exercises/sessions/session.api.ts';
import * as exercisesEvents from './exercises/sessions/session.events.ts';
import { trendsApi } from './exercises/trends/trends.api.ts';
import { auditApi } from './identity/audit/audit.api.ts';
import { identityApi } from './identity/auth/auth.api.ts';
import * as identityEvents from './identity/auth/auth.events.ts';
import { loginApi } from './identity/login/login.api.ts';
import { membersApi } from './identity/members/member.api.ts';
import { settingsApi } from './identity/settings/settings.api.ts';
import { draftsApi } from './intel/drafts/draft.api.ts';
import * as draftEvents from './intel/drafts/draft.events.ts';
import { feedsApi } from './intel/feeds/feed.api.ts';
import { intelItemsApi } from './intel/items/item.api.ts';
import * as intelEvents from './intel/items/item.events.ts';
import { coverageApi } from './security-ops/coverage/coverage.api.ts';
import { eventsApi } from './security-ops/events/event.api.ts';
import * as securityOpsEvents from './security-ops/events/event.events.ts';
import { operationsApi } from './security-ops/operations/operation.api.ts';
import * as operationEvents from './security-ops/operations/operation.events.ts';
import { triageApi } from './security-ops/triage/triage.api.ts';
import * as twinEvents from './twin/profile/profile.events.ts';

/** Every endpoint of the product but the jobs, which each service answers for itself. */
export const apis: readonly Api[] = [
  scenariosApi,
  sessionsApi,
  conductApi,
  evaluationsApi,
  playbooksApi,
  reportsApi,
  manualsApi,
  gapsApi,
  trendsApi,
  dashboardApi,
  identityApi,
  loginApi,
  membersApi,
  settingsApi,
  auditApi,
  intelItemsApi,
  feedsApi,
  draftsApi,
  eventsApi,
  triageApi,
  operationsApi,
  coverageApi,
];

/** How each service tells that a token was used with it. */
export const tokenUses = [...new Set(apis.map((api) => api.service))].map(identityEvents.tokenUsedBy);

/** Every domain event of the product. */
export const events: readonly EventDeclaration[] = [
  ...Object.values(exercisesEvents),
  ...Object.values(identityEvents).filter((declared) => typeof declared !== 'function'),
  ...Object.values(securityOpsEvents).filter((declared) => typeof declared === 'object'),
  ...Object.values(operationEvents),
  ...Object.values(intelEvents),
  ...Object.values(draftEvents),
  ...Object.values(twinEvents),
  ...tokenUses,
];

/** The declaration of an event type, or undefined for one this version does not know. */
export function eventOf(type: string): EventDeclaration | undefined {
  return events.find((declared) => declared.type === type);
}

const {
  scenarioPublished,
  scenarioRemoved,
  sessionSaved,
  sessionCompleted,
  playbookGenerated,
  replayRequested,
} = exercisesEvents;
const { memberChanged, tokenRevoked, accessChanged, settingsUpdated, identityChangeRecorded } =
  identityEvents;

/** What every service must know of identity to decide who may do what. */
const access = [tokenRevoked, accessChanged, settingsUpdated] as const;

/**
 * Who reacts to what: every publisher declares every queue and binding from this, so it does not matter who starts
 * first. Each service refuses to start when its reactions are not these.
 */
export const subscriptions: Readonly<Partial<Record<ServiceName, readonly EventDeclaration[]>>> = {
  exercises: [
    scenarioPublished,
    scenarioRemoved,
    sessionSaved,
    sessionCompleted,
    playbookGenerated,
    memberChanged,
    draftEvents.intelScenarioDrafted,
    intelEvents.intelItemIngested,
    intelEvents.intelItemRemoved,
    operationEvents.operationCompleted,
    operationEvents.operationRemoved,
    securityOpsEvents.eventsCounted,
    ...access,
  ],
  intel: [replayRequested, scenarioPublished, twinEvents.profileUpdated, ...access],
  'security-ops': [
    sessionCompleted,
    operationEvents.operationCompleted,
    operationEvents.operationRemoved,
    intelEvents.intelItemIngested,
    intelEvents.intelItemRemoved,
    securityOpsEvents.eventsReceived,
    securityOpsEvents.eventMoved,
    ...access,
  ],
  identity: [replayRequested, ...access, ...tokenUses, identityChangeRecorded],
};
