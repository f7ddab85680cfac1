import { parentPort } from 'node:worker_threads';
import type { DocumentModel } from '../model/document.ts';
import { renderPdf } from './render.ts';

/** What the thread is given, one document at a time. */
export interface Order {
  document: DocumentModel;
  createdAt: Date;
}

/** What it gives back. */
export type Print = { pdf: Uint8Array } | { error: string };

parentPort?.on('message', async ({ document, createdAt }: Order) => {
  parentPort?.postMessage(await print(document, createdAt));
});

async function print(document: DocumentModel, createdAt: Date): Promise<Print> {
  try {
    return { pdf: await renderPdf(document, createdAt) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
