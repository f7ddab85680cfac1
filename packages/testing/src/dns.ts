import { createSocket } from 'node:dgram';
import { type DecodedPacket, decode, encode, type TxtAnswer } from 'dns-packet';

/** A DNS server on loopback that tests command: it knows TXT records and nothing else. */
export interface DnsServer {
  /** For a service's DNS_SERVERS. */
  address: string;
  /** The values of a name; a name that is not here does not exist. */
  records: Map<string, string[]>;
  /** `refuses` answers SERVFAIL, as a server that has lost its zone. */
  behaves: 'honestly' | 'refuses';
  /** The names that were asked for. */
  asked: string[];
  stop(): Promise<void>;
}

const SERVFAIL = 2;
const NXDOMAIN = 3;

/** Starts a DNS server on a free port of loopback. */
export async function startDns(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records: new Map(),
    behaves: 'honestly',
    asked: [],
    async stop() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
  socket.on('message', (message, { port, address }) => {
    socket.send(answerTo(decode(message), server), port, address);
  });
  return server;
}

function answerTo({ id, questions = [] }: DecodedPacket, { records, behaves, asked }: DnsServer): Buffer {
  const name = questions[0]?.name ?? '';
  asked.push(name);
  const known = records.get(name);
  if (behaves === 'refuses') return encode({ type: 'response', id, questions, flags: SERVFAIL });
  if (!known) return encode({ type: 'response', id, questions, flags: NXDOMAIN });
  const answers = known.map((data): TxtAnswer => ({ type: 'TXT', name, ttl: 0, data }));
  return encode({ type: 'response', id, questions, answers });
}
