import type { IncomingMessage } from 'node:http';
import type { Admit, Origin } from '../access/check.ts';
import { AppError } from '../errors.ts';
import { type Actor, developmentActor } from './actor.ts';
import type { GatewayProofs } from './gateway-proof.ts';
import { unauthorized } from './token.ts';

/** Forwarders that speak Splunk's HTTP Event Collector call the scheme `Splunk`; the token is the same. */
const BEARER = /^(?:Bearer|Splunk) ([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Finds out who is calling. Without a token, development mode acts as the demo organization's owner for what the gateway
 * let through: a service's own port checks less than the gateway does. Raises `unauthorized`, and what {@link Admit} raises.
 */
export function authenticator(options: {
  /** What tells the gateway's requests in development mode; absent in production. */
  proofs: GatewayProofs | undefined;
  verify: (token: string) => Promise<Actor>;
  admit: Admit;
  /** Told of every token that was good. */
  used: (actor: Actor) => void;
}) {
  return async function authenticate(
    request: IncomingMessage,
    origin: Origin,
    known: (actor: Actor) => void,
  ): Promise<Actor> {
    const given = request.headers.authorization;
    if (given === undefined) {
      if (options.proofs?.holds(request)) {
        known(developmentActor);
        return developmentActor;
      }
      throw unauthorized(
        `This needs a token: send \`Authorization: Bearer <token>\`${options.proofs ? ', or ask the gateway, which development mode trusts' : ''}.`,
      );
    }
    const token = BEARER.exec(given)?.[1];
    if (token === undefined) throw unauthorized('The Authorization header must read `Bearer <token>`.');
    const claimed = await options.verify(token);
    known(claimed);
    const actor = await options.admit(claimed, origin);
    options.used(actor);
    return actor;
  };
}

/** A 403 that says what is missing. */
export function forbidden(needed: { role: string; scope?: string }): AppError {
  const scope = needed.scope ? ` and, for API tokens, the scope ${needed.scope}` : '';
  return new AppError('forbidden', `This needs the role ${needed.role}${scope}.`);
}
