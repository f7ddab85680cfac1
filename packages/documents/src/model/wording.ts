import type { Rating } from './chart.ts';
import type { Callout, StepState } from './document.ts';
import type { Tone } from './tone.ts';

/** The words that the renderers add of themselves. */
export const WORDS = {
  contents: 'Contents',
  skip: 'Skip to the content',
  data: 'The numbers behind this chart',
  noData: 'No data',
  notMeasured: '–',
};

/** HSEEP's ratings: what each says, and its tone. */
export const RATINGS: Record<Rating, { says: string; tone: Tone }> = {
  P: { says: 'performed without challenges', tone: 'good' },
  S: { says: 'performed with some challenges', tone: 'fair' },
  M: { says: 'performed with major challenges', tone: 'poor' },
  U: { says: 'unable to be performed', tone: 'bad' },
};

export const STEP_STATES: Record<StepState, { says: string; tone: Tone }> = {
  open: { says: 'Open', tone: 'neutral' },
  done: { says: 'Done', tone: 'good' },
  late: { says: 'Late', tone: 'poor' },
  missed: { says: 'Missed', tone: 'bad' },
  not_exercised: { says: 'Never exercised', tone: 'info' },
};

export const CALLOUTS: Record<Callout['tone'], { says: string; tone: Tone }> = {
  info: { says: 'Note', tone: 'info' },
  warn: { says: 'Attention', tone: 'poor' },
  critical: { says: 'Critical', tone: 'bad' },
};
