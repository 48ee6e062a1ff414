/*
 * The records that an entity sends to the store. S5.1
 *
 * records.1. Each transition has one record, made in the decision that makes the transition.
 * records.2. Each event has a record when it is accepted and one when it has ended. So has an event that was rejected when
 *     somebody could already wait for it.
 * records.3. The record of the event with which an operation has ended also tells of the operation, where that has no workflow
 *     of its own.
 * records.4. The rows of an event keep the dimensions that it began with, wherever it leads the entity.
 * records.5. The changes of all transitions up to a version make what the entity held then, except for what is too large.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import { isCancelOf } from '../../protocol/cancel-id.js';
import { type EngagementOutcome, errorOfOnly, outcomeOfOnly } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Dimensions, EventRecord, OutcomeDetails, TransitionRecord } from '../../protocol/records.js';
import type { Engagement, Snapshot } from '../../protocol/snapshot.js';
import { changedContents } from '../rules/changed-contents.js';
import type { Contents } from '../rules/contents.js';
import { dimensionsOf, dimensionsOfEvent } from '../rules/dimensions.js';
import { inStartOrder } from './start-order.js';
import { erredIn } from './was-in-error.js';
import { healthOf } from '../rules/standing.js';
import { isAtRest, type Effect, type Step } from '../rules/step.js';

/** How the action of a transition ended. */
export interface ActionEnd {
  readonly outcome: TransitionRecord['outcome'];
  readonly error?: ErrorRecord;
  /** The contents of the entity before the action; absent where the action has changed nothing of them. */
  readonly held?: Contents;
}

/** Records the transition from one snapshot to the next, and counts it for the latest event. records.1 */
export function recordTransition(
  entity: AnyEntity,
  before: Snapshot,
  after: Snapshot,
  { outcome, error, held = before }: ActionEnd,
  now: number,
): Step {
  const engagement = after.engagements.at(-1)!;
  const { running } = before;
  const automatic = running?.kind === 'automatic';
  const ordinal = engagement.transitions + 1;
  const record: TransitionRecord = {
    kind: 'transition',
    entity: livingRef(after),
    version: after.version,
    operation: engagement.operation,
    event: engagement.id,
    ordinal,
    type: running === undefined ? 'Event' : automatic ? 'AutoAction' : 'EventAction',
    ...(running && { action: running.action, actionStartedAt: running.startedAt }),
    ...(running?.calls && { calls: running.calls.steps }),
    startState: before.state,
    startHealth: healthOf(entity, before),
    startEnteredAt: before.enteredAt,
    startedAt: running?.startedAt ?? engagement.startedAt,
    retries: automatic ? before.attempt - 1 : 0,
    endState: after.state,
    endHealth: healthOf(entity, after),
    at: now,
    outcome,
    ...(error && { error }),
    ...changesMember(held, after),
    ...(after.tenant !== undefined && { tenant: after.tenant }),
  };
  const found = ordinal === 1 && Object.keys(entity.dimensions).length > 0;
  const placed = found ? { ...engagement, dimensions: dimensionsOf(entity, after) } : engagement;
  const counted = noteError({ ...placed, transitions: ordinal }, error);
  const { erredIn: _, ...rest } = after;
  const snapshot: Snapshot = {
    ...rest,
    ...erredIn(entity, before, after, engagement.operation),
    engagements: [...after.engagements.slice(0, -1), counted],
  };
  const told: Effect = { kind: 'record', record };
  // The first record of the event was made before its dimensions were known, and the last one may come much later. records.4
  return found && !isAtRest(entity, after)
    ? { snapshot, effects: [told, recordStart(entity, snapshot, counted)] }
    : { snapshot, effects: [told] };
}

/**
 * Records the way to a newer schema: the event, which has ended with it, and its one transition. It belongs to no operation
 * that is under way, and its own has no workflow. Q2
 * @param engagement the event, as it stands for the migration
 */
export function recordMigration(
  entity: AnyEntity,
  before: Snapshot,
  after: Snapshot,
  engagement: Engagement,
  now: number,
): Effect {
  const endHealth = healthOf(entity, after);
  const record: TransitionRecord = {
    kind: 'transition',
    entity: livingRef(after),
    version: after.version,
    operation: engagement.operation,
    event: engagement.id,
    ordinal: 1,
    type: 'Migration',
    startState: before.state,
    // The state that it had may not be declared any more.
    startHealth: entity.states[before.state] ? healthOf(entity, before) : endHealth,
    startEnteredAt: before.enteredAt,
    startedAt: now,
    retries: 0,
    endState: after.state,
    endHealth,
    at: now,
    outcome: 'success',
    ...changesMember(before, after),
    ...(after.tenant !== undefined && { tenant: after.tenant }),
  };
  return { kind: 'record', record };
}

/** Of the first transition, everything is new: what it was created with counts as changed by it. records.5 */
function changesMember(held: Contents, after: Snapshot): Pick<TransitionRecord, 'changes'> {
  const changes = changedContents(held, after);
  if (after.version > 1) return changes.length > 0 ? { changes } : {};
  // Version 0 has a transition only where the entity was created without an event.
  const gone = changes.filter(({ value, leftOut }) => value === undefined && !leftOut);
  return { changes: [...gone, ...changedContents(NOTHING, after)] };
}

const NOTHING: Contents = { properties: {}, links: {}, subordinates: {} };

/** Notes the error of an action. An action that ends well clears it. */
function noteError({ exception, ...engagement }: Engagement, error: ErrorRecord | undefined): Engagement {
  if (!error) return engagement;
  const { stack: _, ...reported } = error;
  const last = error.kind === 'defect' ? error : exception;
  return { ...engagement, reported, ...(last && { exception: last }) };
}

/** An event has been accepted. records.2 */
export function recordStart(entity: AnyEntity, snapshot: Snapshot, engagement: Engagement): Effect {
  return { kind: 'record', record: eventRecord(entity, snapshot, engagement) };
}

/** An event has ended, and with it an operation that has no workflow of its own. records.2, records.3 */
export function recordEnd(
  entity: AnyEntity,
  snapshot: Snapshot,
  engagement: Engagement,
  outcome: EngagementOutcome,
  now: number,
): Effect {
  const { state, version, health } = outcome;
  const error = errorOfOnly(outcome);
  const details = detailsOf(outcome);
  const end = {
    ...{ endState: state, endHealth: health, endVersion: version, endedAt: now },
    ...(details && { endDetails: details }),
    ...(isCanceled(snapshot, engagement) && { canceled: true as const }),
    ...(!engagement.opened && { ends: { outcome: outcomeOfOnly(outcome), ...(error && { error }) } }),
  };
  return { kind: 'record', record: eventRecord(entity, snapshot, engagement, end) };
}

/** Tells whether an event settles together with a cancel of its operation that has moved the entity. S4.7, S5.1 */
function isCanceled({ engagements, version }: Snapshot, { id, operation, startVersion }: Engagement): boolean {
  return engagements.some(
    (each) =>
      each.id !== id &&
      each.operation === operation &&
      isCancelOf(operation, each.id) &&
      each.startVersion >= startVersion &&
      each.startVersion < version,
  );
}

/** The details of an outcome that do not follow from the other members of the record; mostly none. */
function detailsOf(outcome: EngagementOutcome): OutcomeDetails | undefined {
  const { state: _state, version: _version, health: _health, waiting, ...others } = outcome;
  if (!waiting && Object.keys(others).length === 0) return undefined;
  return waiting ? { waiting, ...others } : others;
}

function eventRecord(
  entity: AnyEntity,
  snapshot: Snapshot,
  engagement: Engagement,
  end?: Pick<EventRecord, 'endState' | 'endHealth' | 'endVersion' | 'endDetails' | 'endedAt' | 'canceled' | 'ends'>,
): EventRecord {
  const { id, operation, position, event, eventType, startState, startVersion, startedAt } = engagement;
  const { startOrder, fingerprint } = engagement;
  return {
    kind: 'event',
    ...{ id, operation, position, event, eventType, startState, startVersion, startedAt },
    ...(startOrder !== undefined && { startOrder }),
    ...(fingerprint !== undefined && { fingerprint }),
    entity: livingRef(snapshot),
    ...(engagement.reported && { error: engagement.reported }),
    ...(engagement.exception && { exception: engagement.exception }),
    restarts: engagement.restarts ?? 0,
    dimensions: dimensionsOfEvent(entity, snapshot, engagement),
    ...end,
  };
}

/** Records the rejection of an event for which an operation or another entity waits. records.2 */
export function recordRejected(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  { code, message }: Rejection,
  now: number,
): Effect {
  const record: EventRecord = {
    kind: 'event',
    id: request.id,
    entity: livingRef(snapshot),
    operation: request.operation ?? request.id,
    position: request.position ?? '1',
    event: request.event,
    eventType: 'raised',
    startState: snapshot.state,
    startVersion: snapshot.version,
    startedAt: now,
    ...inStartOrder(snapshot, now),
    endState: snapshot.state,
    endHealth: healthOf(entity, snapshot),
    endedAt: now,
    error: { kind: 'rejected', code, message },
    restarts: 0,
    dimensions: dimensionsOf(entity, snapshot),
  };
  return { kind: 'record', record };
}

/** Gives what the record of an operation needs to know of an event that has ended. */
export function forOperation(
  entity: AnyEntity,
  snapshot: Snapshot,
  engagement: Engagement,
  now: number,
): { readonly dimensions?: Dimensions; readonly at?: number; readonly restarts?: number } {
  const { position, restarts } = engagement;
  const isRoot = position === '1';
  const dimensions = isRoot ? dimensionsOfEvent(entity, snapshot, engagement) : {};
  return {
    ...(isRoot && { at: now }),
    ...(Object.keys(dimensions).length > 0 && { dimensions }),
    ...(restarts !== undefined && { restarts }),
  };
}

export function livingRef({ type, key, life }: Snapshot) {
  return { type, key, life };
}
