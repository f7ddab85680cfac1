import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyRing, open, rewrap, type SealedSecret, seal } from './envelope.ts';

const key = (id: string, bytes = 32) => `${id}:${randomBytes(bytes).toString('base64')}`;
const old = key('2025');
const fresh = key('2026');
const ring = keyRing(old);
const BINDING = 'org/connector/token';

/** The same with its bytes changed. */
function edited(encoded: string, edit: (bytes: Buffer) => Buffer): string {
  return edit(Buffer.from(encoded, 'base64')).toString('base64');
}
const PARTS = ['wrapped_key', 'ciphertext'] as const;

describe('a sealed secret', () => {
  test('opens to what it was, and is never sealed to the same twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, binding) => {
        const sealed = seal(ring, binding, secret);
        expect(open(ring, binding, sealed)).toBe(secret);
        expect(seal(ring, binding, secret)).not.toEqual(sealed);
      }),
    );
  });

  test('shows nothing of the secret', () => {
    const sealed = seal(ring, BINDING, 'a-secret-that-must-not-show');
    const bytes = PARTS.map((part) => Buffer.from(sealed[part], 'base64').toString('latin1')).join();
    expect(bytes).not.toContain('a-secret');
    expect(sealed.key_id).toBe('2025');
  });

  test('does not open elsewhere', () => {
    const sealed = seal(ring, BINDING, 's');
    fc.assert(
      fc.property(fc.string(), (elsewhere) => {
        fc.pre(elsewhere !== BINDING);
        expect(() => open(ring, elsewhere, sealed)).toThrow();
      }),
    );
  });

  test.each(PARTS)('does not open with any byte of its %s edited', (part) => {
    const sealed = seal(ring, BINDING, 'some secret');
    const bytes = Buffer.from(sealed[part], 'base64').length;
    fc.assert(
      fc.property(fc.nat({ max: bytes - 1 }), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = edited(sealed[part], (all) => {
          all.writeUInt8(all.readUInt8(at) ^ mask, at);
          return all;
        });
        expect(() => open(ring, BINDING, { ...sealed, [part]: changed })).toThrow();
      }),
    );
  });

  test.each(PARTS)('does not open with its %s cut to any length', (part) => {
    const sealed = seal(ring, BINDING, part === 'ciphertext' ? '' : 'some secret');
    const bytes = Buffer.from(sealed[part], 'base64').length;
    const opened = Array.from({ length: bytes }, (_, length) => length).filter((length) =>
      opens({ ...sealed, [part]: edited(sealed[part], (all) => all.subarray(0, length)) }),
    );
    expect(opened).toEqual([]);
  });

  test('does not open with a part of another one', () => {
    const one = seal(ring, BINDING, 'one');
    const other = seal(ring, BINDING, 'other');
    expect(opens({ ...one, ciphertext: other.ciphertext })).toBe(false);
    expect(opens({ ...one, wrapped_key: other.wrapped_key })).toBe(false);
    expect(opens({ ...one, wrapped_key: one.ciphertext, ciphertext: one.wrapped_key })).toBe(false);
  });

  function opens(sealed: SealedSecret): boolean {
    try {
      open(ring, BINDING, sealed);
      return true;
    } catch {
      return false;
    }
  }
});

describe('the key ring', () => {
  test('once rotated seals with the new key and still opens what the old one sealed', () => {
    const before = seal(ring, BINDING, 'kept');
    const rotated = keyRing(`${fresh}, ${old}`);
    expect(open(rotated, BINDING, before)).toBe('kept');
    const after = seal(rotated, BINDING, 'kept');
    expect(after.key_id).toBe('2026');
    expect(open(keyRing(fresh), BINDING, after)).toBe('kept');
  });

  test('without the key says which one is missing, and shows none', () => {
    const sealed = seal(ring, BINDING, 's');
    expect(() => open(keyRing(fresh), BINDING, sealed)).toThrow(
      'The key-encryption key 2025 is not in KEY_ENCRYPTION_KEY',
    );
  });

  test('does not open with another key under the same name', () => {
    const sealed = seal(ring, BINDING, 's');
    expect(() => open(keyRing(key('2025')), BINDING, sealed)).toThrow();
  });

  test.each([
    ['nothing', ''],
    ['no name', randomBytes(32).toString('base64')],
    ['an empty name', `:${randomBytes(32).toString('base64')}`],
    ['no key', '2025:'],
    ['a key of 31 bytes', key('2025', 31)],
    ['a key of 33 bytes', key('2025', 33)],
    ['one bad key among good ones', `${key('a')},${key('b', 16)}`],
    ['a trailing comma', `${key('a')},`],
    ['two keys of the same name', `${key('a')},${key('a')}`],
  ])('refuses %s in one line that shows no key', (_what, variable) => {
    const secret = variable.split(':')[1]?.slice(0, 10) || 'unused';
    let said = '';
    try {
      keyRing(variable);
    } catch (error) {
      said = error instanceof Error ? error.message : '';
    }
    expect(said).toMatch(/^KEY_ENCRYPTION_KEY [^\n]+$/);
    expect(said).not.toContain(secret);
  });

  test('that is empty seals nothing', () => {
    expect(() => seal(new Map(), BINDING, 's')).toThrow('There is no key-encryption key');
  });
});

describe('a secret that is wrapped again', () => {
  const rotated = keyRing(`${fresh}, ${old}`);

  test('opens with the newest key alone, and is the same below its wrapping', () => {
    const before = seal(ring, BINDING, 'kept');
    const after = rewrap(rotated, BINDING, before);
    expect(after).toEqual({ ...before, key_id: '2026', wrapped_key: expect.any(String) });
    expect(after.wrapped_key).not.toBe(before.wrapped_key);
    expect(open(keyRing(fresh), BINDING, after)).toBe('kept');
  });

  test('is left alone once it is under the newest key', () => {
    const sealed = seal(rotated, BINDING, 'kept');
    expect(rewrap(rotated, BINDING, sealed)).toBe(sealed);
  });

  test('must belong where it is said to, and its key must be there', () => {
    const sealed = seal(ring, BINDING, 'kept');
    expect(() => rewrap(rotated, `${BINDING}x`, sealed)).toThrow();
    expect(() => rewrap(keyRing(fresh), BINDING, sealed)).toThrow('2025 is not in KEY_ENCRYPTION_KEY');
  });
});
