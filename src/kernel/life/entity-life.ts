/*
 * The life of one entity, run by run: the same on every driver.
 *
 * entity-life.1. Where only the store knows whether the event that creates is new to the key, the store is asked before
 *     anything else. The event that creates is admitted before anything else can come in.
 * entity-life.2. An event that was rejected creates nothing, and what comes meanwhile is answered as if nobody were there.
 * entity-life.3. Malformed input never fails the run: it is refused, or recorded and dropped.
 */
import { CREATED } from '../../definition/created.js';
import type { AnyImplementation } from '../../definition/actions.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Creation } from '../../protocol/creation.js';
import type { RefusedBirth, Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, parseEntityId, type EntityRef } from '../../protocol/names.js';
import { newerEntityMessage, olderRunMessage } from '../../protocol/other-schema.js';
import { parseCreation, parseEntityMessage, parseRequests } from '../../protocol/parse.js';
import type { PastRequest } from '../../protocol/past-request.js';
import { schemaVersionOf, type Ledger, type OlderContents, type Snapshot } from '../../protocol/snapshot.js';
import type { CarriedRecords } from '../../recording/record-outbox.js';
import { comeToBe, newborn } from '../actions/birth.js';
import { checkKey, construct, initialState } from '../rules/construction.js';
import { migrationHindrance } from '../migration/hindrance.js';
import { migrate } from '../migration/migrate.js';
import { olderContents } from '../migration/older-contents.js';
import type { EntityDriver } from '../run/driver.js';
import { firstLedger, inheritLedger, isDoubtful } from '../ledger/ledger.js';
import type { Message } from '../run/outbox.js';
import { unbornHandlers } from './unborn.js';
import type { Refusal } from '../rules/decide.js';
import { eventTooLarge } from '../rules/event-size.js';
import { refusePermission, tenantAtBirth } from '../rules/permission.js';
import { presentName, underPresentName } from '../rules/present-name.js';
import { askUntilTold, type Told } from '../run/ask-store.js';
import { followedElsewhere, pastWord, repeatedAnswer } from '../engagements/repeat.js';
import { EntityRunner } from './runner.js';
import { endRejected } from '../engagements/settle.js';
import { andThen, type Effect, type Step } from '../rules/step.js';
import { react } from '../triggers/subscription.js';

/** The input with which a run is started: a creation, or the snapshot that the run before it ended with. */
export type EntityInput =
  | Creation
  | {
      readonly kind: 'continue';
      readonly snapshot: Snapshot;
      /** When that run ended, in milliseconds since 1970. */
      readonly at: number;
      /** The contents that builds of older schemas find of it, by their schemas. Q2 */
      readonly older?: Readonly<Record<number, OlderContents>>;
      /** The messages that the run before it has left to send, in order. outbox.4 */
      readonly unsent?: readonly Message[];
      /** The records that have yet to go to the store. S5.2 */
      readonly records?: CarriedRecords;
    };

/** How a run ends. */
export type EntityRunEnd =
  /** The entity was deleted. This is its last snapshot. */
  | { readonly kind: 'closed'; readonly snapshot: Snapshot }
  /**
   * The entity goes on in a new run, on whichever build takes it; on the `same` one where what it has begun is still under way, or its way
   * back fails. Q2
   */
  | { readonly kind: 'rollover'; readonly next: EntityInput; readonly build: 'newest' | 'same' }
  | Refused;

/** The entity was not created. It passes on what it would have inherited, so that this is not lost. */
interface Refused {
  readonly kind: 'refused';
  readonly birth: RefusedBirth;
  readonly inherits?: Snapshot;
}

/** One run of an entity, until it is deleted or goes on in a new run. */
export async function runEntity(
  implementation: AnyImplementation,
  driver: EntityDriver,
  input: EntityInput | undefined,
): Promise<EntityRunEnd> {
  let born = birth(implementation, driver, input);
  if (born.kind === 'asks') {
    born = birth(implementation, driver, input, await askUntilTold(driver, born.of, born.ledger, born.request));
  }
  if (born.kind === 'asks') throw new Error('What the store has said is asked no more.');
  if (born.kind === 'refused') return born;
  const runner = new EntityRunner(implementation, driver, born.start, input?.kind === 'continue', born.carried);
  const answer = born.kind === 'born' && born.event ? runner.reception.admit(born.event) : undefined;
  const unborn =
    born.kind === 'unborn'
      ? born.end
      : answer?.status === 'rejected'
        ? refused(implementation.entity, answer.rejection, born.event, born.inherits)
        : undefined;
  if (unborn) {
    driver.serve(unbornHandlers(runner, born.inherits));
    await driver.until(() => runner.live.outbox.empty && driver.handlersFinished());
    await runner.live.records.leave();
    return unborn;
  }

  const present = (request: RaiseRequest) => underPresentName(implementation.entity, request);
  driver.serve({
    snapshot: () => runner.live.snapshot,
    transitionsAfter: (version) => runner.live.records.transitionsAfter(version),
    get waits() {
      return runner.live.waits;
    },
    refuse: (requests) => {
      const problem = parseRequests(requests);
      if (problem) return { kind: 'malformed', problem };
      if (runner.closing) return { kind: 'closing' };
      const answers = runner.reception.rejectAll(requests.map(present));
      return answers && { kind: 'rejected', answers };
    },
    raise: (requests) => runner.raise(requests.map(present)),
    tells: (event) => runner.reception.tells(event),
    outcome: (event) => runner.reception.outcome(event),
    message: (message, signal = 'message') => {
      const problem = parseEntityMessage(message);
      if (problem) runner.hearing.drop(signal, problem);
      else runner.hearing.message(underPresentNames(message as EntityMessage, present));
    },
    dropSignal: (name, problem) => runner.hearing.dropMalformed(name, problem),
    signal: (name, ...args) => runner.hearing.signal(presentName(implementation.entity, name), args),
  });

  const end = await runner.run();
  if (end === 'rollover') {
    return nextRun(implementation.entity, runner, driver);
  }
  do {
    await runner.live.records.leave();
    await driver.until(() => runner.live.outbox.empty && driver.handlersFinished());
  } while (runner.live.records.carried());
  return { kind: 'closed', snapshot: runner.live.snapshot };
}

/** A message with the present names of the events that it brings. */
function underPresentNames(message: EntityMessage, present: (request: RaiseRequest) => RaiseRequest): EntityMessage {
  switch (message.kind) {
    case 'raise':
      return { ...message, request: present(message.request) };
    case 'seal':
      return { ...message, first: present(message.first) };
    default:
      return message;
  }
}

function nextRun(entity: AnyEntity, runner: EntityRunner, driver: EntityDriver): EntityRunEnd {
  const { snapshot, outbox, records } = runner.live;
  const [carried, unsent] = [records.carried(), outbox.kept];
  const next = {
    kind: 'continue',
    snapshot,
    at: driver.now(),
    ...(unsent.length > 0 && { unsent }),
    ...(carried && { records: carried }),
  } as const;
  if (migrationHindrance(snapshot) !== undefined) return { kind: 'rollover', next, build: 'same' };
  const back = olderContents(entity, snapshot);
  if (!back.found) {
    driver.warn(back.problem, {});
    return { kind: 'rollover', next, build: 'same' };
  }
  const { older } = back;
  return { kind: 'rollover', next: { ...next, ...(Object.keys(older).length > 0 && { older }) }, build: 'newest' };
}

/** How a run begins. */
type Birth =
  | {
      readonly kind: 'born';
      readonly start: Step;
      readonly carried?: CarriedRecords | undefined;
      /** The event that creates, to be admitted first. */
      readonly event?: RaiseRequest;
      readonly inherits?: Snapshot | undefined;
    }
  /** The entity does not come to be: it cannot be created, or an earlier life has had the request. */
  | {
      readonly kind: 'unborn';
      readonly start: Step;
      readonly carried?: undefined;
      readonly end: EntityRunEnd;
      readonly inherits?: Snapshot | undefined;
    }
  | Refused
  /** Only the store knows whether the key has had this request before. */
  | { readonly kind: 'asks'; readonly of: EntityRef; readonly ledger: Ledger; readonly request: RaiseRequest };

function birth(
  { entity }: AnyImplementation,
  driver: EntityDriver,
  input: EntityInput | undefined,
  told?: Told,
): Birth {
  if (input?.kind === 'continue') {
    driver.reach(input.at);
    return { kind: 'born', start: goOn(entity, driver, input), carried: input.records };
  }
  const { id, life } = driver.identity;
  const ref: EntityRef | undefined = parseEntityId(id);
  const malformed = input === undefined ? undefined : parseCreation(input);
  if (!ref || ref.type !== entity.name || malformed) {
    const reason = malformed ?? `a workflow of type ${entity.name} has an id like ${entity.name}/orders, not '${id}'`;
    const rejection = { code: 'malformed', message: `Not started: ${reason}.`, entity: id, event: CREATED };
    return refused(entity, rejection);
  }
  const { request: given, inherits } = input ?? {};
  const request = given && underPresentName(entity, given);
  const nobody = () => newborn(entity, ref, life, driver.now(), NOTHING);
  if (inherits && request && repeatedAnswer(inherits, request)) {
    const end = { kind: 'closed', snapshot: inherits } as const;
    return { kind: 'unborn', start: { snapshot: nobody(), effects: [] }, end, inherits };
  }
  const inherited = inherits ? inheritLedger(inherits) : firstLedger(driver.now(), driver.ledgerSizes, input?.again);
  if (!told && request && isDoubtful(inherited, request)) return { kind: 'asks', of: ref, ledger: inherited, request };
  const { ledger, past }: Told = told ?? { ledger: inherited };
  if (request && past) return repeated(entity, ref, request, past, nobody(), inherits);
  const event = request?.event ?? CREATED;
  const constructed =
    checkKey(entity, ref, event) ?? tooLargeAtBirth(ref, request) ?? construct(entity, ref, event, request?.construct);
  if (!constructed.accepted) {
    const { rejection } = constructed;
    const snapshot = nobody();
    const effects = request ? endRejected(entity, snapshot, request, rejection, driver.now()) : [];
    return unbornBy(entity, rejection, request, { snapshot, effects }, inherits);
  }
  const first = newborn(entity, ref, life, driver.now(), constructed.contents, tenantAtBirth(entity, request));
  const snapshot = { ...first, ledger };
  const forbidden = request && refusePermission(entity, snapshot, request);
  if (forbidden) {
    const effects = endRejected(entity, snapshot, request, forbidden, driver.now());
    return unbornBy(entity, forbidden, request, { snapshot, effects }, inherits);
  }
  return request && event !== CREATED
    ? { kind: 'born', start: { snapshot, effects: [] }, event: request, inherits }
    : { kind: 'born', start: comeToBe(entity, snapshot, request, driver.now()), inherits };
}

/**
 * Goes on from the last run: what that has left comes first. An entity of an older schema is migrated, unless what an older build
 * has begun is still under way. One of a newer schema is taken back, where the newer build has made for it what this one reads. Q2
 * @throws Error where this build cannot go on with it: that fails the task, and the entity stays as it is
 */
function goOn(
  entity: AnyEntity,
  driver: EntityDriver,
  { snapshot: last, at, unsent = [], older: made }: Extract<EntityInput, { kind: 'continue' }>,
): Step {
  const older = schemaVersionOf(last) > entity.schema ? made?.[entity.schema] : undefined;
  const wrongBuild = refuseSchema(entity, last, driver, older);
  if (wrongBuild !== undefined) throw new Error(wrongBuild);
  const before: Step = { snapshot: last, effects: unsent };
  const now = driver.now();
  if (schemaVersionOf(last) !== entity.schema && migrationHindrance(last) === undefined) {
    return andThen(before, (old) => migrate(entity, old, now, { at }, older));
  }
  if (!last.rollingOver) return before;
  const { rollingOver: _, leaving: _since, ...snapshot } = last;
  return andThen({ snapshot, effects: unsent }, (each) => react(entity, each, now));
}

/** Why this build cannot go on with an entity: the entity has come to a newer schema, or its run is one of an older build. */
function refuseSchema(
  entity: AnyEntity,
  last: Snapshot,
  driver: EntityDriver,
  older: OlderContents | undefined,
): string | undefined {
  const stored = schemaVersionOf(last);
  const { name, schema } = entity;
  const apart = { entity: entityId(last), type: name, stored, schema };
  if (stored > schema && !older) return newerEntityMessage(apart);
  return stored === schema || driver.beganAt(schema) ? undefined : olderRunMessage(apart);
}

function tooLargeAtBirth(ref: EntityRef, request: RaiseRequest | undefined): Refusal | undefined {
  const rejection = request && eventTooLarge(ref, request);
  return rejection && { accepted: false, rejection };
}

/** Ends a run whose request an earlier life has had, as only the store knew: the request creates no new life. S1.3, S2.5 */
function repeated(
  entity: AnyEntity,
  ref: EntityRef,
  request: RaiseRequest,
  past: PastRequest,
  snapshot: Snapshot,
  inherits: Snapshot | undefined,
): Birth {
  const { from, id, event } = request;
  const name = entityId(ref);
  const message = `Not started: the request '${id}' has been raised on ${name} before, and runs nothing again.`;
  const rejection = { code: 'request_repeated', message, entity: name, event };
  const report = from && pastWord(ref, request, past);
  const effects: readonly Effect[] = report
    ? [
        { kind: 'send', to: { type: from.type, key: from.key }, message: report },
        ...followedElsewhere(report.from, request, past.operation),
      ]
    : [];
  return unbornBy(entity, rejection, request, { snapshot, effects }, inherits);
}

function unbornBy(
  entity: AnyEntity,
  rejection: Rejection,
  request: RaiseRequest | undefined,
  start: Step,
  inherits: Snapshot | undefined,
): Birth {
  return { kind: 'unborn', start, end: refused(entity, rejection, request, inherits), inherits };
}

const NOTHING = { properties: {}, links: {}, subordinates: {} };

function refused(entity: AnyEntity, rejection: Rejection, request?: RaiseRequest, inherits?: Snapshot): Refused {
  const tenant = request && tenantAtBirth(entity, request);
  const birth = {
    ...(request && { request: request.id }),
    ...(tenant !== undefined && { tenant }),
    ...{ state: initialState(entity), rejection },
  };
  return { kind: 'refused', birth, ...(inherits && { inherits }) };
}
