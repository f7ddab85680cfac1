import type { Role } from '../../core/roles.ts';

/** The people of the demo organization: the demo providers sign them in, identity makes them its members. */
export const DEMO_PEOPLE = [
  { sub: 'demo-owner', name: 'Demo owner', email: 'owner@demo.invalid', role: 'owner' },
  {
    sub: 'demo-facilitator',
    name: 'Demo facilitator',
    email: 'facilitator@demo.invalid',
    role: 'facilitator',
  },
  { sub: 'demo-viewer', name: 'Demo viewer', email: 'viewer@demo.invalid', role: 'viewer' },
] as const satisfies readonly { sub: string; name: string; email: string; role: Role }[];
