import { identityApi } from '@muster/contracts';
import { defineService, type Handlers, routes } from '@muster/service-kit';
import { type Config, config } from './config.ts';
import { keepKeys } from './keys/key.jobs.ts';
import { signingKeyCollection } from './keys/key.model.ts';
import { keyHandlers } from './keys/key.routes.ts';
import { meHandlers } from './me/me.routes.ts';
import { memberReactions } from './members/member.consumers.ts';
import { memberCollection } from './members/member.model.ts';
import { organizationCollection } from './organizations/organization.model.ts';
import { seedDemo } from './organizations/organization.service.ts';
import { tokenCollection } from './tokens/token.model.ts';
import { tokenHandlers } from './tokens/token.routes.ts';
import { userCollection } from './users/user.model.ts';

const handlers: Handlers<typeof identityApi, Config> = { ...meHandlers, ...keyHandlers, ...tokenHandlers };

/** Organizations, their people, the keys that sign tokens, and API tokens. */
export const identity = defineService({
  name: 'identity',
  config,
  collections: [
    organizationCollection,
    userCollection,
    memberCollection,
    signingKeyCollection,
    tokenCollection,
  ],
  routes: [routes(identityApi, handlers)],
  reactions: memberReactions,
  work: [],
  onStart: [keepKeys, seedDemo],
});
