import type { TechniqueResult } from '@muster/contracts';
import { collection, list, Mixed, optional, type RowOf, repository, required } from '@muster/service-kit';

/** What speaks of techniques one by one, and is told again under a higher version when it changes. */
export const SOURCE_KINDS = ['exercised', 'proved', 'wanted'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** One technique as a source speaks of it. */
export interface Mention {
  technique: string;
  at: Date;
  /** There for an operation. */
  result?: TechniqueResult;
}

/** How often and when last; with the source that spoke last. */
export interface StoredMark {
  count: number;
  at: Date;
  ref: string;
  title: string;
}

/** A session, operation or item of intelligence; `_id` is `<kind>.<its id>`. Its version guards against older and repeated events. */
const sourceCollection = collection({
  name: 'coverage_sources',
  fields: {
    kind: required<SourceKind>(String),
    seq: required(Number),
    ref: required(String),
    title: required(String),
    at: required(Date),
    /** Empty for one that was removed. */
    techniques: list<Mention>(Mixed),
  },
  indexes: [[{ org_id: 1, kind: 1, 'techniques.technique': 1, at: -1 }]],
});
export type SourceDoc = RowOf<typeof sourceCollection>;
export const coverageSources = repository(sourceCollection);

/** All that is known of one technique; `_id` is `<organization>.<technique>`. A mark whose count is 0 is none. */
const techniqueCollection = collection({
  name: 'coverage_techniques',
  fields: {
    technique: required(String),
    exercised: optional<StoredMark>(Mixed),
    proved: optional<StoredMark & { result: TechniqueResult }>(Mixed),
    wanted: optional<StoredMark>(Mixed),
    seen: optional<Pick<StoredMark, 'count' | 'at'>>(Mixed),
  },
  indexes: [[{ org_id: 1, technique: 1 }, { unique: true }]],
});
export type CoverageDoc = RowOf<typeof techniqueCollection>;
export const coverageTechniques = repository(techniqueCollection);

export const coverageCollections = [sourceCollection, techniqueCollection] as const;
