import { CREATED } from '../../definition/created.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import { raisedAt } from '../../protocol/request-id.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { tellAccepted } from '../successors/acceptance.js';
import { inChain, lengthened } from '../rules/chain.js';
import { initialState } from '../rules/construction.js';
import type { Contents } from '../rules/contents.js';
import { waitOf } from '../rules/property-times.js';
import { EMPTY_LEDGER, fingerprintOf, remember } from '../ledger/ledger.js';
import { recordStart, recordTransition } from '../engagements/records.js';
import { countStart } from '../engagements/start-order.js';
import { andThen, type Step } from '../rules/step.js';
import { settleOrGoOn } from './transition.js';
import { calendarAtBirth } from '../triggers/calendar.js';
import { watchedBy } from '../engagements/watchers.js';

/** A new entity: in its initial state, before any event. */
export function newborn(
  entity: AnyEntity,
  ref: EntityRef,
  life: string,
  now: number,
  { properties, links, subordinates }: Contents,
  tenant?: string,
): Snapshot {
  const state = initialState(entity);
  const { stability, wait } = entity.states[state]!;
  return {
    type: ref.type,
    key: ref.key,
    life,
    ...(entity.schema > 1 && { schema: entity.schema }),
    bornAt: now,
    ...(tenant !== undefined && { tenant }),
    state,
    version: 0,
    entry: 0,
    enteredAt: now,
    ticks: {},
    ...calendarAtBirth(entity, state, { properties, links, subordinates }, now),
    properties,
    links,
    subordinates,
    attempt: 0,
    exhausted: false,
    ...(stability === 'unstable' && { nextAttemptAt: now + waitOf({ properties }, wait) }),
    engagements: [],
    waiting: [],
    awaiting: [],
    reservers: [],
    fence: 0,
    holds: [],
    successors: [],
    watchers: [],
    used: [],
    judgements: [],
    ledger: EMPTY_LEDGER,
  };
}

/**
 * Begins the life of an entity that is created without an event. Its creation is an engagement like any other. It ends at once,
 * or, with an unstable initial state, after the actions that this state runs. S1.4, S2.1
 */
export function comeToBe(entity: AnyEntity, snapshot: Snapshot, creation: RaiseRequest | undefined, now: number): Step {
  const ownId = () => raisedAt(`${entityId(snapshot)}#${snapshot.life}/${CREATED}`, snapshot.bornAt);
  const request = creation ?? { id: ownId(), event: CREATED };
  const { id, from, operation = id, position = '1' } = request;
  const ledger = remember(snapshot.ledger, request);
  const fingerprint = fingerprintOf(ledger, id);
  const born: Snapshot = {
    ...inChain(snapshot, from && lengthened(request.chain, entityId(snapshot), CREATED), now),
    operation: { id: operation, open: true, position },
    engagements: [
      {
        id,
        event: CREATED,
        eventType: 'raised',
        operation,
        opened: request.operation !== undefined,
        position,
        startState: snapshot.state,
        startVersion: snapshot.version,
        startedAt: now,
        transitions: 0,
        caused: [],
        ...(request.awaited && from && { awaiter: { type: from.type, key: from.key, life: from.life } }),
        ...(fingerprint !== undefined && { fingerprint }),
      },
    ],
    ...countStart(snapshot, now),
    watchers: watchedBy(snapshot, from, operation),
    ledger,
  };
  const told = {
    snapshot: born,
    effects: [...tellAccepted(born, request), recordStart(entity, born, born.engagements[0]!)],
  };
  const entered = andThen(told, (created) => recordTransition(entity, snapshot, created, { outcome: 'success' }, now));
  return andThen(entered, (recorded) => settleOrGoOn(entity, recorded, now));
}
