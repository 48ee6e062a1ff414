import type { Failure, Result } from '../tree/result.js';
import type { Effect } from '../tree/effect.js';
import type { DeploymentMessage } from '../../protocol/deployment.js';
import type { LivingRef } from '../../protocol/refs.js';
import type { DeploymentWord } from '../../protocol/state-deployment.js';
import type { Tree } from '../tree/tree.js';

/** A call that a tree makes. */
export type TreeCall = Extract<Effect, { kind: 'call' }>;
/** Names the `run` that has started a deployment: the workflow of its tree, and the key under which it waits. */
export interface Launcher {
  readonly run: string;
  readonly key: string;
}
/** Describes what a tree tells another tree. */
export type TreeMessage =
  | Extract<Effect, { kind: 'send' | 'register' | 'terminate' | 'set' }>
  /** It is up, or has failed to come up. */
  | ({ readonly kind: 'launched'; readonly error?: Failure } & Launcher)
  /** A `run` waits until it is up. */
  | { readonly kind: 'launcher'; readonly run: string };
/** A tree that goes on by itself from now on. */
export type Detachment = Extract<Effect, { kind: 'deploy' }>;
/** Describes what happened, for people and the store. */
export type TreeRecord = Extract<Effect, { kind: 'record' }>;

/** How long the history of a run is: a long one ends where that is cheap, and a very long one in any case. */
export type LengthOfRun = 'short' | 'long' | 'very long';

/** The narrow seam where determinism ends: all that a running tree needs of the world. W1 */
export interface TreeDriver {
  /** Milliseconds since 1970; the same when replayed, and never before a timer that has ended. */
  now(): number;
  /** Waits until the predicate holds (true), or the time is over (false). `summary` tells people what the wait is for. */
  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean>;
  /** Until everything that can go on by itself has done so. */
  quiet(): Promise<void>;
  /** Another number each time something comes in from outside: all that could go on by itself has done so by then. */
  moment(): number;
  /** Makes a call. The same key again is the same call. Nothing where it was cancelled. */
  call(call: TreeCall): Promise<Result | undefined>;
  /** Cancels a call: nobody wants its answer. */
  cancel(key: string): void;
  /** Tells another tree something. One that is not there need not hear it. */
  tell(message: TreeMessage): Promise<'delivered' | 'absent'>;
  /** Lets a tree go on by itself: the failure, where that is not possible. With a key, the tree tells later that it is up. */
  detach(detachment: Detachment): Promise<Result>;
  /** Notes what happened. */
  record(record: TreeRecord): void;
  /** Shows outside how the tree is, now that it waits. */
  show(tree: Tree): void;
  /** Returns how long the history of this run has become. It never becomes shorter. */
  runLength(): LengthOfRun;
  /** Returns whether nothing outside the tree keeps its run from ending. */
  mayEndRun(): boolean;
  /** Tells the entity whose state has deployed the tree that it is up, or how it has ended. */
  tellOwner(owner: LivingRef, word: DeploymentWord): Promise<'delivered' | 'absent'>;
}

/** The ways into a deployment. */
export interface DeploymentHandlers {
  tree(): Tree;
  message(message: DeploymentMessage): void;
}

/** Describes what a tree needs that has a workflow of its own. */
export interface DeploymentDriver extends TreeDriver {
  serve(handlers: DeploymentHandlers): void;
}
