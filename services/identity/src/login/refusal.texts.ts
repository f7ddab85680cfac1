const START_AGAIN = 'Start again from the sign-in page.';

/** Why a login ends without one: the status of its page and what that tells. Nothing has changed then. */
export const REFUSALS = {
  'not-set-up': [
    400,
    'This sign-in is not set up',
    'Choose another way to sign in, or ask whoever runs Muster here.',
  ],
  'state-unknown': [
    400,
    'This sign-in cannot go on',
    `It was begun in another browser, was used already, or took longer than ten minutes. ${START_AGAIN}`,
  ],
  'other-provider': [400, 'This sign-in cannot go on', `It was begun with another provider. ${START_AGAIN}`],
  'provider-unreachable': [
    400,
    'The sign-in provider cannot be reached',
    'Nothing is wrong with your account. Try again in a moment, or choose another way to sign in.',
  ],
  'provider-error': [
    400,
    'The sign-in provider reports an error',
    'Try again in a moment. If it stays, ask your administrator.',
  ],
  'given-up': [
    401,
    'You are not signed in',
    'The sign-in was cancelled, or the provider did not let you in.',
  ],
  'provider-answer': [
    401,
    'You are not signed in',
    `The provider’s answer does not fit this sign-in, so it was not accepted. ${START_AGAIN}`,
  ],
  'no-email': [
    403,
    'Your account has no e-mail address',
    'Muster knows people by the address that their provider has verified. Use an account that has one.',
  ],
  'email-not-verified': [
    403,
    'Your e-mail address is not verified',
    'Your provider does not confirm that the address is yours. Verify it there, then sign in again.',
  ],
  'tenant-not-allowed': [
    403,
    'Your tenant may not sign in here',
    'Use an account of an organization that is allowed here, or ask whoever runs Muster.',
  ],
  suspended: [403, 'Your access is suspended', 'Ask an administrator of your organization to restore it.'],
  'not-a-member': [
    403,
    'You are not a member any more',
    'Your organization has removed you. An administrator can invite you again.',
  ],
  'no-organization': [
    403,
    'You do not belong to an organization here yet',
    'Ask an administrator of your organization for an invitation, and open its link.',
  ],
  'other-identity': [
    403,
    'This e-mail address belongs to another sign-in',
    'Sign in the way you did before. Accounts are not merged by their address alone.',
  ],
  'other-organization': [
    403,
    'You belong to another organization already',
    'A person belongs to one organization. Ask to be removed there first, or use another account.',
  ],
  invite: [
    403,
    'This invitation cannot be used',
    'It has expired, was used already, or was sent to another address than that of your account. Ask for a new one.',
  ],
  setup: [
    403,
    'This setup link cannot be used',
    'It has expired, was used already, or was replaced by a newer one: see the log of the identity service.',
  ],
} as const satisfies Record<string, readonly [400 | 401 | 403, string, string]>;
export type RefusalReason = keyof typeof REFUSALS;
