import type { Json, Value } from '../description/description.js';
import type { Result } from './result.js';
import type { End, Phase, RunningHandler, Tree } from './tree.js';

/** Describes what a step wants done in the world, in this order. */
export type Effect =
  /** A call whose answer comes as an input with the same key. A call that is issued again has the key that it had. */
  | {
      readonly kind: 'call';
      readonly key: string;
      readonly activity: string;
      readonly input: Json;
      readonly host?: string;
      /** Shows for how long the host may be silent before the call fails with `host_unreachable`. */
      readonly reachWithin?: number;
      readonly component: string;
    }
  /** Nobody wants the answer of this call any more. */
  | { readonly kind: 'cancel'; readonly key: string }
  /** Code of one's own begins, or begins again over its journal. */
  | { readonly kind: 'run'; readonly component: string; readonly of: string; readonly handler: RunningHandler }
  /** Such code gets an answer. */
  | {
      readonly kind: 'resume';
      readonly handler: string;
      readonly place: number;
      readonly at: number;
      readonly result: Result;
    }
  /** Nobody wants the rest of such code any more. */
  | { readonly kind: 'drop'; readonly handler: string }
  /** For a component of another tree. */
  | { readonly kind: 'send'; readonly to: string; readonly event: Json; readonly passed: readonly string[] }
  | { readonly kind: 'register'; readonly at: string; readonly listener: string }
  | { readonly kind: 'terminate'; readonly path: string; readonly end: Omit<End, 'component'> }
  | { readonly kind: 'set'; readonly path: string; readonly name: string; readonly value?: Value }
  /** A tree that goes on by itself from now on. With a key, somebody waits to hear whether it came up. */
  | { readonly kind: 'deploy'; readonly key?: string; readonly tree: Tree; readonly host?: string }
  /** Something that happened, for people and the store. */
  | {
      readonly kind: 'record';
      readonly at: number;
      readonly component: string;
      readonly id: number;
      readonly of: string;
      readonly phase?: Phase;
      readonly end?: End;
      readonly message?: string;
    };
