import { OperationTracker } from '../../src/operations/tracker.js';
import type { OperationMessage } from '../../src/protocol/operation-message.js';
import type { OperationStart } from '../../src/protocol/operation-start.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { LivingRef } from '../../src/protocol/refs.js';

export const START: OperationStart = {
  kind: 'start',
  id: 'op',
  name: 'create Parent/p',
  root: { type: 'Parent', key: 'p', engagement: 'root', event: 'create' },
  dimensions: {},
  startedAt: 0,
  budgetMs: 1_000,
};

/** An operation that was opened by an event on `Parent/p`. */
export function start(): OperationTracker {
  return OperationTracker.start(START);
}

/** `Child/c`, in its only life. */
export function ref(entity: string): LivingRef {
  const [type, key] = entity.split('/') as [string, string];
  return { type, key, life: `life of ${entity}` };
}

export function ended(
  engagement: string,
  entity: string,
  outcome: Partial<EngagementOutcome> = {},
  more: {
    caused?: Record<string, string>;
    judgements?: Record<string, string>;
    awaiter?: string;
    uncaused?: true;
  } = {},
): Extract<OperationMessage, { kind: 'ended' }> {
  return {
    kind: 'ended',
    engagement,
    participant: ref(entity),
    event: 'e',
    outcome: { state: 'Ready', version: 1, health: 'normal', waiting: false, ...outcome },
    caused: Object.entries(more.caused ?? {}).map(([id, on]) => ({ engagement: id, on })),
    judgements: Object.entries(more.judgements ?? {}).map(([id, by]) => ({ id, by })),
    ...(more.awaiter !== undefined && { awaiter: ref(more.awaiter) }),
    ...(more.uncaused && { uncaused: true }),
  };
}

/** An operation that has heard these. */
export function heard(...messages: readonly OperationMessage[]): OperationTracker {
  const tracker = start();
  for (const message of messages) tracker.hear(message);
  return tracker;
}
