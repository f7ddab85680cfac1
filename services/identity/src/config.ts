import { baseConfig, defineConfig, egressPolicy, keyEncryptionKey } from '@muster/service-kit';
import { z } from 'zod';
import { dnsServers } from './domains/domain.variables.ts';
import { mailProblems, mailVariables } from './mail/mail.variables.ts';
import { loginProblems, loginVariables, providersOf } from './providers/provider.variables.ts';

/** The variables of this service beside those that every service reads. */
export const config = defineConfig(
  baseConfig
    .extend({
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      SIGNING_KEY_DAYS: z.coerce.number().int().min(1).max(365).default(30),
      AI_ALLOW_HOSTS: egressPolicy,
      DNS_SERVERS: dnsServers,
      ...mailVariables,
      ...loginVariables,
    })
    .superRefine((variables, context) => {
      for (const { variable, message } of [...loginProblems(variables), ...mailProblems(variables)])
        context.addIssue({ code: 'custom', path: [variable], message });
    })
    .transform((variables) => ({ ...variables, PROVIDERS: providersOf(variables) })),
);
