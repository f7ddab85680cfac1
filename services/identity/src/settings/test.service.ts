import type { SettingsTest } from '@muster/contracts';
import { AppError, type Ctx } from '@muster/service-kit';
import { messageIdOf } from '../mail/mail.rules.ts';
import { senderOf, sendMail } from '../mail/mail.service.ts';
import { users } from '../users/user.model.ts';
import { tryProvider } from './provider.service.ts';
import { readSettings } from './settings.service.ts';
import { type Outcome, type SettingsTestDoc, settingsTests } from './test.model.ts';
import { testMail } from './test.texts.ts';

const RETENTION_MS = 24 * 60 * 60_000;

/** What is tried, for whom, and the id of the result. */
export interface Trial {
  id: string;
  target: SettingsTest['target'];
  user_id: string;
}

/** How a try went. Raises `not-found`, also when it is more than a day ago. */
export async function findTest(ctx: Ctx, id: string): Promise<SettingsTestDoc> {
  const found = await settingsTests(ctx).findOne({ _id: id });
  if (!found)
    throw new AppError('not-found', 'There is no such try of the settings; they are kept for a day.');
  return found;
}

/** Tries the settings and keeps how it went; a failed try is a result like any other. */
export async function runTest(ctx: Ctx, { id, target, user_id }: Trial): Promise<void> {
  const began = performance.now();
  const outcome = await (target === 'mail' ? tryMail(ctx, id, user_id) : tryProvider(ctx)).catch(failure);
  const latency_ms = Math.round(performance.now() - began);
  const at = new Date();
  const row = {
    _id: id,
    target,
    ...outcome,
    latency_ms,
    at,
    keep_until: new Date(at.getTime() + RETENTION_MS),
  };
  await ctx.inTransaction(async (inside) => {
    if (!(await settingsTests(inside).findOne({ _id: id }))) await settingsTests(inside).insert(row);
  });
}

/** A try that fails says why; what nobody expected is not its result. */
function failure(error: unknown): Outcome {
  if (error instanceof AppError) return { ok: false, detail: error.message };
  throw error;
}

async function tryMail(ctx: Ctx, id: string, userId: string): Promise<Outcome> {
  const sender = await senderOf(ctx);
  if (!sender) return { ok: false, detail: 'No mail server is configured: set SMTP_URL and SMTP_FROM.' };
  const user = await users(ctx).findOne({ _id: userId });
  if (!user) return { ok: false, detail: 'You are not a member any more, so there is no one to write to.' };
  const { organization } = await readSettings(ctx);
  const to = { name: user.name, address: user.email };
  await sendMail(sender, testMail(to, organization.name, messageIdOf(`test.${id}`, sender.from)));
  return { ok: true, detail: `The mail server took a message to ${user.email}.` };
}
