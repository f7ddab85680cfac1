import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defang, isDefanged, refang } from './defang.rules.ts';
import { indicatorsIn } from './indicators.rules.ts';
import { sentencesOf } from './passages.rules.ts';

function found(text: string, hosts: string[] = []) {
  const { finds, references } = indicatorsIn(
    text,
    sentencesOf(text, [{ start: 0, end: text.length }]),
    hosts,
  );
  return { values: finds.map(({ type, value }) => `${type} ${value}`), references, finds };
}

describe('is an indicator', () => {
  test.each([
    ['It calls hxxp://evil-site[.]com/a.php?x=1.', 'url http://evil-site.com/a.php?x=1'],
    ['It calls hxxps[:]//evil-site[.]com/a', 'url https://evil-site.com/a'],
    ['It calls hXXp://evil-site(.)com/a', 'url http://evil-site.com/a'],
    ['It calls h**p://evil-site[.]com/a', 'url http://evil-site.com/a'],
    ['It calls hxxp[://]evil-site[.]com/a', 'url http://evil-site.com/a'],
    ['It calls http://185[.]141[.]62[.]123/x', 'url http://185.141.62.123/x'],
    ['See (hxxps://evil-site[.]com/a_(b)), which is bad.', 'url https://evil-site.com/a_(b)'],
    ['The host evil-site[dot]com is bad', 'domain evil-site.com'],
    ['The host evil-site [.] com is bad', 'domain evil-site.com'],
    ['The host evil-site{.}com is bad', 'domain evil-site.com'],
    ['The host evil\\.site\\.com is bad', 'domain evil.site.com'],
    ['The malware contacts update-check-service.net every hour.', 'domain update-check-service.net'],
    ['The host böse-seite[.]de is bad', 'domain böse-seite.de'],
    ['Traffic went to 185.220.101.45:443.', 'ipv4 185.220.101.45'],
    ['Traffic went to 185.220.101[.]45.', 'ipv4 185.220.101.45'],
    ['Traffic went to 2a03:4000:6:90a5::1.', 'ipv6 2a03:4000:6:90a5::1'],
    ['The MD5 is D9B1F6A5C3E84F7092AB1C3D5E7F9012', 'md5 d9b1f6a5c3e84f7092ab1c3d5e7f9012'],
    ['Write to evil[at]onionmail[.]org', 'email evil@onionmail.org'],
    ['The ransom note says to write to evil.box@proton.me', 'email evil.box@proton.me'],
  ])('%j', (text, wanted) => {
    expect(found(text).values).toEqual([wanted]);
  });
});

describe('is none', () => {
  test.each([
    'Version 1.2.3.4 of the product was released.',
    'Upgrade to FortiOS 7.4.2.1 or later.',
    'Chrome 120.0.6099.129 and Windows 10.0.19041.1 are affected.',
    'libfoo 2.0.0.1 is affected.',
    'The file setup.exe and example.py, run.sh, README.md, kernel32.dll and archive.zip were dropped.',
    'It is written for .NET and ASP.NET, uses System.Net.Http, socket.io and node.js.',
    'It downloads jquery.min.js and calls console.log(x) and os.system(y).',
    'The server at 10.0.0.1, 172.16.3.4, 192.168.1.1, 127.0.0.1 and 169.254.169.254 was contacted.',
    'The server at 192.0.2.10, 198.51.100.7 and 203.0.113.9 was contacted, and 2001:db8::1 too.',
    'The malware contacts example.com, c2.example, host.test and printer.local.',
    'It pings 8.8.8.8 and 1.1.1.1 to see whether there is a network.',
    'The MAC address is 00:1a:2b:3c:4d:5e, the time 12:30:45, the call std::vector::at.',
    'An empty file has d41d8cd98f00b204e9800998ecf8427e, zeros are 00000000000000000000000000000000.',
    'The number is 12345678901234567890123456789012.',
    'Fixed in commit 5a1f0c9be2d34f7681a9b0c2d4e6f8091a2b3c4d.',
    'Questions go to press@vendor-labs.com or security@vendor-labs.com.',
    'OID 1.3.6.1.4.1.311.2.1.12 and 1.2.3.4.5 are no addresses.',
  ])('%j', (text) => {
    expect(found(text).values).toEqual([]);
  });

  test('what its publisher owns, even when the text speaks of malware around it', () => {
    const text =
      'The malware report with all C2 domains is at https://research.vendor-labs.com/report and blog.vendor-labs.com.';
    const { values, references } = found(text, ['www.vendor-labs.com']);
    expect(values).toEqual([]);
    expect(references).toEqual(['https://research.vendor-labs.com/report', 'blog.vendor-labs.com']);
  });

  test('what everyone knows, unless it was written so that nobody follows it', () => {
    expect(found('The payload was downloaded from https://github.com/a/b.').values).toEqual([]);
    expect(found('The payload was downloaded from hxxps://github[.]com/a/b.').values).toEqual([
      'url https://github.com/a/b',
    ]);
  });
});

test('finds stand where they say, in the words of the text', () => {
  const text = 'C2: hxxp://evil-site[.]com/a and 185.220.101[.]45';
  expect(found(text).finds.map(({ start, end }) => text.slice(start, end))).toEqual([
    'hxxp://evil-site[.]com/a',
    '185.220.101[.]45',
  ]);
});

test('a defanged form leads back to what it stands for', () => {
  for (const [type, value] of [
    ['url', 'https://evil-site.com/a.b?c=d'],
    ['url', 'http://evil-site.com:8080/'],
    ['domain', 'a.evil-site.com'],
    ['ipv4', '185.220.101.45'],
    ['ipv6', '2a03:4000:6:90a5::1'],
    ['email', 'evil.box@onionmail.org'],
    ['md5', 'd9b1f6a5c3e84f7092ab1c3d5e7f9012'],
  ] as const) {
    const written = defang(type, value);
    expect(refang(written)).toBe(value);
    if (type !== 'md5') expect(isDefanged(written)).toBe(true);
  }
});

test('any text is read in time in proportion to its length, and never raises', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('a', '.', '[.]', 'hxxp://', '@', ' ', '\n', '1', ':', '(', ']', 'com', '/', 'é'),
        { maxLength: 300 },
      ),
      (parts) => {
        const text = parts.join('');
        for (const { start, end } of found(text).finds) expect(end <= text.length && start < end).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
  const began = performance.now();
  for (const part of ['a.', '[.]', 'hxxp://', 'x@', '::', '1.', 'a-', '(']) found(part.repeat(50_000));
  expect(performance.now() - began).toBeLessThan(8000);
});
