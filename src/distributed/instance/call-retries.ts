/*
 * Calls beside the lanes that fail and are made again.
 *
 * call-retries.1. Attempts count for each kind of call and each place: what fails at one place does not use up the attempts of another.
 *     I5
 * call-retries.2. A place that answers is never given up: its clean-up is made again until it is done, or a person says to go on without
 *     it. Then it is tried once more. I5
 */
import type { CallRetry, Instance, PendingCall } from './instance.js';
import { retryDelay } from './retry-delay.js';

type Called = Pick<PendingCall, 'kind' | 'place'>;

export function retryOf({ retries }: Pick<Instance, 'retries'>, call: Called): CallRetry | undefined {
  return retries[keyOf(call)];
}

/** Tells whether a call has failed and its next attempt is not due. */
export function waitsToRetry(instance: Pick<Instance, 'retries' | 'now'>, call: Called): boolean {
  return (retryOf(instance, call)?.at ?? 0) > instance.now;
}

export function withoutRetry(instance: Instance, call: Called): Instance {
  const { [keyOf(call)]: _, ...retries } = instance.retries;
  return { ...instance, retries };
}

export function failedOnce(instance: Instance, { kind, place }: Called, message: string): Instance {
  const { attempts: before = 0, last } = retryOf(instance, { kind, place }) ?? {};
  const attempts = before + 1;
  const at = instance.now + retryDelay(attempts);
  const retry: CallRetry = {
    kind,
    ...(place !== undefined && { place }),
    attempts,
    message,
    at,
    ...(last && { last }),
  };
  return { ...instance, retries: { ...instance.retries, [keyOf(retry)]: retry } };
}

/** Tries each clean-up that fails once more, now, and goes on without it if it fails again. call-retries.2 */
export function proceeding(instance: Instance): Instance {
  const retries = Object.entries(instance.retries).map(([key, retry]) => {
    return [key, isCleanUp(retry) ? { ...retry, at: instance.now, last: true as const } : retry] as const;
  });
  return { ...instance, retries: Object.fromEntries(retries) };
}

/** Tells whether a call undoes what jobs have left. */
export function isCleanUp({ kind }: Pick<PendingCall, 'kind'>): boolean {
  return kind === 'clean' || kind === 'tidy';
}

function keyOf({ kind, place = '' }: Called): string {
  return `${kind} ${place}`;
}
