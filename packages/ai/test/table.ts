import { readdirSync, readFileSync } from 'node:fs';
import {
  type InjectResponse,
  type ScenarioContent,
  type Scores,
  type Session,
  scenarioContent,
} from '@muster/contracts';
import type { SessionRecord } from '../src/index.ts';
import { keywordsOf, readDecision } from '../src/index.ts';

const LIBRARY = new URL('../../../services/exercises/library/', import.meta.url);

/** The scenarios that come with the product, by filename. */
export const library: ReadonlyMap<string, ScenarioContent> = new Map(
  readdirSync(LIBRARY)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { filename, ...content } = JSON.parse(readFileSync(new URL(name, LIBRARY), 'utf8'));
      return [String(filename), scenarioContent.parse(content)];
    }),
);

export const hospital = library.get('ransomware-hospital.json') as ScenarioContent;

/** A response as it is stored. */
export function response(inject_id: string, fields: Partial<InjectResponse>): InjectResponse {
  return { inject_id, at_minutes: null, actions: [], decision: '', notes: '', ...fields };
}

/**
 * A completed session with scores in the form that scoring gives them: an action is taken when it is listed or its
 * keywords stand in the decision, late when it comes after its target.
 */
export function played(
  scenario: ScenarioContent,
  responses: InjectResponse[],
  fields: Partial<Session> & { regulatory?: Scores['regulatory'] } = {},
): SessionRecord {
  const { regulatory = [], ...session } = fields;
  const injects = scenario.injects.map((inject) => {
    const given = responses.filter(({ inject_id }) => inject_id === inject.id);
    const shown = inject.expected_actions.map((action) => {
      const quotes = given.flatMap(
        ({ decision }) => readDecision(decision).showing(keywordsOf(action.keywords)) ?? [],
      );
      const listed = given.some(({ actions }) => actions.includes(action.id));
      return { action, taken: listed || quotes.length > 0, quote: listed ? null : (quotes[0] ?? null) };
    });
    const minutes = given[0]?.at_minutes == null ? null : given[0].at_minutes - inject.offset_minutes;
    const taken = shown.filter((one) => one.taken).map(({ action }) => action.id);
    return {
      id: inject.id,
      applied: true,
      score: null,
      taken,
      missed: inject.expected_actions.map(({ id }) => id).filter((id) => !taken.includes(id)),
      minutes,
      timing:
        given.length === 0
          ? ('unanswered' as const)
          : minutes === null
            ? ('unknown' as const)
            : ('known' as const),
      late: shown
        .filter(
          ({ action, taken: done }) =>
            done && minutes !== null && minutes > (action.target_minutes ?? minutes),
        )
        .map(({ action }) => action.id),
      evidence: shown.flatMap(({ action, quote }) => (quote ? [{ action_id: action.id, quote }] : [])),
    };
  });
  const expected = scenario.injects.flatMap(({ expected_actions }) => expected_actions).length;
  const overall = Math.round((100 * injects.flatMap(({ taken }) => taken).length) / Math.max(1, expected));
  const rating = overall >= 80 ? 'P' : overall >= 65 ? 'S' : overall >= 50 ? 'M' : 'U';
  return {
    scenario,
    session: {
      id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
      title: 'Fourth quarter exercise',
      started_at: '2026-03-01T09:30:00.000Z',
      ended_at: '2026-03-01T11:30:00.000Z',
      participants: [],
      responses,
      observations: [],
      ...session,
    },
    scores: {
      session_id: '01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
      method: 'muster-1',
      overall,
      rating,
      maturity_level: 2,
      capabilities: [],
      objectives: scenario.objectives.map(({ id, title }) => ({
        id,
        title,
        score: overall,
        rating,
        rating_source: 'computed' as const,
      })),
      injects,
      strengths: [],
      gaps: gapsOf(scenario, injects),
      regulatory,
      computed_at: '2026-03-01T11:30:00.000Z',
    },
  };
}

function gapsOf(scenario: ScenarioContent, injects: Scores['injects']): Scores['gaps'] {
  return scenario.injects.flatMap((inject) => {
    const score = injects.find(({ id }) => id === inject.id);
    const objective = scenario.objectives.find(({ id }) => id === inject.objective_ids[0]);
    return inject.expected_actions
      .filter(({ id }) => score?.missed.includes(id) || score?.late.includes(id))
      .map((action) => ({
        id: `${inject.id}:${action.id}`,
        capability: objective?.capability ?? ('governance' as const),
        severity: action.critical ? ('critical' as const) : ('medium' as const),
        title: action.text,
        detail: '',
        inject_id: inject.id,
        action_id: action.id,
        objective_id: objective?.id ?? null,
        controls: objective?.controls ?? [],
        techniques: inject.techniques,
        reason: score?.late.includes(action.id) ? ('late' as const) : ('missed' as const),
      }));
  });
}
