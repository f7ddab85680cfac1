import type { Rating } from './chart.ts';
import type { Tone } from './tone.ts';
import { RATINGS } from './wording.ts';

/** Colours of a tone: `solid` carries white text, `ink` is read on white, `wash` lies under dark text. */
export interface Shade {
  solid: string;
  ink: string;
  wash: string;
}

/** Chosen so that the four ratings differ in lightness and for the common colour blindnesses; contrast is 4.5:1 or more. */
export const TONES: Record<Tone, Shade> = {
  neutral: { solid: '#5a6675', ink: '#46515f', wash: '#eef1f4' },
  info: { solid: '#2f5f92', ink: '#234a75', wash: '#eaf1f8' },
  good: { solid: '#1f6f54', ink: '#175843', wash: '#e7f3ee' },
  fair: { solid: '#3c7a9e', ink: '#265c7c', wash: '#e8f2f7' },
  poor: { solid: '#a8640c', ink: '#8a5008', wash: '#fbf1e1' },
  bad: { solid: '#a32b2b', ink: '#8c2222', wash: '#fbeaea' },
};

/** What charts are drawn on. Not quite white, so that at night it is told from white letters. */
export const PAPER = '#fefefe';
export const INK = '#1b2530';
export const MUTED = '#5a6675';
export const RULE = '#d5dbe2';
export const TRACK = '#eceff3';
export const ACCENT = '#1d3b5c';

/** Lines of a chart with several series; told apart by their dashes and labels too. */
export const SERIES = ['#1d3b5c', '#a8640c', '#1f6f54', '#7a3f86', '#a32b2b', '#5a6675'];

export const ratingShade = (rating: Rating): Shade => TONES[RATINGS[rating].tone];

/** Traffic light protocol 2.0: the colour of each label, always on black. */
const TLP: Record<string, string> = {
  'TLP:RED': '#FF2B2B',
  'TLP:AMBER': '#FFC000',
  'TLP:AMBER+STRICT': '#FFC000',
  'TLP:GREEN': '#33FF00',
  'TLP:CLEAR': '#FFFFFF',
};

/** @returns text and ground of a classification label: the protocol's own for TLP, else restrained */
export function classificationColours(label: string): { text: string; ground: string } {
  const text = TLP[label.toUpperCase()];
  return text === undefined ? { text: '#FFFFFF', ground: ACCENT } : { text, ground: '#000000' };
}
