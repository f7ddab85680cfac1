import {
  auditApi,
  identityApi,
  identitySubscriptions,
  loginApi,
  membersApi,
  settingsApi,
} from '@muster/contracts';
import { defineService, type Handlers, reactionsTo, routes } from '@muster/service-kit';
import { auditReactions } from './audit/audit.consumers.ts';
import { auditCollection } from './audit/audit.model.ts';
import { auditHandlers } from './audit/audit.routes.ts';
import { config } from './config.ts';
import { domainCheck } from './domains/domain.jobs.ts';
import { domainCollection } from './domains/domain.model.ts';
import { introductionCollection } from './introductions/introduction.model.ts';
import { introduceNewServices } from './introductions/introduction.start.ts';
import { inviteMailing } from './invites/invite.jobs.ts';
import { inviteCollection } from './invites/invite.model.ts';
import { keyRotation } from './keys/key.jobs.ts';
import { signingKeyCollection } from './keys/key.model.ts';
import { keyHandlers } from './keys/key.routes.ts';
import { keepKeys } from './keys/key.start.ts';
import { linkDemoPeople } from './links/demo.start.ts';
import { linkCollection } from './links/link.model.ts';
import { loginHandlers } from './login/login.routes.ts';
import { meHandlers } from './me/me.routes.ts';
import { memberReactions } from './members/member.consumers.ts';
import { memberCollection } from './members/member.model.ts';
import { memberHandlers } from './members/member.routes.ts';
import { standingHandlers } from './members/standing.routes.ts';
import { seedDemo } from './organizations/demo.start.ts';
import { organizationCollection, registrationCollection } from './organizations/organization.model.ts';
import { settingsReactions } from './settings/settings.consumers.ts';
import { settingsTesting } from './settings/settings.jobs.ts';
import { settingsCollection } from './settings/settings.model.ts';
import { settingsHandlers } from './settings/settings.routes.ts';
import { settingsTestCollection } from './settings/test.model.ts';
import { setupCollection } from './setup/setup.model.ts';
import { offerSetup } from './setup/setup.start.ts';
import { tokenReactions } from './tokens/token.consumers.ts';
import { tokenCollection } from './tokens/token.model.ts';
import { tokenHandlers } from './tokens/token.routes.ts';
import { userCollection } from './users/user.model.ts';
import { webSessionCollection } from './web-sessions/web-session.model.ts';

const handlers: Handlers<typeof identityApi> = {
  ...meHandlers,
  ...keyHandlers,
  ...tokenHandlers,
  ...standingHandlers,
};

/** Organizations, their people and settings, how they sign in, the keys that sign tokens, and who changed what. */
export const identity = defineService({
  name: 'identity',
  config,
  collections: [
    organizationCollection,
    registrationCollection,
    userCollection,
    memberCollection,
    inviteCollection,
    linkCollection,
    setupCollection,
    webSessionCollection,
    signingKeyCollection,
    tokenCollection,
    settingsCollection,
    settingsTestCollection,
    domainCollection,
    auditCollection,
    introductionCollection,
  ],
  routes: [
    routes(identityApi, handlers),
    routes(loginApi, loginHandlers),
    routes(membersApi, memberHandlers),
    routes(settingsApi, settingsHandlers),
    routes(auditApi, auditHandlers),
  ],
  reactions: reactionsTo(identitySubscriptions, {
    replayRequested: [
      memberReactions.replayRequested,
      settingsReactions.replayRequested,
      tokenReactions.replayRequested,
    ],
    tokenUses: [tokenReactions.tokenUses],
    changeRecords: [auditReactions.changeRecords],
  }),
  work: [domainCheck, inviteMailing, keyRotation, settingsTesting],
  onStart: [introduceNewServices, keepKeys, seedDemo, linkDemoPeople, offerSetup],
});
