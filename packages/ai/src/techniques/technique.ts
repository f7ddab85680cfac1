/** How far an intrusion has come when a technique is seen: the product's own order, no tactic of ATT&CK. */
export const STAGES = [
  'entry',
  'execution',
  'foothold',
  'credentials',
  'discovery',
  'movement',
  'control',
  'theft',
  'impact',
] as const;
export type Stage = (typeof STAGES)[number];

/** What people who answer for an incident have to know of an ATT&CK technique, in the product's own words. */
export interface Technique {
  /** https://attack.mitre.org/techniques/ */
  id: string;
  name: string;
  stage: Stage;
  /** Behaviour that shows it: alternatives, parted by commas; the words of one stand in one sentence. */
  cues: string;
  /** What a table hears of it first; `{system}` stands for what is hit. */
  scene: string;
  /** What stops it; `{asset}` and `{user}` stand for what is hit. */
  contain: string;
  /** What takes it out. */
  eradicate: string;
}
