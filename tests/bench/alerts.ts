import type { EventBatchResult } from '@muster/contracts';
import type { Product } from '@muster/testing';

/** An alert as an endpoint product sends it, of some 600 bytes. @param at which one: hosts, users and severities differ */
export function alert(external_id: string, at = 0) {
  return {
    title: `Encoded command line on WS-${at % 300}`,
    description:
      'A process was started with an encoded command line, which is unusual on this host and for this user.',
    severity: (['low', 'medium', 'high'] as const)[at % 3],
    source: 'endpoint-protection',
    external_id,
    category: 'execution',
    techniques: ['T1059.001'],
    assets: [{ name: `WS-${at % 300}`, kind: 'host' }],
    users: [`user-${at % 200}`],
    indicators: [`203.0.113.${at % 250}`],
    raw: {
      rule: 'encoded-command',
      pid: at,
      parent: 'winword.exe',
      command: `powershell -enc ${'QQ'.repeat(60)}`,
    },
  };
}

/** So many alerts, one a line. @param more what each has besides */
export const alertLines = (count: number, name: string, more: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ ...alert(`${name}-${at}`, at), ...more(at) }),
  ).join('\n');

/** Sends lines of alerts to the service itself. Raises where not all of them were stored. */
export async function postAlerts({ addressOf, fetch }: Product, body: string): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${addressOf('security-ops')}/api/events/`, { method: 'POST', headers, body });
  const { accepted } = (await answer.json()) as EventBatchResult;
  const sent = body.split('\n').length;
  if (accepted !== sent) throw new Error(`Of a batch of ${sent}, ${accepted} were stored (${answer.status})`);
}
