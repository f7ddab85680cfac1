import type { Engine, Triage, TriageContent } from '@muster/contracts';
import { collection, Mixed, type RowOf, repository, required } from '@muster/service-kit';

/** A triage of a group of like events. The highest version is the current one; earlier ones are kept. */
export const triageCollection = collection({
  name: 'triages',
  fields: {
    group_id: required(String),
    version: required(Number),
    /** The event that was looked at for all of its group. */
    event_id: required(String),
    size: required(Number),
    engine: required<Engine>(Mixed),
    content: required<TriageContent>(Mixed),
    job_id: required(String),
    at: required(Date),
    /** When the group's events are forgotten. */
    expires_at: required(Date),
  },
  indexes: [
    [{ org_id: 1, group_id: 1, version: -1 }, { unique: true }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
export type TriageDoc = RowOf<typeof triageCollection>;

export const triages = repository(triageCollection);

/** @param event_id the event that is asked about, of those that were judged together */
export function toTriage(doc: TriageDoc, event_id: string): Triage {
  const { group_id, size, engine, content, at } = doc;
  return { event_id, group: { id: group_id, size }, engine, ...content, at: at.toISOString() };
}
