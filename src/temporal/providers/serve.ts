import { asyncLocalStorage, Context } from '@temporalio/activity';
import { ActivityCancellationDetails, ApplicationFailure, CancelledFailure, noopMetricMeter } from '@temporalio/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Worker as Thread } from 'node:worker_threads';
import type { Logger } from '@temporalio/common';
import { toErrorRecord } from '../../protocol/errors.js';
import type { CallbackSettings } from '../callback-address.js';
import type { ImplementedResource } from '../resources.js';
import { hearStrays, type StrayListener } from '../stray-failures.js';
import type { CallFailure, CallRequest, Cancellation, FromProviders, ToProviders } from './messages.js';
import { CURRENT_CALL, TICK_MS } from '../watch/look-at-main.js';

/** The call whose code runs, by its number. */
const running = new AsyncLocalStorage<number>();

export interface ServedProviders {
  readonly resources: readonly ImplementedResource[];
  readonly callbacks: CallbackSettings | undefined;
  readonly log: Logger;
  readonly stray: StrayListener;
}

/** Makes the calls that the worker sends which has started this process, for as long as that lives. */
export function serveCalls({ resources, callbacks, log, stray }: ServedProviders): void {
  const activities: ImplementedResource = Object.assign({}, ...resources) as ImplementedResource;
  const cancels = new Map<number, (cancellation: Cancellation) => void>();
  const say = (message: FromProviders) => {
    if (process.connected) process.send!(message);
  };
  const make = async (id: number, { activity, envelope, info, affinity }: CallRequest): Promise<void> => {
    const controller = new AbortController();
    const details: { details?: ActivityCancellationDetails } = {};
    let cancel!: (failure: CancelledFailure) => void;
    const cancelled = new Promise<never>((_, reject) => (cancel = reject));
    // A provider may listen to the signal alone.
    cancelled.catch(() => undefined);
    cancels.set(id, ({ reason, workerShutdown }) => {
      details.details = new ActivityCancellationDetails({ workerShutdown, cancelRequested: !workerShutdown });
      const failure = new CancelledFailure(reason);
      cancel(failure);
      controller.abort(failure);
    });
    const beat = (noted: unknown) => say({ kind: 'beat', id, details: noted });
    const whole = { ...info, taskToken: new Uint8Array() };
    const context = new Context(whole, cancelled, controller.signal, beat, undefined, log, noopMetricMeter, details);
    try {
      const run = activities[activity];
      if (!run) throw ApplicationFailure.retryable(`The process of providers has no '${activity}'.`, 'unknown_call');
      const answer = await running.run(id, () =>
        asyncLocalStorage.run(context, () => run(envelope, { callbacks, affinity })),
      );
      say({ kind: 'answer', id, answer });
    } catch (thrown) {
      say({ kind: 'failure', id, failure: failureOf(thrown) });
    } finally {
      cancels.delete(id);
    }
  };
  hearStrays(stray);
  watch();
  process.on('message', (message: ToProviders) => {
    switch (message.kind) {
      case 'call':
        return void make(message.id, message.request);
      case 'cancel':
        return cancels.get(message.id)?.(message.cancellation);
      case 'ping':
        return say({ kind: 'pong' });
    }
  });
  process.on('disconnect', () => process.exit());
  // A terminal sends them to the whole group. The worker decides when it is time.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  say({ kind: 'ready' });
}

/** Lets a thread look at this one, which says all the time that it does not stand still. */
function watch(): void {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const ticks = new Int32Array(memory);
  setInterval(() => Atomics.add(ticks, 0, 1), TICK_MS);
  Object.defineProperty(globalThis, CURRENT_CALL, { value: () => running.getStore() });
  new Thread(new URL('./watch-thread.js', import.meta.url), { workerData: { memory, parent: process.ppid } }).unref();
}

function failureOf(thrown: unknown): CallFailure {
  if (thrown instanceof ApplicationFailure) {
    const { type, message, nonRetryable, details } = thrown;
    return { type: type ?? 'defect', message, nonRetryable: nonRetryable === true, details: details ?? [] };
  }
  const { code, message } = toErrorRecord(thrown);
  return { type: code, message, nonRetryable: true, details: [] };
}
