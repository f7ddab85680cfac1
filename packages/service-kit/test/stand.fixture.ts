import { fetchAsGateway, startTestService, type TestService } from '@muster/testing';
import mongoose from 'mongoose';
import { DEMO_ORGANIZATION } from '../src/index.ts';
import { service } from './notes.fixture.ts';

export type Notes = TestService & {
  /** The service's database, seen from outside of it. */
  database: mongoose.mongo.Db;
};

/** Starts the notes on engines of their own. */
export async function startNotes(variables: Record<string, string> = {}): Promise<Notes> {
  const running = await startTestService(service, variables);
  const outside = new mongoose.mongo.MongoClient(process.env.MONGODB_URI ?? '');
  return {
    ...running,
    database: outside.db(running.env.MONGODB_DB),
    async stop() {
      await outside.close();
      await running.stop();
    },
  };
}

/** The service itself at work for an organization. */
export function inside(notes: Pick<Notes, 'forOrganization'>, org: string = DEMO_ORGANIZATION.id) {
  return notes.forOrganization(org);
}

const asGateway = fetchAsGateway();

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Sends a request such as `GET /api/notes/` and gives the answer as it came. */
export async function ask<Body = Record<string, unknown>>(
  { url }: Pick<Notes, 'url'>,
  line: string,
  { json, ...init }: RequestInit & { json?: unknown } = {},
): Promise<Answer<Body>> {
  const [method = '', path = ''] = line.split(' ');
  const headers = new Headers(init.headers);
  if (json !== undefined) headers.set('content-type', 'application/json');
  const body = json === undefined ? init.body : JSON.stringify(json);
  const response = await asGateway(url + path, { method, redirect: 'manual', ...init, headers, body });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

interface Emitted {
  subject: string;
  orgid: string;
  requestid?: string;
  traceparent?: string;
}

/** The events emitted about a note, as they are kept for publishing. */
export async function eventsAbout({ database }: Notes, subject: string): Promise<Emitted[]> {
  const rows = await database.collection<{ body: string }>('outbox').find().toArray();
  return rows.map(({ body }) => JSON.parse(body) as Emitted).filter((event) => event.subject === subject);
}
