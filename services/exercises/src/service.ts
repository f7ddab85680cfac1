import {
  conductApi,
  dashboardApi,
  evaluationsApi,
  exercisesSubscriptions,
  gapsApi,
  manualsApi,
  playbooksApi,
  reportsApi,
  scenariosApi,
  sessionsApi,
  trendsApi,
} from '@muster/contracts';
import { aiCollections, defineService, reactionsTo, routes } from '@muster/service-kit';
import { conductHandlers } from './conduct/conduct.routes.ts';
import { config } from './config.ts';
import { dashboardReactions } from './dashboard/dashboard.consumers.ts';
import { dashboardRebuild } from './dashboard/dashboard.jobs.ts';
import { dashboardCollections } from './dashboard/dashboard.model.ts';
import { dashboardHandlers } from './dashboard/dashboard.routes.ts';
import { sessionEvaluation } from './evaluations/evaluation.jobs.ts';
import { evaluationCollection } from './evaluations/evaluation.model.ts';
import { evaluationHandlers } from './evaluations/evaluation.routes.ts';
import { gapReactions } from './gaps/gap.consumers.ts';
import { gapCollections } from './gaps/gap.model.ts';
import { gapHandlers } from './gaps/gap.routes.ts';
import { manualHandlers } from './manuals/manual.routes.ts';
import { playbookGeneration } from './playbooks/playbook.jobs.ts';
import { playbookCollection } from './playbooks/playbook.model.ts';
import { playbookHandlers } from './playbooks/playbook.routes.ts';
import { reportHandlers } from './reports/report.routes.ts';
import { seedLibrary } from './scenarios/library.start.ts';
import { scenarioReactions } from './scenarios/scenario.consumers.ts';
import { scenarioCollection } from './scenarios/scenario.model.ts';
import { scenarioHandlers } from './scenarios/scenario.routes.ts';
import { sessionCollection } from './sessions/session.model.ts';
import { sessionHandlers } from './sessions/session.routes.ts';
import { trendsHandlers } from './trends/trends.routes.ts';

/** Scenarios, the sessions played from them, their scores, and the dashboard. */
export const exercises = defineService({
  name: 'exercises',
  config,
  collections: [
    scenarioCollection,
    sessionCollection,
    evaluationCollection,
    playbookCollection,
    ...aiCollections,
    ...gapCollections,
    ...dashboardCollections,
  ],
  routes: [
    routes(scenariosApi, scenarioHandlers),
    routes(sessionsApi, sessionHandlers),
    routes(conductApi, conductHandlers),
    routes(evaluationsApi, evaluationHandlers),
    routes(playbooksApi, playbookHandlers),
    routes(reportsApi, reportHandlers),
    routes(manualsApi, manualHandlers),
    routes(gapsApi, gapHandlers),
    routes(trendsApi, trendsHandlers),
    routes(dashboardApi, dashboardHandlers),
  ],
  reactions: reactionsTo(exercisesSubscriptions, {
    scenarioPublished: [dashboardReactions.scenarioPublished],
    scenarioRemoved: [dashboardReactions.scenarioRemoved],
    sessionSaved: [dashboardReactions.sessionSaved],
    sessionCompleted: [dashboardReactions.sessionCompleted, gapReactions.sessionCompleted],
    playbookGenerated: [dashboardReactions.playbookGenerated],
    memberChanged: [dashboardReactions.memberChanged],
    intelScenarioDrafted: [scenarioReactions.intelScenarioDrafted],
    intelItemIngested: [dashboardReactions.intelItemIngested],
    intelItemRemoved: [dashboardReactions.intelItemRemoved],
    operationCompleted: [dashboardReactions.operationCompleted],
    operationRemoved: [dashboardReactions.operationRemoved],
    eventsCounted: [dashboardReactions.eventsCounted],
  }),
  work: [dashboardRebuild, sessionEvaluation, playbookGeneration],
  onStart: [seedLibrary],
});
