import ipaddr from 'ipaddr.js';
import { type Address, addressFrom } from './address.ts';

/** IPv4 that is not of the public internet: the registry of RFC 6890, with multicast and all above it. */
const INSIDE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** All of IPv6 that is handed out for the public internet. What maps IPv4 or stays inside lies outside of it. */
const PUBLIC_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Parts of it that are not: protocols (Teredo among them), 6to4, which leads to any IPv4, and documentation. */
const INSIDE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** True for an address of the public internet. Text that is no address is none. */
export function isPublicAddress(text: string): boolean {
  const address = addressFrom(text);
  return address !== null && isPublic(address);
}

function isPublic(address: Address): boolean {
  if (isV4(address)) return !INSIDE_V4.some((range) => address.match(range));
  return address.match(PUBLIC_V6) && !INSIDE_V6.some((range) => address.match(range));
}

const isV4 = (address: Address): address is ipaddr.IPv4 => address.kind() === 'ipv4';
