/** How something is, by its colour, which its words say too. */
export type Tone = 'good' | 'busy' | 'bad' | 'warn' | 'quiet';
