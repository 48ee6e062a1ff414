/*
 * The mode in which a call is made, where its declaration has changed while actions run. A7
 *
 * call-modes.1. A call that a run has begun keeps its mode, however often it is replayed. Calls that come later use the declared mode.
 * call-modes.2. A call that another worker makes cannot be made by the worker at hand: declared `inline`, it is made by an activity.
 * call-modes.3. A run leaves a marker where a call has another mode than the one before it. The first one is compared with
 *     `activity`, so runs without other calls have no markers.
 */
import { patched } from '@temporalio/workflow';
import { modeOf, type Call, type CallMode } from '../definition/resource.js';

const MODES: readonly CallMode[] = ['activity', 'inline', 'callback'];

export class CallModes {
  /** By call: the mode of the last one, and how many there were. */
  readonly #last = new Map<string, { readonly mode: CallMode; readonly count: number }>();

  /**
   * The mode of this call, the next one of its name.
   * @param elsewhere whether another worker makes it than the one at hand
   */
  next({ activity, shape }: Call, elsewhere: boolean): CallMode {
    const { mode: before, count } = this.#last.get(activity) ?? { mode: 'activity', count: 0 };
    const marker = (mode: CallMode) => `${activity} ${count} ${mode}`;
    // A marker in history has the mode that was declared then.
    const recorded = MODES.find((mode) => isInHistory(marker(mode)));
    const wanted = recorded ?? modeOf(shape, elsewhere);
    const mode = wanted !== before && patched(marker(wanted)) ? wanted : before;
    this.#last.set(activity, { mode, count: count + 1 });
    return mode;
  }
}

/** The SDK tells all markers of a history before it replays it, and has no other way to look at them without leaving one. */
function isInHistory(marker: string): boolean {
  const { __TEMPORAL_ACTIVATOR__: activator } = globalThis as {
    readonly __TEMPORAL_ACTIVATOR__?: { readonly knownPresentPatches?: ReadonlySet<string> };
  };
  return activator?.knownPresentPatches?.has(marker) ?? false;
}
