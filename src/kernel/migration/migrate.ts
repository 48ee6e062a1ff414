/*
 * How an entity comes to a newer schema, when a run begins with an older one. Q2
 *
 * migrate.1. It is one transition, of type Migration, with an operation of its own. It takes effect as a whole, or the entity stays
 *     as it was.
 * migrate.2. Ledger, outbox, open engagements, successors and judgements stay as they are. Events that wait get the present name,
 *     and are decided one by one when their turn comes, like any other: what no longer fits gets its declared rejection, and its
 *     operation is told.
 * migrate.3. A pattern that is there already counts as used up, unless it has appeared since the old run left; a deadline or
 *     time-out whose time was over already begins anew; a timer that is new ticks from now on. S4.3, S4.5
 * migrate.4. Where state, health or waiting of an entity at rest are others than before, its watchers and operations are told, as
 *     when it settles.
 * migrate.5. A build of an older schema that takes an entity back does the same with what the newer build has made of it. It is a
 *     migration too: no entity changes its schema without a row.
 */
import type { AnyEntity } from '../../definition/entity.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import { entityId, MIGRATE_EVENT } from '../../protocol/names.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { raisedAt } from '../../protocol/request-id.js';
import type { Engagement, OlderContents, Snapshot } from '../../protocol/snapshot.js';
import { openOperations } from '../engagements/open.js';
import { recordEnd, recordMigration, recordStart } from '../engagements/records.js';
import { outcomeOf, settle } from '../engagements/settle.js';
import { countStart, inStartOrder } from '../engagements/start-order.js';
import { counted } from '../rules/due-subscription.js';
import { matches } from '../rules/matching.js';
import { underPresentName } from '../rules/present-name.js';
import { andThen, isAtRest, type Step } from '../rules/step.js';
import { react } from '../triggers/subscription.js';
import { waitOf } from '../rules/property-times.js';
import { unmetGuard } from '../rules/event-guard.js';
import { calendarAfterMigration } from '../triggers/calendar.js';
import { dueAt, oneShots } from '../rules/one-shots.js';
import { ticksAfterMigration } from '../triggers/timers.js';
import { migrateContents, type MigratedContents } from './migrated-contents.js';

/** When the run ended that an older build has made, and from what on it did nothing by itself any more. */
export interface EndOfOldRun {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Brings an entity to the schema of its declaration.
 * @param older what a build of a newer schema has made of it for this one
 * @throws Error where a migration throws, or gives what the declaration forbids: that fails the task, and the entity waits for a
 *     build that can do it
 */
export function migrate(
  entity: AnyEntity,
  old: Snapshot,
  now: number,
  { at }: EndOfOldRun,
  older?: OlderContents,
): Step {
  const result = migrateContents(entity, old, older);
  if (!result.migrated) throw new Error(result.problem);
  const known = old.leaving?.since ?? at;
  const moved = inNewState(entity, old, result, now);
  const clocks = clocksAfter(entity, moved, result.moved ? {} : (old.clocks ?? {}), known, now);
  const { calendar: _calendar, ...still } = moved;
  const ticks = ticksAfterMigration(entity, moved, now);
  const timed: Snapshot = { ...still, ticks, ...calendarAfterMigration(entity, moved, result.moved, now), ...clocks };
  const present = withPresentNames(entity, timed, older?.events);
  const migrated: Snapshot = { ...present, used: usedAfter(entity, present, old.leaving?.unmatched ?? []) };
  const event = migrationEvent(entity, old, now);
  const recorded: Step = {
    snapshot: { ...migrated, ...countStart(old, now) },
    effects: [recordMigration(entity, old, migrated, event, now)],
  };
  return andThen(
    andThen(recorded, (after) => endMigration(entity, old, after, event, now)),
    (after) => react(entity, after, now),
  );
}

/** The entity with its new contents: in the same state, though that may have another name, or newly in another one. */
function inNewState(
  entity: AnyEntity,
  old: Snapshot,
  { state, moved, contents }: Extract<MigratedContents, { migrated: true }>,
  now: number,
): Snapshot {
  const { stability, wait } = entity.states[state]!;
  const { nextAttemptAt, leaving: _leaving, rollingOver: _rollingOver, clocks: _clocks, ...rest } = old;
  const due = now + waitOf(contents, wait);
  const attempts = stability === 'unstable' ? { nextAttemptAt: (moved ? undefined : nextAttemptAt) ?? due } : {};
  const next: Snapshot = { ...rest, ...contents, state, schema: entity.schema, version: old.version + 1 };
  if (moved) {
    const { callbacks: _c, addresses: _a, exhaustedAt: _e, rejectedRaises: _r, ...left } = next;
    return { ...left, ...attempts, entry: old.entry + 1, enteredAt: now, attempt: 0, exhausted: false, used: [] };
  }
  const stays = stability === 'unstable' ? {} : { attempt: 0, exhausted: false };
  return { ...next, ...stays, ...(old.exhausted ? {} : attempts) };
}

/** migrate.3 */
function clocksAfter(
  entity: AnyEntity,
  { state, enteredAt, properties }: Snapshot,
  before: NonNullable<Snapshot['clocks']>,
  known: number,
  now: number,
): Pick<Snapshot, 'clocks'> {
  const running = oneShots(entity, state).flatMap((each) => {
    const { name, at } = each;
    const since = before[name] ?? enteredAt;
    // A time in a property is over only once its event was raised.
    const wasOver = at === undefined && (dueAt({ properties, enteredAt, clocks: before }, each) ?? Infinity) <= known;
    return wasOver ? [[name, now] as const] : name in before ? [[name, since] as const] : [];
  });
  return running.length > 0 ? { clocks: Object.fromEntries(running) as NonNullable<Snapshot['clocks']> } : {};
}

/** migrate.2 @param oldNames the names of events in the build of an older schema that takes the entity back, by those that they had last */
function withPresentNames(
  entity: AnyEntity,
  snapshot: Snapshot,
  oldNames: Readonly<Record<string, string>> = {},
): Snapshot {
  const { waiting, doubted } = snapshot;
  const renamed = (request: RaiseRequest): RaiseRequest => {
    const known = Object.hasOwn(entity.events, request.event) ? undefined : oldNames[request.event];
    return underPresentName(entity, known === undefined ? request : { ...request, event: known });
  };
  const named = (message: EntityMessage): EntityMessage =>
    message.kind === 'raise' ? { ...message, request: renamed(message.request) } : message;
  return {
    ...snapshot,
    waiting: waiting.map(renamed),
    ...(doubted && { doubted: doubted.map(named) }),
  };
}

/** The subscriptions whose match is used up: those that were, and those whose pattern was there already. migrate.3 */
function usedAfter(entity: AnyEntity, migrated: Snapshot, unmatched: readonly string[]): readonly string[] {
  return Object.entries(entity.subscriptions).flatMap(([name, subscription]) => {
    const { when, among } = subscription;
    if (migrated.used.includes(name)) return [name];
    const isValid =
      isSubscribedIn(entity, subscription, migrated.state) && !unmetGuard(entity, migrated, subscription.raise);
    const isThere = isValid && !unmatched.includes(name) && matches(when, counted(migrated, among));
    return isThere ? [name] : [];
  });
}

function migrationEvent(entity: AnyEntity, old: Snapshot, now: number): Engagement {
  const inError = old.exhausted || entity.states[old.state]?.health === 'error';
  const id = raisedAt(`${entityId(old)}#${old.life}/${old.version}/${MIGRATE_EVENT}`, now);
  return {
    id,
    event: MIGRATE_EVENT,
    eventType: 'raised',
    operation: id,
    opened: false,
    position: '1',
    startState: old.state,
    startVersion: old.version,
    startedAt: now,
    ...inStartOrder(old, now),
    transitions: 1,
    caused: [],
    ...(inError && { wasInError: true }),
  };
}

/** Ends the event of the migration where the entity stands still, or lets it go on with what the state does. migrate.1, migrate.4 */
function endMigration(entity: AnyEntity, old: Snapshot, migrated: Snapshot, event: Engagement, now: number): Step {
  const rests = isAtRest(entity, migrated);
  if (!rests && migrated.engagements.length === 0) {
    const operation = { id: event.operation, open: true, position: event.position };
    const begun: Snapshot = { ...migrated, engagements: [event], operation };
    return andThen({ snapshot: begun, effects: [recordStart(entity, begun, event)] }, (each) =>
      openOperations(entity, each),
    );
  }
  const standing = outcomeOf(entity, migrated);
  const outcome = { ...standing, ...(event.wasInError && standing.health === 'error' && { wasInError: true }) };
  const ended: Step = { snapshot: migrated, effects: [recordEnd(entity, migrated, event, outcome, now)] };
  const stands = migrated.engagements.length === 0 && (outcome.waiting || migrated.awaiting.length === 0);
  const looksTheSame = migrated.state === old.state && migrated.exhausted === old.exhausted;
  if (!rests || (stands && looksTheSame)) return ended;
  return andThen(ended, (each) => settle(entity, each, now));
}
