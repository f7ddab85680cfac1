import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkedUrl, egressPolicy } from './policy.ts';
import { isPublicAddress } from './public-address.ts';

const nothing = { allow: [] };
const check = (url: string, allow: string[] = []) => checkedUrl(url, { allow });

describe('an address is of the public internet', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::200e',
    '2001:4860:4860::8888',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

/** Every way to a place inside that an address can be. */
const INSIDE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:0a00:0001',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::10.0.0.1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:10::1',
  '2001:20::1',
  '2001:2::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
];

describe('an address is inside', () => {
  test.each(INSIDE)('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(INSIDE.filter((address) => !address.includes('%')))('and so is https://%s', (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    for (const url of [`https://${host}/`, `https://${host}:443/`, `HTTPS://${host}`])
      expect(() => check(url)).toThrow('not an address of the public internet');
  });

  test('in whatever notation it is written', () => {
    const inside = fc.constantFrom(0x7f000001, 0x0a000001, 0xa9fea9fe, 0xc0a80001, 0xac100001, 0x64400001);
    const notation = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0X${n.toString(16).toUpperCase()}`,
      (n: number) => `0${n.toString(8)}`,
      (n: number) =>
        bytes(n)
          .map((byte) => `0x${byte.toString(16)}`)
          .join('.'),
      (n: number) =>
        bytes(n)
          .map((byte) => `0${byte.toString(8).padStart(6, '0')}`)
          .join('.'),
      (n: number) => `${n >>> 24}.${n & 0xffffff}`,
      (n: number) => `${n >>> 24}.${(n >>> 16) & 255}.${n & 0xffff}`,
      (n: number) => `${bytes(n).join('.')}.`,
      (n: number) => bytes(n).join('。'),
      (n: number) => fullwidth(bytes(n).join('.')),
      (n: number) => encodeURIComponent(bytes(n).join('.')).replaceAll('1', '%31'),
      (n: number) => `[::ffff:${bytes(n).join('.')}]`,
      (n: number) => `[::ffff:${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}]`,
      (n: number) => `[0:0::FFFF:${bytes(n).join('.')}]`,
    );
    fc.assert(
      fc.property(inside, notation, (address, write) => {
        expect(() => check(`https://${write(address)}/`)).toThrow('not an address of the public internet');
      }),
    );
  });
});

const bytes = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const fullwidth = (text: string) =>
  text.replaceAll(/[0-9.]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

describe('an address that may not be called', () => {
  test.each([
    ['http://example.com/', 'Only https'],
    ['ftp://example.com/', 'Only https'],
    ['file:///etc/passwd', 'Only https'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'Only https'],
    ['data:text/plain,x', 'Only https'],
    ['javascript:alert(1)', 'Only https'],
    ['blob:https://example.com/1', 'Only https'],
    ['unix:/var/run/docker.sock', 'Only https'],
    ['ws://example.com/', 'Only https'],
    ['https://user@example.com/', 'user name or password'],
    ['https://:secret@example.com/', 'user name or password'],
    ['https://example.com@127.0.0.1/', 'user name or password'],
    ['https://example.com:8443/', 'Only the port 443'],
    ['https://example.com:80/', 'Only the port 443'],
    ['https://example.com:0/', 'Only the port 443'],
    ['https://example.com:27017/', 'Only the port 443'],
    ['', 'no address'],
    ['example.com', 'no address'],
    ['//example.com/', 'no address'],
    ['https://', 'no address'],
    ['https://[::1/', 'no address'],
    ['https://999.1.1.1/', 'no address'],
    ['https://example.com../', 'no address'],
    ['https://./', 'no address'],
    ['https://exa mple.com/', 'no address'],
    ['https://example.com\u0000.evil.example/', 'no address'],
    ['https://[fe80::1%25eth0]/', 'no address'],
  ])('%j', (url, reason) => {
    expect(() => check(url)).toThrow(expect.objectContaining({ code: 'url-not-allowed', status: 422 }));
    expect(() => check(url)).toThrow(reason);
  });

  test.each([
    ['https:\\\\127.0.0.1\\', 'https:/127.0.0.1', 'https:127.0.0.1', ' https://127.0.0.1 ', 'https://127.1'],
    ['https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://0/', 'https://0x0/'],
    ['https://①②⑦.⓪.⓪.①/', 'https://127。0。0。1/', 'https://%31%32%37.0.0.1/', 'https://127.0.0.1./'],
  ])('%j and its like', (...urls) => {
    for (const url of urls) expect(() => check(url)).toThrow('not an address of the public internet');
  });
});

describe('an address that may be called', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['https://EXAMPLE.com./feed?x=1#y', 'https://example.com/feed?x=1#y'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://0x08080808/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700:0:0::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('%s is %s', (given, url) => {
    const checked = checkedUrl(given, nothing);
    expect(checked.url.href).toBe(url);
    expect(checked.named).toBe(false);
  });
});

describe('the policy', () => {
  test.each([
    ['http://ollama:11434/v1', 'ollama:11434'],
    ['https://ollama:11434/v1', 'OLLAMA:11434'],
    ['http://ollama./v1', 'ollama'],
    ['https://ollama/v1', 'ollama'],
    ['https://ollama/v1', 'ollama:443'],
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['http://2130706433:8080/', '127.0.0.1:8080'],
    ['http://[::1]:8080/', '[0:0::1]:8080'],
  ])('lets %s through for %s', (url, entry) => {
    expect(check(url, [entry]).named).toBe(true);
  });

  test.each([
    ['http://ollama:11434/', 'ollama'],
    ['http://ollama:11435/', 'ollama:11434'],
    ['http://ollama/', 'ollama:443'],
    ['http://ollama.evil.example:11434/', 'ollama:11434'],
    ['http://evil-ollama:11434/', 'ollama:11434'],
    ['http://127.0.0.2:8080/', '127.0.0.1:8080'],
    ['http://x@ollama:11434/', 'ollama:11434'],
    ['ftp://ollama/', 'ollama'],
    ['http://ollama:11434/', ''],
    ['http://ollama:11434/', '*'],
  ])('keeps %s out for %j', (url, entry) => {
    expect(() => check(url, [entry])).toThrow(expect.objectContaining({ code: 'url-not-allowed' }));
  });

  test('is read from a variable, and a wrong one stops the start', () => {
    expect(egressPolicy.parse(undefined)).toEqual({ allow: [] });
    expect(egressPolicy.parse(' ollama:11434, siem.internal,[::1]:8080,')).toEqual({
      allow: ['ollama:11434', 'siem.internal', '[::1]:8080'],
    });
    for (const wrong of ['http://ollama', 'a b', 'ollama:port', 'x@y', 'host/path', '.', 'a..', '[::1'])
      expect(egressPolicy.safeParse(wrong).success).toBe(false);
  });
});
