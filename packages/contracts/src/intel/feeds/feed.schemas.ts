import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, id, text, timestamp } from '../../core/primitives.ts';
import { INTEL_FORMATS, ingestInput, TLP_LABELS } from '../items/item.schemas.ts';

/** Nobody publishes so often that asking more often finds more; once a month is as good as never. */
const everyMinutes = z.int().min(15).max(43_200);
export const FEED_EVERY_MINUTES = 360;

/** What a source asks of its readers. Written and never read. */
export const feedAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), token: text(4000) }),
  z.strictObject({
    type: z.literal('basic'),
    username: text(200).refine((name) => !name.includes(':'), 'a user name holds no colon'),
    password: z.string().min(1).max(4000),
  }),
]);
export type FeedAuth = z.output<typeof feedAuth>;

const { url, tags, tlp } = ingestInput.shape;
const written = {
  url: url.unwrap(),
  name: text(120),
  every_minutes: everyMinutes,
  format: z
    .enum(INTEL_FORMATS)
    .nullable()
    .meta({ description: 'what the source must hold; null takes whatever is recognised' }),
  tags: tags.unwrap(),
  tlp: tlp.unwrap().nullable(),
  enabled: z.boolean(),
  auth: feedAuth.nullable(),
};

export const feedInput = z
  .strictObject({
    ...written,
    name: written.name.optional().meta({ description: 'the host if left out' }),
    every_minutes: everyMinutes.default(FEED_EVERY_MINUTES),
    format: written.format.default(null),
    tags: written.tags.default([]),
    tlp: written.tlp.default(null),
    enabled: written.enabled.default(true),
    auth: written.auth.default(null),
  })
  .meta({
    id: 'FeedInput',
    example: {
      url: 'https://feeds.example.org/known-exploited-vulnerabilities.json',
      every_minutes: 720,
      tags: ['kev'],
    },
  });
export type FeedInput = z.output<typeof feedInput>;

/** A change: what is left out stays. Another host needs its credentials again, or `auth: null`. */
export const feedPatch = z
  .strictObject(written)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, { message: 'name at least one field to change' })
  .meta({ id: 'FeedPatch', example: { every_minutes: 60, enabled: true } });
export type FeedPatch = z.output<typeof feedPatch>;

/** How reading a source went: what it said, by what it was to this organization. */
export const feedFetch = z.object({
  at: timestamp,
  ok: z.boolean(),
  /** Whether the source said that nothing changed since the last time. */
  unchanged: z.boolean(),
  items: z.object({ new: z.int().min(0), updated: z.int().min(0), known: z.int().min(0) }),
  error: z.string().nullable(),
});
export type FeedFetch = z.output<typeof feedFetch>;

export const FEED_STATUSES = ['waiting', 'ok', 'failing', 'disabled'] as const;

export const feed = z
  .object({
    id,
    name: z.string(),
    url: z.string(),
    every_minutes: z.int(),
    format: z.enum(INTEL_FORMATS).nullable(),
    tags: z.array(z.string()),
    tlp: z.enum(TLP_LABELS).nullable(),
    enabled: z.boolean(),
    auth: z.object({ type: z.enum(['bearer', 'basic']), username: z.string().nullable() }).nullable(),
    status: z.enum(FEED_STATUSES),
    /** What is the matter and what happens next, in a sentence; null where all is well. */
    notice: z.string().nullable(),
    last_fetch: feedFetch.nullable(),
    last_success_at: timestamp.nullable(),
    consecutive_failures: z.int().min(0),
    next_fetch_at: timestamp.nullable(),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: 'Feed',
    example: {
      id: EXAMPLE_ID,
      name: 'feeds.example.org',
      url: 'https://feeds.example.org/known-exploited-vulnerabilities.json',
      every_minutes: 720,
      format: null,
      tags: ['kev'],
      tlp: null,
      enabled: true,
      auth: null,
      status: 'ok',
      notice: null,
      last_fetch: {
        at: EXAMPLE_TIME,
        ok: true,
        unchanged: false,
        items: { new: 3, updated: 1, known: 1296 },
        error: null,
      },
      last_success_at: EXAMPLE_TIME,
      consecutive_failures: 0,
      next_fetch_at: '2026-03-01T21:30:00.000Z',
      version: 4,
      created_at: EXAMPLE_TIME,
      updated_at: EXAMPLE_TIME,
    },
  });
export type Feed = z.output<typeof feed>;
