import type { AnyEntity } from '../definition/entity.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { EMPTY_LEDGER } from './ledger.js';

/** An entity as it comes to be: in its initial state, before any event. */
export function newborn(entity: AnyEntity, ref: EntityRef, life: string, now: number): Snapshot {
  // An unstable initial state runs its action on creation (S1.4), which is an engagement like any other.
  const id = `${entityId(ref)}#${life}/created`;
  const [state, declared] = Object.entries(entity.states).find(([, { initial }]) => initial)!;
  return {
    type: ref.type,
    key: ref.key,
    life,
    bornAt: now,
    state,
    version: 0,
    entry: 0,
    enteredAt: now,
    ticks: {},
    properties: entity.properties.parse({}),
    attempt: 0,
    exhausted: false,
    ...(declared.stability === 'unstable' && { nextAttemptAt: now, operation: { id, open: true } }),
    engagements:
      declared.stability === 'unstable'
        ? [
            {
              id,
              event: 'created',
              eventType: 'raised',
              operation: id,
              opened: false,
              startState: state,
              startedAt: now,
              caused: [],
            },
          ]
        : [],
    waiting: [],
    awaiting: [],
    successors: [],
    watchers: [],
    used: [],
    judgements: [],
    ledger: EMPTY_LEDGER,
  };
}
