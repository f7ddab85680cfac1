import {
  type Endpoint,
  hostileParts,
  MAX_VALUES,
  type MediaType,
  type UnparsedBody,
} from '@muster/contracts';
import express, { type Request, type Response } from 'express';
import multer, { MulterError } from 'multer';
import { AppError, invalid } from '../errors.ts';
import { inThread, Overdue } from '../threads/thread.ts';
import { holdsTooMuch } from './hostile.ts';
import type readYaml from './yaml.thread.ts';

const MEBIBYTE = 1024 * 1024;
const YAML_DEADLINE_MS = 5_000;
const yaml = inThread<typeof readYaml>(new URL('./yaml.thread.ts', import.meta.url), YAML_DEADLINE_MS);

/** A request's body: its bytes for the idempotency check, and what they say. */
export interface ParsedBody {
  bytes: Buffer;
  value: unknown;
}

/**
 * Reads and parses a request's body as its endpoint declares. Raises 400, 413, 415 or 422 with what is wrong.
 * An endpoint without a body accepts an empty one or `{}`.
 */
export async function readBody(
  request: Request,
  response: Response,
  endpoint: Endpoint,
): Promise<ParsedBody> {
  const limit = endpoint.maxBytes ?? MEBIBYTE;
  const type = mediaTypeOf(request, endpoint);
  if (type === 'multipart/form-data') return await readForm(request, response, limit);
  const bytes = await readBytes(request, response, limit);
  if (endpoint.unparsed) return { bytes, value: { mediaType: type, bytes } satisfies UnparsedBody };
  if (bytes.length === 0) return { bytes, value: undefined };
  return { bytes, value: safe(type === 'application/yaml' ? await parseYaml(bytes) : parseJson(bytes)) };
}

function mediaTypeOf(request: Request, endpoint: Endpoint): MediaType {
  const accepts = endpoint.accepts ?? ['application/json'];
  const given = request.headers['content-type'];
  if (given === undefined || !hasBody(request)) return 'application/json';
  const type = accepts.find(
    (accepted) => request.is(accepted) || (accepted === 'application/json' && request.is('+json')),
  );
  if (type) return type;
  throw new AppError('unsupported-media-type', `This takes ${accepts.join(', ')}.`);
}

const hasBody = (request: Request) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

async function readBytes(request: Request, response: Response, limit: number): Promise<Buffer> {
  const read = express.raw({ type: () => true, limit });
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => (error ? reject(readError(error, limit)) : resolve()));
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function readError(error: unknown, limit: number): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return tooLarge(limit);
  if (type === 'encoding.unsupported')
    return new AppError('unsupported-media-type', 'This Content-Encoding is not supported.');
  return new AppError('malformed-header', 'The body could not be read: check its length and encoding.', {
    cause: error,
  });
}

const tooLarge = (limit: number) => new AppError('too-large', `The body may have ${limit} bytes at most.`);

function parseJson(bytes: Buffer): unknown {
  if (holdsTooMuch(bytes))
    throw invalid([
      { path: '', code: 'too_many_values', in: 'body', message: `more than ${MAX_VALUES} values` },
    ]);
  try {
    return JSON.parse(decode(bytes));
  } catch (cause) {
    throw new AppError('malformed-json', 'The body is not valid JSON in UTF-8.', { cause });
  }
}

async function parseYaml(bytes: Buffer): Promise<unknown> {
  const read = await yaml(textOfYaml(bytes)).catch((error: unknown) => {
    if (!(error instanceof Overdue)) throw error;
    return { problem: 'This YAML takes too long to read: send it as JSON.' };
  });
  if ('problem' in read) throw new AppError('malformed-yaml', read.problem);
  return read.value;
}

function textOfYaml(bytes: Buffer): string {
  try {
    return decode(bytes);
  } catch (cause) {
    throw new AppError('malformed-yaml', 'The body is not valid YAML in UTF-8.', { cause });
  }
}

const decode = (bytes: Buffer) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

async function readForm(request: Request, response: Response, limit: number): Promise<ParsedBody> {
  const upload = multer({
    storage: multer.memoryStorage(),
    limits: { fileSize: limit, files: 1, fields: 0, parts: 1 },
  });
  await new Promise<void>((resolve, reject) => {
    upload.single('file')(request, response, (error: unknown) =>
      error ? reject(formError(error, limit)) : resolve(),
    );
  });
  const { file } = request;
  if (!file)
    throw invalid([
      { path: '/file', code: 'required', message: 'Send the scenario as the form field `file`.' },
    ]);
  const isYaml = /\.ya?ml$/i.test(file.originalname) || /yaml/.test(file.mimetype);
  return { bytes: file.buffer, value: safe(isYaml ? await parseYaml(file.buffer) : parseJson(file.buffer)) };
}

function formError(error: unknown, limit: number): unknown {
  if (error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE') return tooLarge(limit);
  return new AppError('malformed-multipart', 'Send one form field named `file`.', { cause: error });
}

function safe(value: unknown): unknown {
  const hostile = hostileParts(value);
  if (hostile.length > 0) throw invalid(hostile);
  return value;
}
