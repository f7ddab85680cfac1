/** An error of nodemailer or of Node's sockets, as far as it says what happened. */
interface Failure {
  code?: string;
  message?: string;
  responseCode?: number;
}

/** By what nodemailer and Node call it; the server's own words stay out, since nobody knows what they repeat. */
const MAIL_FAILURES: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused the user name or the password in SMTP_URL.',
  ENOAUTH: 'The mail server asks for a user name and a password: put them into SMTP_URL.',
  EDNS: 'The mail server was not found: check the host in SMTP_URL.',
  ENOTFOUND: 'The mail server was not found: check the host in SMTP_URL.',
  ECONNREFUSED: 'Nothing answers at the address in SMTP_URL: check host and port.',
  ETIMEDOUT: 'The mail server did not answer in time: check host and port in SMTP_URL.',
  ETLS: 'No safe connection to the mail server came about: check its certificate, and smtp or smtps in SMTP_URL.',
  EENVELOPE: 'The mail server refused the sender or the recipient: check notifications.smtp_from.',
  EMESSAGE: 'The mail server refused the message.',
};
const TLS = /certificate|self.signed|SSL|TLS|wrong version number/i;

/** What went wrong with a mail, in a sentence that says what to look at. */
export function mailFailure({ code = '', message = '', responseCode }: Failure): string {
  if (code === 'ESOCKET' && TLS.test(message)) return MAIL_FAILURES.ETLS ?? '';
  const socket = /E[A-Z]{4,}/.exec(message)?.[0] ?? '';
  const known = MAIL_FAILURES[code] ?? MAIL_FAILURES[socket];
  const said = responseCode === undefined ? '' : ` It said ${responseCode}.`;
  return `${known ?? 'The mail server could not be used: look into its log.'}${said}`;
}
