import { bodyOf, type Mail } from '../mail/mail.rules.ts';

/** How a try went, in a sentence that never holds a secret. */
export interface Outcome {
  ok: boolean;
  detail: string;
}

/** The mail that shows that mail works. */
export function testMail(to: Mail['to'], organization: string, messageId: string): Mail {
  const paragraphs = [
    `Mail from ${organization} on Muster arrives.`,
    'Somebody tried the settings; that is all.',
  ];
  return { to, subject: 'Mail from Muster works', ...bodyOf(paragraphs), messageId };
}
