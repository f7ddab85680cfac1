import { DEMO_PEOPLE } from '@muster/contracts';
import { z } from 'zod';

/** Whom a demo provider signs in, as claims of their ID token; what is left out is no claim. */
export const person = z.strictObject({
  sub: z.string().min(1).max(255),
  name: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  /** Tenant and object id, by which Microsoft Entra ID knows people. */
  tid: z.string().optional(),
  oid: z.string().optional(),
});
export type Person = z.output<typeof person>;

/** The demo organization's people, each with a verified address. */
export const demoPeople: Person[] = DEMO_PEOPLE.map(({ sub, name, email }) => ({
  sub,
  name,
  email,
  email_verified: true,
}));
