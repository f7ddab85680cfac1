import { clipped } from '../prose/prose.ts';
import { type Deed, deedsOf } from './deeds.rules.ts';
import type { SessionRecord } from './record.ts';

/** Enough to judge a decision by; a quote from the part that is shown is a quote of the whole. */
const LONGEST_TEXT = 4000;
const MOST_TEXT = 60_000;
/** A shorter part of a name is a particle. */
const SHORTEST_NAME = 3;

/** A session as a model is told of it: roles instead of people, long texts cut. */
export function sessionMaterial(record: SessionRecord): Readonly<Record<string, unknown>> {
  const { session, scenario, scores } = record;
  let room = MOST_TEXT;
  const excerpt = (text: string) => {
    const part = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT).toWellFormed() : text;
    room -= part.length;
    return room < 0 ? '' : part;
  };
  return {
    scenario: {
      title: scenario.title,
      summary: clipped(scenario.summary, LONGEST_TEXT),
      roles: scenario.roles.map(({ id, name }) => ({ id, name })),
      objectives: scenario.objectives,
      injects: scenario.injects.map(({ id, title, description, offset_minutes, to, techniques }) => ({
        id,
        title,
        offset_minutes,
        to,
        techniques,
        description: clipped(description, 1000),
      })),
    },
    table: {
      roles_present: [...new Set(session.participants.flatMap(({ role }) => role ?? []))],
      responses: session.responses.map(({ inject_id, at_minutes, role, decision, notes }) => ({
        inject_id,
        at_minutes,
        role,
        decision: excerpt(decision),
        notes: excerpt(notes),
      })),
      observations: session.observations.map(({ objective_id, rating, note }) => ({
        objective_id,
        rating,
        note: excerpt(note),
      })),
    },
    scores: {
      overall: scores.overall,
      rating: scores.rating,
      objectives: scores.objectives,
      gaps: scores.gaps.map(({ id, severity, title, reason, objective_id, capability }) => ({
        id,
        severity,
        title,
        reason,
        objective_id,
        capability,
      })),
      deadlines: scores.regulatory.map(({ title, limit_hours, text }) => ({ title, limit_hours, text })),
      actions: deedsOf(record).map(actionLine),
    },
  };
}

/** The names of the people at the table, whole and in parts, but no word that a role is called by. */
export function namesOf({ session, scenario }: SessionRecord): string[] {
  const words = (text: string) => text.split(/[\s.,()]+/).filter((word) => word.length >= SHORTEST_NAME);
  const spoken = new Set(scenario.roles.flatMap(({ name }) => words(name.toLowerCase())));
  const whole = [
    ...session.participants.map(({ name }) => name),
    ...session.observations.map(({ observer }) => observer),
  ];
  return [...new Set(whole.flatMap((name) => [name, ...words(name)]))].filter(
    (name) => !words(name.toLowerCase()).every((word) => spoken.has(word)),
  );
}

function actionLine({ inject, action, outcome, minutes }: Deed) {
  return {
    action: `${inject.id}:${action.id}`,
    text: action.text,
    critical: action.critical,
    target_minutes: action.target_minutes ?? null,
    outcome,
    minutes,
  };
}
