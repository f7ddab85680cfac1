/** What a colour says. It is always said in words or letters too. */
export type Tone = 'neutral' | 'info' | 'good' | 'fair' | 'poor' | 'bad';
