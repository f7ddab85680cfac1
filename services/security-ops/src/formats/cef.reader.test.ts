import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromCef, isCef, parseCef } from './cef.reader.ts';

const HEAD = 'CEF:0|Acme|Wall|2.1|100|Port scan|5|';
const extensionOf = (text: string) => ({ ...parseCef(`${HEAD}${text}`)?.extension });

describe('the header', () => {
  test('has seven fields, in which a bar and a backslash are escaped', () => {
    expect(
      parseCef('CEF:0|Security|threat\\|manager|1.0|10\\\\0|detected a \\| in message|10|src=10.0.0.1'),
    ).toMatchObject({
      vendor: 'Security',
      product: 'threat|manager',
      version: '1.0',
      signature: '10\\0',
      name: 'detected a | in message',
      severity: '10',
    });
  });

  test.each([
    '<134>Feb 19 14:30:05 fw-01 ',
    '<34>1 2026-03-01T09:30:00.123Z host app 77 ID47 - ',
    'Sep 19 08:26:10 host ',
  ])('stands behind the syslog prefix %j', (prefix) => {
    const line = `${prefix}${HEAD}src=203.0.113.9`;
    expect(isCef(line)).toBe(true);
    expect(parseCef(line)).toMatchObject({ name: 'Port scan', extension: { src: '203.0.113.9' } });
  });

  test('may be all there is, with or without its last bar', () => {
    expect(parseCef('CEF:0|Acme|Wall|1|100|Port scan|5')).toMatchObject({ severity: '5' });
    expect(parseCef('CEF:1|Acme|Wall|1|100|Port scan|5|')).toMatchObject({ severity: '5' });
  });

  test.each(['CEF:0|Acme|Wall|1|100', 'CEF:0', 'no such thing', ''])('that is only %j is none', (line) => {
    expect(parseCef(line)).toBeNull();
  });
});

describe('the extension', () => {
  test('has values with spaces, and keys of vendors', () => {
    expect(extensionOf('act=blocked a packet dst=1.1.1.1 ad.field[0]=x y cs1Label=Rule cs1=R 1')).toEqual({
      act: 'blocked a packet',
      dst: '1.1.1.1',
      'ad.field[0]': 'x y',
      cs1Label: 'Rule',
      cs1: 'R 1',
    });
  });

  test('has escapes for what would end a value', () => {
    expect(extensionOf('msg=a\\=b \\\\ c\\nd\\re \\| f request=http://x/?a\\=1')).toEqual({
      msg: 'a=b \\ c\nd\re | f',
      request: 'http://x/?a=1',
    });
  });

  test('keeps a name that reaches into prototypes an ordinary one', () => {
    const { extension } = parseCef(`${HEAD}__proto__=x constructor=y src=1.2.3.4`) ?? {};
    expect(Object.getPrototypeOf(extension)).toBeNull();
    expect(extension?.src).toBe('1.2.3.4');
  });

  const key = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,12}$/);
  const value = fc.string({ maxLength: 40 }).map((text) => text.trim().replace(/\s+/g, ' '));
  const header = fc.string({ minLength: 1, maxLength: 30 }).map((text) => `x${text.trim()}`);
  const inHeader = (text: string) => text.replace(/[\\|]/g, '\\$&');
  const inValue = (text: string) => text.replace(/[\\=]/g, '\\$&');

  test('says again what was written into it', () => {
    fc.assert(
      fc.property(header, header, fc.dictionary(key, value, { maxKeys: 6 }), (vendor, name, fields) => {
        const pairs = Object.entries(fields).map(([field, text]) => `${field}=${inValue(text)}`);
        const line = `CEF:0|${inHeader(vendor)}|P|1|S|${inHeader(name)}|3|${pairs.join(' ')}`;
        const read = parseCef(line);
        expect(read).toMatchObject({ vendor, name });
        expect({ ...read?.extension }).toEqual(fields);
      }),
    );
  });

  test('of any text ends in time', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => void parseCef(`${HEAD}${text}`)));
    const began = performance.now();
    parseCef(`${HEAD}${'a'.repeat(60_000)}`);
    parseCef(`${HEAD}${'a '.repeat(30_000)}`);
    parseCef(`${HEAD}${'a='.repeat(30_000)}`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('what it says of an event', () => {
  const read = (line: string) => {
    const cef = parseCef(line);
    if (!cef) throw new Error(`${line} is no CEF`);
    return fromCef(cef);
  };

  test.each([
    ['0', 'informational'],
    ['3', 'low'],
    ['6', 'medium'],
    ['8', 'high'],
    ['10', 'critical'],
    ['Low', 'low'],
    ['Very-High', 'critical'],
    ['Unknown', 'medium'],
    ['', 'medium'],
  ])('severity %j is %s', (given, severity) => {
    expect(read(`CEF:0|A|B|1|2|x|${given}|`).severity).toBe(severity);
  });

  test('who, where, what and when', () => {
    const line =
      'CEF:0|Acme|EDR|7|R-9|Credential dumping|9|externalId=4711 rt=1772357400000 dhost=DC-01 suser=a.meier src=203.0.113.9 dst=10.0.0.7 cs1=T1003.001 fileHash=d41d8cd98f00b204e9800998ecf8427e msg=LSASS was read';
    expect(read(line)).toMatchObject({
      title: 'Credential dumping',
      description: 'LSASS was read',
      source: 'Acme EDR',
      external_id: '4711',
      category: 'R-9',
      occurred_at: '2026-03-01T09:30:00.000Z',
      techniques: ['T1003.001'],
      assets: [{ name: 'DC-01', kind: 'host' }],
      users: ['a.meier'],
    });
    expect(new Set(read(line).indicators)).toEqual(
      new Set(['203.0.113.9', 'd41d8cd98f00b204e9800998ecf8427e']),
    );
  });

  test.each([
    ['Mar 01 2026 09:30:00', '2026-03-01T09:30:00.000Z'],
    ['Mar 1 2026 09:30:00.5 UTC', '2026-03-01T09:30:00.500Z'],
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00Z'],
    ['1772357400', '2026-03-01T09:30:00.000Z'],
  ])('the time %j', (given, time) => {
    expect(read(`${HEAD}rt=${given}`).occurred_at).toBe(time);
  });
});
