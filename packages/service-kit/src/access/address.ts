import { addressFrom } from '../egress/address.ts';

/** Whether two spellings name one address: an IPv4 address inside IPv6 is the IPv4 address. False for what is none. */
export function sameAddress(one: string | null | undefined, other: string | null | undefined): boolean {
  const [first, second] = [addressFrom(one ?? ''), addressFrom(other ?? '')];
  return first !== null && first.toString() === second?.toString();
}
