import { z } from 'zod';

/** Variables of the mail server. Without one nothing is mailed, and whoever invites hands the link over. */
export const mailVariables = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'expected a URL such as smtps://user:password@mail.example.org' })
    .optional(),
  SMTP_FROM: z.email('expected the e-mail address that mail comes from').optional(),
};
export type MailVariables = z.output<z.ZodObject<typeof mailVariables>>;

/** What must not be, variable by variable. */
export function mailProblems({
  SMTP_URL,
  SMTP_FROM,
}: MailVariables): { variable: string; message: string }[] {
  if (SMTP_URL === undefined || SMTP_FROM !== undefined) return [];
  const message = 'with SMTP_URL, expected the e-mail address that mail comes from';
  return [{ variable: 'SMTP_FROM', message }];
}
