import { parseDuration } from '../duration.js';
import type { Resource } from '../resource.js';
import type { ModelProblem } from './problem.js';

/** An answer that is awaited for longer should not keep an entity from serving other events. In milliseconds. */
const LONG_MS = 3_600_000;

/**
 * Calls of which an action may await the answer for long. It works, and may be meant: so this is advice. Only events that abort the
 * action are served meanwhile, where a stable state would serve all. A1, A2
 */
export function longWaitAdvice(resources: readonly Resource[]): readonly ModelProblem[] {
  return resources.flatMap(({ name, calls }) =>
    Object.entries(calls).flatMap(([call, { answer, within = 0 }]): readonly ModelProblem[] => {
      if (answer !== 'callback' || (parseDuration(within) ?? 0) <= LONG_MS) return [];
      const problem = `an action that makes this call waits up to ${within} for the answer. Meanwhile, its entity serves only events that abort the action`;
      const remedy = `To serve other events too, get a callback address from answerBy, a method of the action's first argument. Pass the address to a call that returns at once, and go to a stable state that takes the answer as an event. Give that state 'waiting: true' if the operation has to stay open until the answer comes.`;
      return [{ place: `${name}.${call}.within`, problem, remedy, path: [] }];
    }),
  );
}
