import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { childTraceparent, currentTrace, requestIdOf, withTrace } from './trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const WELL_FORMED = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

describe('childTraceparent', () => {
  const hex = (length: number) =>
    fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((digits) => !/^0+$/.test(digits));

  test('keeps the trace and is a span of its own', () => {
    fc.assert(
      fc.property(hex(32), hex(16), hex(2), (trace, span, flags) => {
        const child = childTraceparent(`00-${trace}-${span}-${flags}`);
        expect(child).toMatch(WELL_FORMED);
        expect(child.slice(3, 35)).toBe(trace);
        expect(child.slice(36, 52)).not.toBe(span);
      }),
    );
  });

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['of another version', `01-${TRACE}-${SPAN}-01`],
    ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['short', `00-${TRACE}-${SPAN}`],
    ['long', `00-${TRACE}-${SPAN}-01-x`],
    ['given twice', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['with a line after it', `00-${TRACE}-${SPAN}-01\n`],
  ])('begins a trace where the parent is %s', (_what, parent) => {
    const child = childTraceparent(parent);
    expect(child).toMatch(WELL_FORMED);
    expect(child).not.toContain(TRACE);
    expect(childTraceparent(parent)).not.toBe(child);
  });

  test('begins a trace for any text that is none', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(childTraceparent(text)).toMatch(WELL_FORMED)));
  });
});

describe('requestIdOf', () => {
  test.each([['req-7f3a'], ['a'], ['A.b_c-9'], ['x'.repeat(128)]])('keeps %j', (given) => {
    expect(requestIdOf(given)).toBe(given);
  });

  test.each([
    [undefined],
    [''],
    ['x'.repeat(129)],
    ['a b'],
    ['a\nb'],
    ['a\n'],
    ['<script>'],
    ['é'],
    ['a,b'],
    ['"'],
  ])('makes one in place of %j', (given) => {
    const made = requestIdOf(given);
    expect(made).toMatch(/^req-[\w-]{12}$/);
    expect(requestIdOf(given)).not.toBe(made);
  });
});

describe('withTrace', () => {
  const trace = (requestId: string) => ({ requestId, traceparent: childTraceparent(undefined) });

  test('is there for all of its own work and for nobody else', async () => {
    const seen = await Promise.all(
      ['one', 'two'].map((name) =>
        withTrace(trace(name), async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          return [currentTrace()?.requestId, withTrace(trace('inner'), () => currentTrace()?.requestId)];
        }),
      ),
    );
    expect(seen).toEqual([
      ['one', 'inner'],
      ['two', 'inner'],
    ]);
    expect(currentTrace()).toBeUndefined();
  });
});
