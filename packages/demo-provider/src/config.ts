import { z } from 'zod';
import { demoPeople, person } from './person.ts';

const issuer = z
  .url({
    protocol: /^http$/,
    hostname: /^(127\.0\.0\.1|localhost)$/,
    error: 'expected http://127.0.0.1:<port>',
  })
  .transform((url) => new URL(url).origin);

const urls = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(z.url('expected URLs with commas between them')));

const people = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'expected a list in JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.array(person).min(1));

const variables = z.object({
  /** Where it listens: whoever reaches it may sign in as anyone, so that is loopback and nothing else. */
  ISSUER: issuer,
  NAME: z.string().min(1).max(80).default('Demo provider'),
  CLIENT_ID: z.string().min(1),
  CLIENT_SECRET: z.string().min(16, 'expected at least 16 characters'),
  REDIRECT_URIS: urls,
  POST_LOGOUT_REDIRECT_URIS: urls.default([]),
  PEOPLE: people.default(demoPeople),
  /** Keeps the signing key from start to start; without it each start makes one. */
  SIGNING_KEY_FILE: z.string().optional(),
});
export type ProviderConfig = z.output<typeof variables>;

/** Reads the provider's variables. Raises one line that names every one that is missing or wrong. */
export function providerConfig(env: Record<string, string | undefined> = process.env): ProviderConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`);
  throw new Error(`These variables are missing or wrong: ${problems.join(', ')}`);
}
