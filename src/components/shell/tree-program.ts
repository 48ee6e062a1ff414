import { toMilliseconds, type Duration } from '../../definition/duration.js';
import { callsOf, type Call, type Resource } from '../../definition/resource.js';
import { conditions } from '../conditions/resource.js';
import { kindsOf } from '../kinds.js';
import type { AnyComponent } from '../own/component.js';
import type { Kind, Kinds } from '../tree/kind.js';

/** Describes what trees may consist of. */
export interface TreeProgramOptions {
  /** Components and kinds of one's own. */
  readonly components?: readonly (AnyComponent | Kind)[];
  /** The resources that they call. */
  readonly resources?: readonly Resource[];
  /** Sets how often components are asked whether they are well. Default 1 m. W-5 */
  readonly pingEvery?: Duration;
}

/** All that code needs to know to run a tree. */
export interface TreeProgram {
  readonly kinds: Kinds;
  /** The components with code of their own. */
  readonly components: readonly AnyComponent[];
  /** The calls that trees can make, by their activities. */
  readonly calls: ReadonlyMap<string, Call>;
  /** Shows how often the tree is pinged, in milliseconds. */
  readonly pingEveryMs: number;
}

/** Puts together the kinds and calls that trees of a process may use. */
export function treeProgram({ components = [], resources = [], pingEvery = '1m' }: TreeProgramOptions): TreeProgram {
  const calls = [...resources, conditions].flatMap(callsOf);
  return {
    kinds: kindsOf(components),
    components: components.filter((each) => 'kind' in each),
    calls: new Map(calls.map((call) => [call.activity, call])),
    pingEveryMs: toMilliseconds(pingEvery),
  };
}
