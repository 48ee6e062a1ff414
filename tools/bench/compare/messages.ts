import type { Values } from '../case.js';

/** The request to a process that measures one build. */
export type BuildRequest =
  { readonly ask: 'prepare'; readonly case: string } | { readonly ask: 'round'; readonly round: number };

export type BuildAnswer =
  | { readonly said: 'ready' }
  /** The number of its rounds for warming up. */
  | { readonly said: 'prepared'; readonly warmUps: number }
  | { readonly said: 'measured'; readonly values: Values };
