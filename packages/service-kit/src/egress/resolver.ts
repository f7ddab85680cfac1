import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { addressFrom } from './address.ts';
import { bareHost, refusedInside } from './policy.ts';
import { isPublicAddress } from './public-address.ts';

export interface Resolved {
  address: string;
  family: number;
}

/** Asks for all addresses of a name. Raises when there are none. */
export type Resolve = (hostname: string) => Promise<Resolved[]>;

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Addresses that were looked at before anyone connects to them, and the lookup for sockets, which answers with these
 * and asks no one: what DNS says a moment later does not count.
 */
export function vettedAddresses(resolve: Resolve) {
  const vetted = new Map<string, Resolved[]>();

  const answer: LookupFunction = (hostname, { all }, callback) => {
    const [first, ...others] = vetted.get(hostname) ?? [];
    if (!first) return callback(new Error(`${hostname} was not looked at`), '', 0);
    if (all) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  };

  return {
    lookup: answer,
    /** Looks at every address of a host. Raises `url-not-allowed` when one of them is not public, unless `named`. */
    async vet(url: URL, named: boolean): Promise<void> {
      const host = bareHost(url);
      // Sockets never ask `lookup` about an address: the policy has looked at it.
      if (addressFrom(host)) return;
      const found = await resolve(host);
      if (found.length === 0) throw new Error(`${host} has no address`);
      if (!named && !found.every(({ address }) => isPublicAddress(address))) throw refusedInside(url);
      vetted.set(host, found);
    },
  };
}
