import type { DocumentModel } from '@muster/documents';
import { type Ctx, settingsOf } from '@muster/service-kit';
import { findScenario } from '../scenarios/scenario.service.ts';
import { manualDocument } from './manual.texts.ts';

/** The situation manual of a stored scenario for its players, and its date. Raises `not-found`. */
export async function readManual(
  ctx: Ctx,
  filename: string,
): Promise<{ document: DocumentModel; date: Date }> {
  const { content, updated_at: date } = await findScenario(ctx, filename);
  const { organization } = await settingsOf(ctx);
  return { document: manualDocument(content, organization.name), date };
}
