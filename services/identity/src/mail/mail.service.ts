import { AppError, type Ctx } from '@muster/service-kit';
import { createTransport } from 'nodemailer';
import { config } from '../config.ts';
import { maySendFrom } from '../domains/domain.rules.ts';
import { provenDomains } from '../domains/domain.service.ts';
import { readSettings } from '../settings/settings.service.ts';
import { mailFailure } from './failure.texts.ts';
import { type Mail, oneLine } from './mail.rules.ts';

const TIMEOUT_MS = 10_000;

/** The mail server and the address that mail comes from: the organization's, else the deployment's. */
export interface Sender {
  url: string;
  from: string;
}

/** How the organization's mail goes out, or null where no mail server is configured. */
export async function senderOf(ctx: Ctx): Promise<Sender | null> {
  const { SMTP_URL: url, SMTP_FROM } = config(ctx);
  if (url === undefined || SMTP_FROM === undefined) return null;
  const { smtp_from } = (await readSettings(ctx)).notifications;
  // A domain may have been lost since it was set.
  const own = smtp_from !== null && maySendFrom(smtp_from, await provenDomains(ctx), SMTP_FROM);
  return { url, from: own ? smtp_from : SMTP_FROM };
}

/** As {@link mailingOf}. Raises `unavailable` where there is none. */
export async function requireSender(ctx: Ctx): Promise<Sender> {
  const sender = await senderOf(ctx);
  if (!sender) throw new AppError('unavailable', 'No mail server is configured: set SMTP_URL.');
  return sender;
}

/**
 * Hands a mail to the mail server. Raises `bad-gateway` with what to look at, without the server's own words: nobody
 * knows what they repeat, and they would be logged.
 */
export async function sendMail({ url, from }: Sender, mail: Mail): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      ...mail,
      from: { name: 'Muster', address: from },
      to: { ...mail.to, name: oneLine(mail.to.name) },
      subject: oneLine(mail.subject),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw new AppError('bad-gateway', mailFailure(error as Error));
  } finally {
    transport.close();
  }
}
