import type { Json, Value } from '../description/description.js';
import type { Result } from './result.js';
import type { End } from './tree.js';

/** Describes what an own handler asks for, at one place in its code. */
export type Ask =
  | { readonly kind: 'call'; readonly activity: string; readonly input: Json }
  | { readonly kind: 'send'; readonly event: Json }
  | { readonly kind: 'set'; readonly name: string; readonly value?: Json }
  | { readonly kind: 'end'; readonly type: string; readonly description: string };

/**
 * Describes what comes to a tree. `at` is in milliseconds since 1970, and never before that of the last input. For `due` it is the time for
 * which the timer was set, however late it is. Paths are those of components, from the root on; the root's is ''.
 */
export type Input = { readonly at: number } & (
  | { readonly kind: 'deploy' }
  | { readonly kind: 'due' }
  | { readonly kind: 'answer'; readonly key: string; readonly result: Result }
  | { readonly kind: 'asked'; readonly handler: string; readonly place: number; readonly ask: Ask }
  | { readonly kind: 'returned'; readonly handler: string; readonly result: Result }
  | { readonly kind: 'terminate'; readonly path: string; readonly end: Omit<End, 'component'> }
  | { readonly kind: 'event'; readonly path: string; readonly event: Json; readonly passed?: readonly string[] }
  | { readonly kind: 'register'; readonly path: string; readonly listener: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'set'; readonly path: string; readonly name: string; readonly value?: Value }
);
