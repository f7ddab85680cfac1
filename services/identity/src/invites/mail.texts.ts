import { bodyOf, type Mail } from '../mail/mail.rules.ts';

/** What the mail about an invitation tells. */
export interface Invitation {
  organization: string;
  inviter: string;
  role: string;
  expires_at: Date;
  url: string;
}

/** The mail that invites someone. All texts are taken as they are, from whomever; the mail keeps them harmless. */
export function inviteMail(
  to: Mail['to'],
  { organization, inviter, role, expires_at, url }: Invitation,
  messageId: string,
): Mail {
  const until = `${expires_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const paragraphs = [
    `${inviter} invites you to join ${organization} on Muster as ${role}.`,
    `Sign in with the e-mail address ${to.address} to accept. The invitation holds until ${until} and works once.`,
    'If you do not know what this is about, leave it: nothing happens without you.',
  ];
  return {
    to,
    subject: `Join ${organization} on Muster`,
    ...bodyOf(paragraphs, { label: 'Accept the invitation', url }),
    messageId,
  };
}
