import { dashboardApi, scenariosApi, sessionsApi } from '@muster/contracts';
import { defineService, routes } from '@muster/service-kit';
import { config } from './config.ts';
import { dashboardReactions } from './dashboard/dashboard.consumers.ts';
import { dashboardRebuild } from './dashboard/dashboard.jobs.ts';
import { dashboardCollections } from './dashboard/dashboard.model.ts';
import { dashboardHandlers } from './dashboard/dashboard.routes.ts';
import { seedLibrary } from './scenarios/library.service.ts';
import { scenarioCollection } from './scenarios/scenario.model.ts';
import { scenarioHandlers } from './scenarios/scenario.routes.ts';
import { sessionCollection } from './sessions/session.model.ts';
import { sessionHandlers } from './sessions/session.routes.ts';

/** Scenarios, the sessions played from them, their scores, and the dashboard. */
export const exercises = defineService({
  name: 'exercises',
  config,
  collections: [scenarioCollection, sessionCollection, ...dashboardCollections],
  routes: [
    routes(scenariosApi, scenarioHandlers),
    routes(sessionsApi, sessionHandlers),
    routes(dashboardApi, dashboardHandlers),
  ],
  reactions: dashboardReactions,
  work: [dashboardRebuild],
  onStart: [seedLibrary],
});
