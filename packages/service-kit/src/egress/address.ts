import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads an IPv4 or IPv6 address; an IPv4 address inside IPv6 (`::ffff:…`) is the IPv4 address. Null for what is none. */
export function addressFrom(text: string): Address | null {
  const [bare = ''] = text.split('%', 1);
  const version = isIP(bare);
  if (version === 0) return null;
  // Through a URL, which writes every spelling in one way: ipaddr.js takes `::1.2.3.4` for `::ffff:1.2.3.4`.
  return ipaddr.process(version === 6 ? new URL(`http://[${bare}]/`).hostname.slice(1, -1) : bare);
}
