import {
  type Api,
  api,
  endpoint,
  jobsApi,
  listOf,
  page,
  scenarioRemoved,
  subscriptions,
} from '@muster/contracts';
import { v7 } from 'uuid';
import { z } from 'zod';
import {
  AppError,
  baseConfig,
  type Ctx,
  collection,
  created,
  currentTrace,
  defineConfig,
  defineService,
  gatheredWork,
  type Handlers,
  listPage,
  noContent,
  ok,
  queued,
  type RowOf,
  reaction,
  reactionsTo,
  rendition,
  repository,
  required,
  routes,
  type Trace,
  work,
} from '../src/index.ts';

// The smallest service there can be: notes. Names of services and their queues are a closed list, so it goes by the
// name of one that hears an event of its own.

const SERVICE = 'exercises';
const noteEvent = scenarioRemoved;

const written = {
  fields: { text: required(String), version: required(Number) },
  indexes: [[{ org_id: 1, text: 1 }]],
} as const;
const noteCollection = collection({ ...written, name: 'notes' });
const guideCollection = collection({ ...written, name: 'guides', shared: true });
/** A row for each event that came back. */
const sightingCollection = collection({ ...written, name: 'sightings' });
type NoteDoc = RowOf<typeof noteCollection>;
export const notes = repository(noteCollection);
export const guides = repository(guideCollection);
export const sightings = repository(sightingCollection);

/** Holds work up until it is opened. */
export function gate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    async pass() {
      reached.resolve();
      await opened.promise;
    },
  };
}

/** What the next piece of work does besides its work; it holds for that one only. */
export const next: { fails?: Error; waits?: ReturnType<typeof gate>; answers?: object } = {};
/** What was seen from within. */
export const seen = {
  reactions: [] as (Trace | undefined)[],
  jobs: [] as (Trace | undefined)[],
  counts: [] as number[],
  streamsBegun: 0,
  streamsEnded: 0,
};

async function asToldNext(): Promise<void> {
  const { fails, waits } = next;
  next.fails = undefined;
  next.waits = undefined;
  await waits?.pass();
  if (fails) throw fails;
}

const note = z.object({ id: z.string(), text: z.string(), version: z.int() });
export type Note = z.output<typeof note>;
const params = z.object({ id: z.string().max(60) });
const text = z.strictObject({ text: z.string().max(900) });
const common = { role: 'viewer', summary: 'Of the tests', description: 'Described.' } as const;

export const notesApi = api({
  service: SERVICE,
  tag: 'Notes',
  about: 'Tested.',
  endpoints: {
    createNote: endpoint({
      ...common,
      method: 'POST',
      path: '/api/notes/',
      body: text,
      maxBytes: 1000,
      responses: { 201: note },
    }),
    listNotes: endpoint({
      ...common,
      method: 'GET',
      path: '/api/notes/',
      query: z.strictObject({ ...page, text: z.string().optional() }),
      responses: { 200: listOf(note) },
    }),
    getNote: endpoint({
      ...common,
      method: 'GET',
      path: '/api/notes/{id}/',
      anyAddress: true,
      params,
      responses: { 200: note },
    }),
    changeNote: endpoint({
      ...common,
      method: 'PUT',
      path: '/api/notes/{id}/',
      params,
      body: text,
      responses: { 200: note },
    }),
    dropNote: endpoint({
      ...common,
      method: 'DELETE',
      path: '/api/notes/{id}/',
      role: 'admin',
      params,
      responses: { 204: null },
    }),
    copyNote: endpoint({
      ...common,
      method: 'POST',
      path: '/api/notes/{id}/copies/',
      params,
      delivery: 'queue',
      responses: { 201: note, 202: z.unknown() },
    }),
    followClock: endpoint({
      ...common,
      method: 'GET',
      path: '/api/clock/',
      role: 'member',
      produces: 'text/event-stream',
      responses: { 200: z.string() },
    }),
  },
});
export const notesJobs: Api = jobsApi(SERVICE);

async function write(ctx: Ctx, written: { _id: string; text: string }): Promise<Note> {
  await notes(ctx).insert({ ...written, version: 1 });
  await ctx.emit(noteEvent, { subject: written._id, seq: 1, data: { filename: 'note.json' } });
  return { id: written._id, text: written.text, version: 1 };
}

async function find(ctx: Ctx, id: string): Promise<Note> {
  const found = await notes(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no note with this id.');
  return { id: found._id, text: found.text, version: found.version };
}

const handlers: Handlers<typeof notesApi> = {
  async listNotes(ctx, { query: { text, ...query } }) {
    const item = ({ _id, text, version }: NoteDoc) => ({ id: _id, text, version });
    const filter = text === undefined ? {} : { text };
    return ok(await listPage(ctx, notes(ctx), { name: 'notes', filter, query, item }));
  },
  async createNote(ctx, { body }) {
    const made = await write(ctx, { _id: v7(), text: body.text });
    await asToldNext();
    return created({ ...made, ...next.answers }, `/api/notes/${made.id}/`, { etag: '1' });
  },
  async getNote(ctx, { params }) {
    const found = await find(ctx, params.id);
    return ok({ ...found, ...next.answers }, { etag: String(found.version) });
  },
  async changeNote(ctx, { params, body, requireMatch }) {
    const { id, version } = await find(ctx, params.id);
    requireMatch(String(version));
    const changed = { id, text: body.text, version: version + 1 };
    await notes(ctx).updateOne(
      { _id: id, version },
      { $set: { text: changed.text, version: changed.version } },
    );
    return ok(changed, { etag: String(changed.version) });
  },
  async dropNote(ctx, { params }) {
    await notes(ctx).deleteOne({ _id: params.id });
    return noContent();
  },
  async copyNote(ctx, { params }) {
    await find(ctx, params.id);
    return queued(await ctx.enqueue(copy, { id: params.id }));
  },
  async followClock(ctx) {
    return rendition('text/event-stream', ticks(ctx.signal));
  },
};

async function* ticks(signal: AbortSignal): AsyncIterable<string> {
  seen.streamsBegun += 1;
  try {
    yield 'data: tick\n\n';
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  } finally {
    seen.streamsEnded += 1;
  }
}

export const copy = work({
  kind: 'note-copy',
  payload: z.object({ id: z.string() }),
  attempts: 1,
  async run(ctx: Ctx, { id }, progress) {
    seen.jobs.push(currentTrace());
    await progress.report(0, 1, 'Copying');
    await asToldNext();
    const original = await find(ctx, id);
    ctx.signal.throwIfAborted();
    const copied = await ctx.inTransaction((inside) =>
      write(inside, { _id: `copy-${progress.jobId}`, text: original.text }),
    );
    return { href: `/api/notes/${copied.id}/` };
  },
});

/** Counts notes, once for all that were written meanwhile. */
export const counting = gatheredWork({
  kind: 'note-counting',
  settle: async (ctx: Ctx) => {
    await asToldNext();
    seen.counts.push(await notes(ctx).count({}));
    return false;
  },
});

const sighting = reaction(noteEvent, async (ctx, event) => {
  seen.reactions.push(currentTrace());
  await sightings(ctx).insert({ _id: event.id, text: event.subject, version: event.seq });
});

export const service = defineService({
  name: SERVICE,
  config: defineConfig(baseConfig),
  collections: [noteCollection, guideCollection, sightingCollection],
  routes: [routes(notesApi, handlers)],
  reactions: reactionsTo(subscriptions(SERVICE, { noteEvent }), { noteEvent: [sighting] }),
  work: [copy, counting],
  onStart: [
    async (ctx) => {
      await guides(ctx).updateOne(
        { _id: 'guide' },
        { $set: { text: 'How to write notes', version: 1 } },
        { upsert: true },
      );
    },
  ],
});
