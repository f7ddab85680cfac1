import type { TechniqueResult } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/** What speaks of techniques one by one, and is told again under a higher version when it changes. */
export const SOURCE_KINDS = ['exercised', 'proved', 'wanted'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** One technique as a source speaks of it. */
export interface Spoken {
  technique: string;
  at: Date;
  /** There for an operation. */
  result?: TechniqueResult;
}

/** A session, operation or item of intelligence; `_id` is `<kind>.<its id>`. Its version guards against older and repeated events. */
export interface SourceDoc extends Stored {
  kind: SourceKind;
  seq: number;
  ref: string;
  title: string;
  at: Date;
  /** Empty for one that was removed. */
  techniques: Spoken[];
}

/** How often and when last; with the source that spoke last. */
export interface StoredMark {
  count: number;
  at: Date;
  ref: string;
  title: string;
}

/** All that is known of one technique; `_id` is `<organization>.<technique>`. A mark whose count is 0 is none. */
export interface CoverageDoc extends Stored {
  technique: string;
  exercised?: StoredMark;
  proved?: StoredMark & { result: TechniqueResult };
  wanted?: StoredMark;
  seen?: Pick<StoredMark, 'count' | 'at'>;
}

const required = <T>(type: T) => ({ type, required: true });

const sourceCollection = collection<SourceDoc>({
  name: 'coverage_sources',
  fields: {
    kind: required(String),
    seq: required(Number),
    ref: required(String),
    title: required(String),
    at: required(Date),
    techniques: [Mixed],
  },
  indexes: [[{ org_id: 1, kind: 1, 'techniques.technique': 1, at: -1 }]],
});
export const coverageSources = repository(sourceCollection);

const techniqueCollection = collection<CoverageDoc>({
  name: 'coverage_techniques',
  fields: { technique: required(String), exercised: Mixed, proved: Mixed, wanted: Mixed, seen: Mixed },
  indexes: [[{ org_id: 1, technique: 1 }, { unique: true }]],
});
export const coverageTechniques = repository(techniqueCollection);

export const coverageCollections = [sourceCollection, techniqueCollection] as const;
