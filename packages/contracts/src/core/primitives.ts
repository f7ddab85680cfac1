import { z } from 'zod';

/** What the documents' examples show for an id and for a time. */
export const EXAMPLE_ID = '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f';
export const EXAMPLE_TIME = '2026-03-01T09:30:00.000Z';

/** A UUIDv7 string. */
export const id = z.uuidv7().meta({ example: EXAMPLE_ID });

/** RFC 3339; any offset is taken, UTC with milliseconds is given. */
export const timestamp = z.iso
  .datetime({ offset: true, error: `expected an RFC 3339 time, such as ${EXAMPLE_TIME}` })
  // It is called for what was refused, too.
  .overwrite((value) => (Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString()))
  .meta({ example: EXAMPLE_TIME });

/** Text a person wrote: trimmed, 1..`max` characters. */
export const text = (max: number) => z.string().trim().min(1).max(max);

/** A number in a query string. */
export const queryInteger = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Scenarios share the root with the product's own documents. */
const RESERVED = new Set(['openapi.json', 'asyncapi.json']);

export const scenarioFilename = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,79}\.json$/, 'expected a name such as ransomware-hospital.json')
  .refine((name) => !RESERVED.has(name), 'this name belongs to the documents: choose another')
  .meta({ example: 'ransomware-hospital.json' });

/** ATT&CK technique or sub-technique id, https://attack.mitre.org/techniques/. */
export const technique = z
  .string()
  .regex(/^T\d{4}(\.\d{3})?$/, 'expected an ATT&CK technique id such as T1486 or T1566.001')
  .meta({ example: 'T1566.001' });
