import { expect, test } from '@jest/globals';
import { AppError } from '@muster/service-kit';
import fc from 'fast-check';
import { forwardedApis, locate, targetOf } from './routes.ts';

const declared = forwardedApis.flatMap((api) => Object.values(api.endpoints).map(({ path }) => path));
const segment = fc.oneof(
  fc.constantFrom('api', 'sessions', 'auth', 'me', '%', '%2e%2e', '..', '', 'a.json', '%00', '{id}'),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\s/?]/g, '')),
);
const path = fc.oneof(
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`),
  fc.tuple(fc.constantFrom(...declared), segment).map(([known, odd]) => known.replace(/\{\w+\}/, odd)),
);

test('any address is forwarded to a declared path of as many segments, redirected to one, or a clear problem', () => {
  fc.assert(
    fc.property(path, fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS'), (raw, method) => {
      let located: ReturnType<typeof locate>;
      try {
        located = locate(method, targetOf(raw));
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect(['not-found', 'method-not-allowed', 'malformed-url']).toContain((error as AppError).code);
        return;
      }
      if (located.kind === 'forward') {
        expect(raw.split('/')).toHaveLength(located.to.endpoint.path.split('/').length);
        expect(raw).not.toContain('//');
      }
      if (located.kind === 'redirect') expect(located.location).toMatch(/^\/(?!\/)/);
    }),
  );
});
