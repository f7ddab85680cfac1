import type { ScenarioContent, Scores, Session } from '@muster/contracts';

/** What there is to know of a completed session: all that an evaluation or a playbook is made from. */
export interface SessionRecord {
  session: Pick<
    Session,
    'id' | 'title' | 'started_at' | 'ended_at' | 'participants' | 'responses' | 'observations'
  >;
  scenario: ScenarioContent;
  scores: Scores;
}
