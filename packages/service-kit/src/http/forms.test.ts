import { expect, test } from '@jest/globals';
import { formOf } from './forms.ts';

const forms = { json: 'application/json', html: 'text/html', pdf: 'application/pdf' } as const;

test.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['text/html', 'html'],
  ['text/*', 'html'],
  ['application/pdf;q=0.5, text/html;q=0.4', 'pdf'],
  ['text/html, application/xhtml+xml, */*;q=0.8', 'html'],
  ['application/json;q=0, */*;q=0.1', 'html'],
  ['APPLICATION/PDF', 'pdf'],
] as const)('Accept: %s gives %s', (accept, form) => {
  expect(formOf(forms, { accept })).toBe(form);
});

test('what the query names goes before Accept', () => {
  expect(formOf(forms, { format: 'pdf', accept: 'text/html' })).toBe('pdf');
});

test.each(['image/png', 'text/html;q=0', 'text/html;q=many'])(
  '%s is refused with what there is',
  (accept) => {
    expect(() => formOf(forms, { accept })).toThrow(
      'This comes as application/json, text/html, application/pdf.',
    );
  },
);
