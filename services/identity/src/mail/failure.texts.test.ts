import { expect, test } from '@jest/globals';
import { mailFailure } from './failure.texts.ts';

test.each([
  [{ code: 'EAUTH', responseCode: 535, message: 'Invalid login: 535 secret' }, /password/],
  [{ code: 'EDNS', message: 'getaddrinfo ENOTFOUND mail.invalid' }, /not found/],
  [{ code: 'ESOCKET', message: 'connect ECONNREFUSED 127.0.0.1:1' }, /Nothing answers/],
  [{ code: 'ETIMEDOUT', message: 'Greeting never received' }, /in time/],
  [{ code: 'ESOCKET', message: 'self-signed certificate' }, /certificate/],
  [{ code: 'ESOCKET', message: 'ssl3_get_record:wrong version number' }, /certificate/],
  [{ code: 'EENVELOPE', responseCode: 550, message: '550 secret' }, /sender or the recipient/],
  [{ responseCode: 421, message: 'secret' }, /It said 421/],
  [{}, /look into its log/],
])('%j is explained', (error, detail) => {
  expect(mailFailure(error)).toMatch(detail);
  expect(mailFailure(error)).not.toContain('secret');
});
