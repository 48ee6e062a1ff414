import type { Json, Value } from '../description/description.js';
import type { End, EventPassed } from './passed.js';
import type { Result } from './result.js';
import type { Task } from './task.js';

export type { End, EventPassed } from './passed.js';

/*
 * A running tree as plain data: whatever it does next follows from this value and the next input alone. So it can go on in a new
 * run after any step, be shown, compared, and handed over.
 */

/**
 * `created`, `deployed` (its siblings can reach it), `starting` (not interrupted by an end), `up`, `ending` (it or what it holds
 * still cleans up), `ended`.
 */
export type Phase = 'created' | 'deployed' | 'starting' | 'up' | 'ending' | 'ended';

/** A call under way. */
export interface PendingCall {
  readonly key: string;
  readonly activity: string;
  readonly input: Json;
  readonly host?: string;
  readonly reachWithin?: number;
  /** When it was made. */
  readonly since: number;
  /** The handler that made it, and its place there; none for a call of the component's kind. */
  readonly handler?: string;
  readonly place: number;
}

/** The code of one's own that a component runs. */
export type HandlerName = 'start' | 'work' | 'end' | 'ping' | 'handle' | 'evaluate';

/** Code of one's own that is under way: with this, a new run brings it to the same place again. */
export interface RunningHandler {
  readonly key: string;
  readonly handler: HandlerName;
  /** The event, for `handle`. */
  readonly argument?: Json;
  /** The attributes as they were when it began. */
  readonly attributes: Readonly<Record<string, Json>>;
  /** Shows when it began, in milliseconds since 1970. */
  readonly at: number;
  /** The fingerprints of what it has asked for. What it asks for again in a new run is known by its place. */
  readonly asked: readonly string[];
  /** Shows what it has been told, in the order in which it was told. */
  readonly journal: readonly { readonly place: number; readonly at: number; readonly result: Result }[];
}

/** A component of the running tree. */
export interface Component {
  /** Never given twice in a tree, so it is the component's incarnation as well: a path can be taken again. */
  readonly id: number;
  readonly name: string;
  /** None for the root and for what was detached. */
  readonly parent?: number;
  /** Its description, in the tree's table. */
  readonly description: number;
  readonly phase: Phase;
  /** Shows when it came into its phase. */
  readonly since: number;
  readonly deployedAt?: number;
  /** All its attributes, once one of them was set; until then, its description has them. */
  readonly attributes?: Readonly<Record<string, Value>>;
  /** In the order of their creation. */
  readonly children: readonly number[];
  /** Shows when it wants to continue by itself. */
  readonly due?: number;
  readonly end?: End;
  /** An end that came while it started. W-2 */
  readonly pendingEnd?: { readonly end: End; readonly quiet?: boolean };
  /** Its parent is not told of its end. */
  readonly quiet?: boolean;
  /** Its parent has been told of its end. */
  readonly told?: boolean;
  /** Its parent does not keep it once it has ended. */
  readonly forgotten?: boolean;
  /** It has not come up: its deployment or its start has failed. */
  readonly undeployed?: boolean;
  /** It has begun to start, so its own `end` runs. */
  readonly began?: boolean;
  /** Shows how far its own end is: what it does first keeps its children and its `end` waiting. */
  readonly ending?: 'held' | 'children' | 'handler' | 'done';
  /** The component that started it in the place of its parent. */
  readonly launcher?: number;
  /** Those that registered for its events: a number, or the path of a component of another tree. W-7 */
  readonly listeners?: readonly (number | string)[];
  /** Events that came before it was up. */
  readonly inbox?: readonly EventPassed[];
  readonly calls?: readonly PendingCall[];
  readonly handlers?: readonly RunningHandler[];
  /** Shows who waits to hear whether its condition holds. */
  readonly asker?: number;
  /** Belongs to its kind. */
  readonly local?: Json;
}

/** A description in the table of a tree: those that it holds are numbers of other entries. */
export interface TableDescription {
  readonly kind: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly children: readonly (readonly [name: string, description: number])[];
}

/** Describes a running tree of components, as data. */
export interface Tree {
  /** Names the run in keys and absolute references: `deployment/shop`. */
  readonly run: string;
  /** The time of the last input, in milliseconds since 1970. */
  readonly now: number;
  /** The number of the next component. */
  readonly next: number;
  readonly root: number;
  readonly descriptions: readonly TableDescription[];
  /** Shows what a component deploys, once it was asked: the number of its description, and of what it deploys. */
  readonly deployed: Readonly<Record<string, number>>;
  readonly components: Readonly<Record<number, Component>>;
  /** Shows what is to be done yet: empty after a step, unless a step would take too long. */
  readonly agenda: readonly Task[];
}
