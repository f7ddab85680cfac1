import { z } from 'zod';

const ip = z.union([z.ipv4(), z.ipv6()]);
const isServer = (server: string) => {
  const [, address = server, port = '53'] = /^\[?([^\]]*?)\]?(?::(\d{1,5}))?$/.exec(server) ?? [];
  return ip.safeParse(address).success && Number(port) <= 65_535;
};

/** The DNS servers that are asked for the records of domains; none for those of the machine. */
export const dnsServers = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .refine(
    (servers) => servers.every(isServer),
    'expected addresses such as 192.0.2.53 or [2001:db8::53]:5353',
  );
