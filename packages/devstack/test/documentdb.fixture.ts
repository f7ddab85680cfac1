/** Who may use the engines of the tests; the password has what must be encoded in a URI. */
export const credentials = { user: 'muster', password: 'for a test: %/@' };

/** The URI with this user and password. */
export function withUser(uri: string, { user, password } = credentials): string {
  const whole = new URL(uri);
  whole.username = encodeURIComponent(user);
  whole.password = encodeURIComponent(password);
  return whole.href;
}
