import type { ExpectedAction, Inject } from '@muster/contracts';
import type { Part } from './cast.data.ts';

/** The objectives that a scenario can have. */
export type Aim =
  | 'detection'
  | 'containment'
  | 'decision_making'
  | 'communication'
  | 'regulatory'
  | 'recovery'
  | 'third_party';

/** One inject before it has its place: its key takes the place of an id, its actions are numbered as they come. */
export interface Beat
  extends Pick<
    Inject,
    | 'title'
    | 'description'
    | 'from'
    | 'channel'
    | 'type'
    | 'techniques'
    | 'discussion_questions'
    | 'facilitator_notes'
  > {
  key: string;
  to: Part[];
  aims: Aim[];
  actions: Omit<ExpectedAction, 'id'>[];
  /** Comes up only where this action (counted from 1) of an earlier beat was not taken. */
  unless?: { key: string; action: number };
  regulatory?: Inject['regulatory'];
  story_hours?: number;
}

interface Extra {
  critical?: true;
  reports?: ExpectedAction['reports'];
  classifies?: true;
}

/** An expected action; its keywords are parted by commas. */
export function expects(
  text: string,
  weight: number,
  minutes: number,
  keywords: string,
  extra: Extra = {},
): Omit<ExpectedAction, 'id'> {
  return { text, weight, critical: false, target_minutes: minutes, keywords: keywords.split(', '), ...extra };
}
