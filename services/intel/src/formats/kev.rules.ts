import { isRecord, records, stringOf } from './json.rules.ts';
import { emptyReading, oneLine, type Reading, timeOf, Unreadable } from './reading.rules.ts';
import { textWriter } from './writer.rules.ts';

const MAX_VULNERABILITIES = 5000;
const CVE = /^CVE-\d{4}-\d{4,7}$/;
const LATEST = 5;

/**
 * Reads the catalogue of known exploited vulnerabilities of CISA as one item that grows with it, the latest entries
 * first. @throws Unreadable when no entry in it names a vulnerability
 */
export function readKev(value: unknown, url: string | null): Reading {
  const catalogue = isRecord(value) ? value : {};
  const entries = records(catalogue.vulnerabilities, MAX_VULNERABILITIES)
    .filter(({ cveID }) => CVE.test(stringOf(cveID)))
    .toSorted((one, other) => stringOf(other.dateAdded).localeCompare(stringOf(one.dateAdded)));
  if (entries.length === 0) throw new Unreadable('It is a KEV catalogue without vulnerabilities.');
  const version = oneLine(stringOf(catalogue.catalogVersion), 40);
  const title = oneLine(stringOf(catalogue.title), 200) || 'Known Exploited Vulnerabilities catalogue';
  const ransomware = entries.filter(isRansomware);
  const latest = entries
    .slice(0, LATEST)
    .map(({ cveID, vulnerabilityName }) =>
      `${stringOf(cveID)} ${oneLine(stringOf(vulnerabilityName), 80)}`.trim(),
    );
  const summary = `${entries.length} vulnerabilities known to be exploited, ${ransomware.length} of them in ransomware campaigns. Latest: ${latest.join('; ')}.`;
  const writer = textWriter();
  writer.line(`${title} ${version}`);
  writer.line(summary);
  for (const entry of entries) {
    const cve = stringOf(entry.cveID);
    writer.line(lineOf(cve, entry), [{ kind: 'cve', value: cve, words: cve }]);
  }
  const { omitted, ...written } = writer.end();
  return emptyReading({
    format: 'kev',
    key: 'kev:catalogue',
    revision: version || null,
    url,
    title: `${title} ${version}`.trim(),
    publisher: 'CISA',
    published_at: timeOf(catalogue.dateReleased),
    summary: oneLine(summary, 800),
    ...written,
    severity: {
      value: 'critical',
      reason: `All of it is exploited in the wild, ${ransomware.length} vulnerabilities in ransomware campaigns.`,
    },
    tlp: 'clear',
    notes:
      omitted > 0
        ? [`${omitted} older entries found no room in the text; their numbers are not listed.`]
        : [],
  });
}

const isRansomware = ({ knownRansomwareCampaignUse }: Record<string, unknown>) =>
  stringOf(knownRansomwareCampaignUse).toLowerCase() === 'known';

function lineOf(cve: string, entry: Record<string, unknown>): string {
  const product = `${stringOf(entry.vendorProject)} ${stringOf(entry.product)}`.trim();
  const name = oneLine(stringOf(entry.vulnerabilityName), 120);
  const use = isRansomware(entry) ? '; used in ransomware campaigns' : '';
  return `${stringOf(entry.dateAdded)} ${cve} ${product}: ${name}; due ${stringOf(entry.dueDate)}${use}`;
}
