import type { RaiseRequest } from '../protocol/messages.js';
import { entityId } from '../protocol/names.js';
import type { Engagement, Snapshot } from '../protocol/snapshot.js';
import { fingerprint, remember } from './ledger.js';

/** Starts the action of an event that is valid. */
export function begin(
  snapshot: Snapshot,
  request: RaiseRequest,
  started: {
    readonly action: string;
    readonly params: unknown;
    readonly eventType: Engagement['eventType'];
    readonly subscription?: string;
    readonly timer?: string;
    readonly opened?: boolean;
  },
  now: number,
): Snapshot {
  const operation = request.operation ?? request.id;
  const engagement: Engagement = {
    id: request.id,
    event: request.event,
    eventType: started.eventType,
    operation,
    opened: started.opened ?? request.operation !== undefined,
    startState: snapshot.state,
    startedAt: now,
    caused: [],
  };
  const { from } = request;
  const others = snapshot.watchers.filter((watcher) => !from || entityId(watcher) !== entityId(from));
  // Only what others raise can come again.
  const remembers = started.eventType === 'raised' && !snapshot.ledger.some(({ id }) => id === request.id);
  const { nextAttemptAt: _, ...rest } = snapshot;
  return {
    ...rest,
    exhausted: false,
    operation: { id: operation, open: true },
    engagements: [...snapshot.engagements, engagement],
    watchers: from ? [...others, from] : others,
    running: {
      action: started.action,
      kind: 'event',
      startedAt: now,
      ...(started.params !== undefined && { params: started.params }),
      ...(started.subscription !== undefined && { subscription: started.subscription }),
      ...(started.timer !== undefined && { timer: started.timer }),
    },
    ledger: remembers
      ? remember(snapshot.ledger, { id: request.id, fingerprint: fingerprint(request), operation })
      : snapshot.ledger,
  };
}
