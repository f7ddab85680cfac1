import type { Client, IntelItemDetail, intelItemsApi } from '@muster/contracts';

/** A report as somebody pastes it, with finds of every kind. */
export const REPORT = `Akira ransomware hits hospitals
Published: March 4, 2026

The Akira ransomware group exploited CVE-2024-40766 in SonicWall gateways of three hospitals. Before the encryption they deleted shadow copies.
The payload was downloaded from hxxp://185.220.101[.]45/a.exe and beacons to update-check-service[.]net.`;

/** Hands a document over and waits for what was read of it. */
export async function handOver(
  client: Client<typeof intelItemsApi>,
  document: string | Record<string, unknown>,
  more: { tags?: string[]; tlp?: string; media_type?: string } = {},
): Promise<{ status: number; body: IntelItemDetail }> {
  const { status, body } = await client.ingestIntel({ body: { document, ...more } });
  return { status, body: body as IntelItemDetail };
}
