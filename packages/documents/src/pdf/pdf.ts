import { Worker } from 'node:worker_threads';
import type { DocumentModel } from '../model/document.ts';
import type { Order, Print } from './press.ts';

/** A document that needs more, or longer, is refused rather than let the process suffer for it. */
const MEMORY_MB = 768;
const DEADLINE_MS = 120_000;

let press: Worker | undefined;
let queue: Promise<unknown> = Promise.resolve();

/**
 * Prints the document on A4 with cover, contents, bookmarks, running header and footer, and embedded fonts. The work is
 * done on a thread of its own, one document after the other, so the caller's event loop stays free.
 * @param createdAt the only date in the file: the same document and date give the same bytes
 * @returns the file; characters that the fonts lack show as U+FFFD, and a note at the end counts them
 * @throws Error when the document is too large to print within two minutes and 768 MB
 */
export function toPdf(document: DocumentModel, createdAt: Date): Promise<Uint8Array> {
  const printed = queue.then(() => print({ document, createdAt }));
  queue = printed.catch(() => undefined);
  return printed;
}

async function print(order: Order): Promise<Uint8Array> {
  press ??= startPress();
  press.ref();
  try {
    const result = await answerOf(press, order);
    if ('error' in result) throw new Error(`The document could not be printed: ${result.error}`);
    return result.pdf;
  } finally {
    press?.unref();
  }
}

function startPress(): Worker {
  const worker = new Worker(new URL('./press.ts', import.meta.url), {
    name: 'documents-press',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const forget = () => {
    if (press === worker) press = undefined;
  };
  worker.on('error', forget).on('exit', forget);
  return worker;
}

/** @throws Error when the thread ends or the time is up before it answers; the next document gets a new thread */
function answerOf(worker: Worker, order: Order): Promise<Print> {
  worker.postMessage(order);
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off('message', answered);
      worker.off('error', failed);
      worker.off('exit', ended);
      finish();
    };
    const giveUp = (reason: string) => {
      if (press === worker) press = undefined;
      settle(() => reject(new Error(`The document could not be printed: ${reason}. Ask for its HTML form.`)));
    };
    const answered = (print: Print) => settle(() => resolve(print));
    const failed = (error: Error) => giveUp(error.message);
    const ended = () => giveUp('it needs too much memory');
    const timer = setTimeout(() => {
      giveUp(`it takes longer than ${DEADLINE_MS / 1000} seconds`);
      void worker.terminate();
    }, DEADLINE_MS);
    worker.on('message', answered).on('error', failed).on('exit', ended);
  });
}
