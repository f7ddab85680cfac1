import { describe, expect, test } from '@jest/globals';
import { version } from 'uuid';
import { SERVICES } from './endpoint.ts';
import { job, jobOwner, newJobId } from './job.ts';
import { EXAMPLE_ID, id } from './primitives.ts';

describe('job ids', () => {
  test.each(SERVICES)('of %s are UUIDv7 and lead back to it', (service) => {
    const made = newJobId(service);
    expect(version(made)).toBe(7);
    expect(id.parse(made)).toBe(made);
    expect(jobOwner(made)).toBe(service);
    expect(jobOwner(made.toUpperCase())).toBe(service);
  });

  test('are never made twice, and sort by the time they were made', async () => {
    const made = Array.from({ length: 5000 }, () => newJobId('exercises'));
    expect(new Set(made).size).toBe(made.length);
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(newJobId('twin') > (made.at(-1) ?? '')).toBe(true);
  });

  const ofNobody = SERVICES.length.toString(16).padStart(2, '0');
  test.each([
    ['that no service made yet', EXAMPLE_ID.slice(0, -2) + ofNobody],
    ['with the last digits ff', `${EXAMPLE_ID.slice(0, -2)}ff`],
    ['with one more digit', `${newJobId('twin')}1`],
    ['whose last digit is none', `${EXAMPLE_ID.slice(0, -2)}1g`],
    ['that is a UUIDv4', '3fa85f64-5717-4562-b3fc-2c963f66af01'],
    ['that is only the end of one', '01'],
    ['that is empty', ''],
    ['that is a path', '../01'],
  ])('an id %s has no owner', (_what, given) => {
    expect(jobOwner(given)).toBeNull();
  });
});

test('the example of a job is one', () => {
  const example = job.meta()?.example;
  expect(job.parse(example)).toEqual(example);
});
