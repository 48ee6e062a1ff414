/*
 * Requests that have been raised before. S2.5
 */
import type { Answer } from '../../protocol/answer.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Report } from '../../protocol/report.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { LivingRef } from '../../protocol/refs.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { PastRequest } from '../../protocol/past-request.js';
import type { LedgerEntry, Snapshot } from '../../protocol/snapshot.js';
import { currentOperation } from '../rules/decide.js';
import { hasContent } from '../ledger/fingerprint.js';
import { EMPTY_LEDGER, recall } from '../ledger/ledger.js';
import type { Effect } from '../rules/step.js';
import { waitsBehind } from '../rules/reserved.js';
import { rejectedOutcome } from './settle.js';

/** The part of a snapshot that is needed to answer a request that is known. */
type Knowing = Pick<Snapshot, 'type' | 'key' | 'life' | 'state' | 'version' | 'ledger' | 'engagements' | 'operation'>;

/** The answer to a request that the entity or the store (`past`) knows already; nothing for a new one. */
export function repeatedAnswer(snapshot: Snapshot, request: RaiseRequest, past?: PastRequest): Answer | undefined {
  const recalled = recall(snapshot.ledger, request, past);
  if (!recalled) return undefined;
  const behind = snapshot.waiting.some(({ id }) => id === request.id) ? waitsBehind(snapshot, request) : undefined;
  return known(snapshot, request, recalled.same, recalled.entry, behind);
}

function known(
  snapshot: Knowing,
  request: RaiseRequest,
  same: boolean,
  entry: LedgerEntry | undefined,
  behind?: string,
): Answer {
  if (!same) return { status: 'rejected', rejection: conflict(snapshot, request) };
  if (!entry) return { status: 'accepted', operation: request.operation ?? request.id, repeated: true, longAgo: true };
  const rejection = entry.outcome?.rejection;
  if (rejection) return { status: 'rejected', rejection };
  if (behind !== undefined) return { status: 'waiting', operation: entry.operation, behind, repeated: true };
  const outcome = entry.followed ? undefined : entry.outcome;
  return { status: 'accepted', operation: entry.operation, repeated: true, ...(outcome && { outcome }) };
}

/**
 * The report to another entity that raises an event again, since it got no report or its action has run again; nothing while
 * the event has not ended. `standing` is how the entity stands now, where it has settled: it answers for events that ended long
 * ago.
 */
export function reportAgain(
  snapshot: Knowing,
  request: RaiseRequest,
  standing: EngagementOutcome | undefined,
  past?: PastRequest,
): Report | undefined {
  const known = recall(snapshot.ledger, request, past);
  const { from } = request;
  if (!known || !from) return undefined;
  const { same, entry } = known;
  const outcome = same ? (entry ? entry.outcome : standing) : rejectedOutcome(snapshot, conflict(snapshot, request));
  if (!outcome) return undefined;
  return {
    kind: 'report',
    from: { type: snapshot.type, key: snapshot.key, life: entry?.life ?? snapshot.life },
    toLife: from.life,
    version: outcome.version,
    outcome,
    ended: [request.id],
    again: true,
    ...(entry && { operation: entry.operation }),
  };
}

/**
 * Tells the operation for which an event is raised again that another one follows it, for which it was raised first: an operator
 * has resumed the action that raises it, or another event came between two attempts. S3.4, S4.2
 *
 * @param by the operation that follows it, where that is known
 */
export function followedElsewhere(
  participant: LivingRef,
  { id: engagement, operation }: Pick<RaiseRequest, 'id' | 'operation'>,
  by: string | undefined,
): readonly Effect[] {
  if (operation === undefined || operation === by) return [];
  return [
    {
      kind: 'tell',
      operation,
      message: { kind: 'followed', participant, engagement, ...(by !== undefined && { by }) },
    },
  ];
}

/** Gives what follows from a request that is known: its sender hears how it ended, and its operation who follows it. */
export function answerRepeated(
  snapshot: Snapshot,
  request: RaiseRequest,
  standing: EngagementOutcome | undefined,
  past: PastRequest | undefined,
): readonly Effect[] {
  const { from } = request;
  if (!from) return [];
  const { type, key, life } = snapshot;
  const followed = followedElsewhere(
    { type, key, life },
    request,
    recall(snapshot.ledger, request, past)?.entry?.operation,
  );
  const report = reportAgain(snapshot, request, standing, past);
  return report ? [...followed, { kind: 'send', to: { type: from.type, key: from.key }, message: report }] : followed;
}

/** The report of a life that has ended to an entity that raises an event on it again, or nothing. S1.3 */
export function lastWord(last: Snapshot, request: RaiseRequest, past?: PastRequest): Report | undefined {
  const { state, version } = last;
  return reportAgain(last, request, { state, version, health: 'normal', waiting: false }, past);
}

/** The same report for a life that only the store knows. */
export function pastWord(of: EntityRef, request: RaiseRequest, past: PastRequest): Report | undefined {
  return reportAgain(asItWas(of, past), request, undefined, past);
}

/** The answer to a request on an entity that only the store knows. */
export function pastAnswer(of: EntityRef, request: RaiseRequest, past: PastRequest): Answer {
  return known(asItWas(of, past), request, hasContent(request, past.fingerprint), past);
}

function asItWas({ type, key }: EntityRef, { life, outcome }: PastRequest): Knowing {
  const { state, version } = outcome;
  return { ...{ type, key, life, state, version }, ledger: EMPTY_LEDGER, engagements: [] };
}

function conflict(snapshot: Knowing, { id, event }: RaiseRequest): Rejection {
  const operation = currentOperation(snapshot);
  return {
    code: 'request_conflict',
    message: `The request id '${id}' has been used for another event or other parameters. Use a new request id.`,
    entity: entityId(snapshot),
    event,
    state: snapshot.state,
    ...(operation !== undefined && { operation }),
  };
}
