import type { ProviderId } from '@muster/contracts';
import { isLoopback } from '@muster/service-kit';
import { z } from 'zod';

type Preset = 'google' | 'entra';
type Letter = 'A' | 'B';
const LETTERS = { A: 'provider-a', B: 'provider-b' } as const satisfies Record<Letter, ProviderId>;

/** A login as this deployment set it up. */
export interface ProviderSettings {
  id: ProviderId;
  /** What its button says. */
  name: string;
  preset: Preset | undefined;
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** The tenants whose people may come in, in lower case; empty where any may. */
  allowedTenants: readonly string[];
}

/** With these words for a tenant, everyone with a Microsoft account can knock. */
const MANY_TENANTS = new Set(['common', 'organizations', 'consumers']);
const ENTRA = 'https://login.microsoftonline.com';
const GOOGLE = 'https://accounts.google.com';
const PRESET_NAMES = { google: 'Google', entra: 'Microsoft' } as const;

const origin = z
  .url({ protocol: /^https?$/, error: 'expected an origin such as https://muster.example.org' })
  .transform((url) => new URL(url).origin);
const words = z.string().transform((text) =>
  text
    .toLowerCase()
    .split(',')
    .flatMap((word) => word.trim() || []),
);

const fields = {
  PRESET: z.enum(['google', 'entra']).optional(),
  ISSUER: z.url({ protocol: /^https?$/, error: 'expected the URL of an OpenID issuer' }).optional(),
  TENANT: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional(),
  CLIENT_ID: z.string().optional(),
  CLIENT_SECRET: z.string().optional(),
  NAME: z.string().max(60).optional(),
  ALLOWED_TENANTS: words.default([]),
};
type Fields = typeof fields;
type ProviderValues = z.output<z.ZodObject<Fields>>;
type Prefixed<L extends Letter> = { [Name in keyof Fields as `PROVIDER_${L}_${Name}`]: Fields[Name] };

/** Variables of the two logins and the web sessions they begin. */
export const loginVariables = {
  PUBLIC_ORIGIN: origin.default('http://127.0.0.1:8080'),
  SESSION_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(5)
    .max(60 * 24 * 7)
    .default(120),
  DEMO_PEOPLE: z
    .enum(['0', '1'])
    .transform((value) => value === '1')
    .default(false),
  ...prefixed('A'),
  ...prefixed('B'),
};
export type LoginVariables = z.output<z.ZodObject<typeof loginVariables>> & { MUSTER_MODE: string };

function prefixed<L extends Letter>(letter: L): Prefixed<L> {
  const named = Object.entries(fields).map(([name, schema]) => [`PROVIDER_${letter}_${name}`, schema]);
  return Object.fromEntries(named) as Prefixed<L>;
}

function valuesFor(variables: LoginVariables, letter: Letter): ProviderValues {
  const values = Object.keys(fields).map((name) => [
    name,
    variables[`PROVIDER_${letter}_${name}` as keyof LoginVariables],
  ]);
  return Object.fromEntries(values) as ProviderValues;
}

/** What must not be, variable by variable: in production more than in development. */
export function loginProblems(variables: LoginVariables): { variable: string; message: string }[] {
  const production = variables.MUSTER_MODE === 'production';
  const problems: { variable: string; message: string }[] = [];
  if (production && !variables.PUBLIC_ORIGIN.startsWith('https:')) {
    const message = 'expected the https origin by which browsers come, such as https://muster.example.org';
    problems.push({ variable: 'PUBLIC_ORIGIN', message });
  }
  if (production && variables.DEMO_PEOPLE) {
    problems.push({ variable: 'DEMO_PEOPLE', message: 'lets anyone in: only for development' });
  }
  for (const letter of Object.keys(LETTERS) as Letter[]) {
    for (const [name, message] of Object.entries(problemsOf(valuesFor(variables, letter), production)))
      problems.push({ variable: `PROVIDER_${letter}_${name}`, message });
  }
  return problems;
}

function problemsOf(values: ProviderValues, production: boolean): Partial<Record<keyof Fields, string>> {
  const { PRESET, ISSUER, TENANT, CLIENT_ID, CLIENT_SECRET, ALLOWED_TENANTS } = values;
  const problems: Partial<Record<keyof Fields, string>> = {};
  const issuer = issuerOf(values);
  if (!issuer) {
    if (PRESET === 'entra') problems.TENANT = 'expected the id of your tenant';
    else if (CLIENT_ID !== undefined) problems.ISSUER = 'expected the URL of an OpenID issuer, or a preset';
    return problems;
  }
  if (!CLIENT_ID) problems.CLIENT_ID = 'expected the client id that the provider gave you';
  if (!CLIENT_SECRET) problems.CLIENT_SECRET = 'expected the client secret that the provider gave you';
  if (issuer.protocol !== 'https:') {
    if (production) problems.ISSUER = 'expected https';
    else if (!isLoopback(issuer.hostname)) problems.ISSUER = 'expected https; http only on loopback';
  }
  if (!ISSUER && TENANT && MANY_TENANTS.has(TENANT) && ALLOWED_TENANTS.length === 0)
    problems.ALLOWED_TENANTS = `expected the ids of the tenants whose people may come in: "${TENANT}" is everyone`;
  return problems;
}

/** The logins that are set up. The variables must be without problems. */
export function providersOf(variables: LoginVariables): ProviderSettings[] {
  return (Object.keys(LETTERS) as Letter[]).flatMap((letter) => {
    const values = valuesFor(variables, letter);
    const { PRESET: preset, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = values;
    const issuer = issuerOf(values);
    if (!issuer || !clientId || !clientSecret) return [];
    const name = values.NAME ?? (preset ? PRESET_NAMES[preset] : issuer.hostname);
    return [
      {
        id: LETTERS[letter],
        name,
        preset,
        issuer,
        clientId,
        clientSecret,
        allowedTenants: tenantsOf(values),
      },
    ];
  });
}

function issuerOf({ PRESET, ISSUER, TENANT }: ProviderValues): URL | undefined {
  if (ISSUER) return new URL(ISSUER);
  if (PRESET === 'google') return new URL(GOOGLE);
  return PRESET === 'entra' && TENANT ? new URL(`${ENTRA}/${TENANT}/v2.0`) : undefined;
}

function tenantsOf({ PRESET, ISSUER, TENANT, ALLOWED_TENANTS }: ProviderValues): readonly string[] {
  if (ALLOWED_TENANTS.length > 0 || ISSUER || PRESET !== 'entra') return ALLOWED_TENANTS;
  // A tenant given by one of its domains is not what `tid` says; then its issuer alone binds.
  return TENANT && z.uuid().safeParse(TENANT).success ? [TENANT.toLowerCase()] : [];
}
