import { addressFrom } from './egress/address.ts';

const BRACKETS = /^\[(.*)\]$/;

/**
 * Whether a host's name or address, alone or as in a URL, can only mean this machine: all of 127.0.0.0/8, `::1`, an
 * IPv4 loopback inside IPv6, `localhost` and what ends in `.localhost`, which is nobody's in the DNS (RFC 6761).
 */
export function isLoopback(host: string): boolean {
  if (/^(?:[\w-]+\.)*localhost$/i.test(host)) return true;
  return addressFrom(host.replace(BRACKETS, '$1'))?.range() === 'loopback';
}
