import { bodyOf, type Mail } from '../mail/mail.rules.ts';

/** The mail that shows that mail works. */
export function testMail(to: Mail['to'], organization: string, messageId: string): Mail {
  const paragraphs = [
    `Mail from ${organization} on Muster arrives.`,
    'Somebody tried the settings; that is all.',
  ];
  return { to, subject: 'Mail from Muster works', ...bodyOf(paragraphs), messageId };
}
