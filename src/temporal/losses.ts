import { ResourceError } from '../protocol/errors.js';

/*
 * The executions of a call whose workers were lost. Temporal makes the call again then, and no attempt of the action is used. Where
 * the call itself ends its workers, or makes them stand still, that would go on for ever, so it has a limit.
 *
 * losses.1. A loss is an execution that began, and has ended without a word.
 * losses.2. Losses count in a row: progress that the provider notes, or a worker that is stopped in order, begins the count anew.
 */

/** How many executions in a row may be lost. */
export const MOST_LOSSES = 5;

/** All that each heartbeat says to the next execution of the call. */
export interface Beat {
  /** The progress that the provider has noted. */
  readonly progress?: unknown;
  /** How many executions were lost in a row when this one began. */
  readonly losses: number;
  /** The worker was stopped in order. */
  readonly stopped?: true;
}

/** How many executions were lost in a row before this one. */
export function lossesBefore(attempt: number, last: Beat | undefined): number {
  if (attempt === 1 || last?.stopped) return 0;
  return (last?.losses ?? 0) + 1;
}

/** @throws ResourceError where another one would most likely be lost too */
export function refuseAnotherLoss(losses: number): void {
  if (losses < MOST_LOSSES) return;
  throw new ResourceError(
    'worker_lost',
    `The workers that made this call were lost ${losses} times in a row: they ended, or were silent for longer than the call's 'heartbeat'. ` +
      'The provider may end the process, use all its memory, or compute for long without a pause. Read the logs of the workers.',
  );
}
