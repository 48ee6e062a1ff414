/*
 * The way in which a call is made, where its declaration has changed while actions run. A7
 *
 * call-ways.1. A call that a run has begun keeps its way, however often it is replayed. Calls that come later go the declared way.
 * call-ways.2. A call that another worker makes cannot be made by the worker at hand: declared `inline`, it goes by an activity.
 * call-ways.3. A run leaves a marker where a call takes another way than the one before it. The first one is compared with
 *     `activity`, so runs without other calls have no markers.
 */
import { patched } from '@temporalio/workflow';
import { wayOf, type Call, type CallWay } from '../definition/resource.js';

const WAYS: readonly CallWay[] = ['activity', 'inline', 'callback'];

export class CallWays {
  /** By call: the way of the last one, and how many there were. */
  readonly #last = new Map<string, { readonly way: CallWay; readonly count: number }>();

  /**
   * The way of this call, the next one of its name.
   * @param elsewhere whether another worker makes it than the one at hand
   */
  next({ activity, shape }: Call, elsewhere: boolean): CallWay {
    const { way: before, count } = this.#last.get(activity) ?? { way: 'activity', count: 0 };
    const marker = (way: CallWay) => `${activity} ${count} ${way}`;
    // A marker in history tells the way that was declared then.
    const recorded = WAYS.find((way) => isInHistory(marker(way)));
    const wanted = recorded ?? wayOf(shape, elsewhere);
    const way = wanted !== before && patched(marker(wanted)) ? wanted : before;
    this.#last.set(activity, { way, count: count + 1 });
    return way;
  }
}

/** The SDK tells all markers of a history before it replays it, and has no other way to look at them without leaving one. */
function isInHistory(marker: string): boolean {
  const { __TEMPORAL_ACTIVATOR__: activator } = globalThis as {
    readonly __TEMPORAL_ACTIVATOR__?: { readonly knownPresentPatches?: ReadonlySet<string> };
  };
  return activator?.knownPresentPatches?.has(marker) ?? false;
}
