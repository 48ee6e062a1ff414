import type { RaiseRequest } from '../protocol/messages.js';
import { entityId } from '../protocol/names.js';
import type { Engagement, Snapshot } from '../protocol/snapshot.js';
import { remember } from './ledger.js';

/** Starts the action of an event that is valid. */
export function begin(
  snapshot: Snapshot,
  request: RaiseRequest,
  started: {
    readonly action: string;
    readonly params: unknown;
    readonly eventType: Engagement['eventType'];
    readonly subscription?: string;
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
    },
    // Nobody else can repeat what the entity raises on itself.
    ledger: started.eventType === 'raised' ? remember(snapshot.ledger, request) : snapshot.ledger,
  };
}
