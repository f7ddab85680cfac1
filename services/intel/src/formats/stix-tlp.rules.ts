import type { TlpLabel } from '@muster/contracts';

/** A marking definition of the Traffic Light Protocol as STIX 2.1 fixes it, section 7.2.1.4, and for 2.0 the OASIS extension. */
export interface TlpMarking {
  type: 'marking-definition';
  spec_version: '2.1';
  id: string;
  created: string;
  name: string;
  definition_type?: 'tlp';
  definition?: { tlp: string };
  extensions?: Record<string, { extension_type: 'property-extension'; tlp_2_0: string }>;
}

const V2_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d';

const v1 = (name: string, id: string): TlpMarking => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id: `marking-definition--${id}`,
  created: '2017-01-20T00:00:00.000Z',
  definition_type: 'tlp',
  name: `TLP:${name.toUpperCase()}`,
  definition: { tlp: name },
});
const v2 = (name: string, id: string): TlpMarking => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id: `marking-definition--${id}`,
  created: '2022-10-01T00:00:00.000Z',
  name: `TLP:${name.toUpperCase()}`,
  extensions: { [V2_EXTENSION]: { extension_type: 'property-extension', tlp_2_0: name } },
});

const MARKINGS: readonly [TlpLabel, TlpMarking][] = [
  ['clear', v1('white', '613f2e26-407d-48c7-9eca-b8e91df99dc9')],
  ['green', v1('green', '34098fce-860f-48ae-8e50-ebd3cc5e41da')],
  ['amber', v1('amber', 'f88d31f6-486f-44da-b317-01333bde0b82')],
  ['red', v1('red', '5e57c739-391a-4eb3-b6be-7d15ca92d5ed')],
  ['clear', v2('clear', '94868c89-83c2-464b-929b-a1a8aa3c8487')],
  ['green', v2('green', 'bab4a63c-aed9-4cf5-a766-dfca5abac2bb')],
  ['amber', v2('amber', '55d920b0-5e8b-4f79-9ee9-91f868d9b421')],
  ['amber+strict', v2('amber+strict', '939a9414-2ddd-4d32-a0cd-375ea402b003')],
  ['red', v2('red', 'e828b379-4e03-4974-9ac4-e53a884c97c1')],
];

/** The marking definition that a label is written with. */
export function tlpMarking(label: TlpLabel): TlpMarking {
  const found = MARKINGS.find(([name]) => name === label);
  if (!found) throw new Error(`No marking definition is known for ${label}`);
  return found[1];
}

const byId = new Map(MARKINGS.map(([label, { id }]) => [id, label]));

/** The strictest label among marking definitions, by their ids; null where none is of the protocol. */
export function labelOf(ids: readonly string[]): TlpLabel | null {
  const order: TlpLabel[] = ['clear', 'green', 'amber', 'amber+strict', 'red'];
  const labels = ids.flatMap((id) => byId.get(id) ?? []);
  return labels.reduce<TlpLabel | null>(
    (strictest, label) =>
      strictest === null || order.indexOf(label) > order.indexOf(strictest) ? label : strictest,
    null,
  );
}
