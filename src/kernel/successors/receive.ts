/*
 * Reports from successors.
 *
 * receive.1. Late, doubled and reordered reports do no harm: one that is not newer changes no state. S4.4
 * receive.2. A report to an earlier life of this key, or from an earlier life of the successor, changes nothing.
 * receive.3. A report that nobody is left to judge is confirmed at once: the operations must not wait for it. S4.2
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Judgement, Report } from '../../protocol/report.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, sameEntity, type EntityRef } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { confirm, owe } from '../engagements/owed-judgements.js';
import { endInstead } from './end-instead.js';
import { lose } from './look.js';
import { inChain } from '../rules/chain.js';
import { isUnexpected } from '../rules/expected-rejection.js';
import { andThen, type Step } from '../rules/step.js';
import { noteRejected } from '../engagements/rejected-raises.js';
import { react } from '../triggers/subscription.js';

/** Takes in the report of a successor that has settled, or has rejected an event. */
export function receive(entity: AnyEntity, snapshot: Snapshot, report: Report, now: number): Step {
  if (report.toLife !== snapshot.life) return { snapshot, effects: confirm(report.judgement) };
  const known = snapshot.successors.find((each) => sameEntity(each, report.from));
  const told = known && updated(known, report);
  const successors = told ? snapshot.successors.map((each) => (each === known ? told : each)) : snapshot.successors;
  const noted = report.outcome.rejection ? noteRejected(snapshot, report.ended) : snapshot;
  // Anything that it sets off while an action runs, it sets off after that action.
  const chained = noted.running ? noted : inChain(noted, report.chain, now);
  const heard: Snapshot = { ...chained, successors, look: { since: now, count: 0 } };
  const { judgement } = report;
  const owing = judgement ? oweNews(heard, judgement, report.ended, known, told) : { snapshot: heard, effects: [] };
  // This is a late report of a life that has ended. ended-successor.1
  const ended = told?.ended === report.from.life && told.life === report.from.life ? told : undefined;
  return andThen(owing, (after) =>
    ended?.event === 'settled' && !ended.outcome?.lost ? lose(entity, after, ended, now) : react(entity, after, now),
  );
}

/**
 * Owes a judgement where there is something to judge. A report that comes twice may belong to an operation that has ended meanwhile.
 * receive.1, receive.3
 */
function oweNews(
  snapshot: Snapshot,
  judgement: Judgement,
  ended: Report['ended'],
  before: Successor | undefined,
  after: Successor | undefined,
): Step {
  const isOwed = snapshot.judgements.some(({ id }) => id === judgement.id);
  const isNews = before?.event !== after?.event || before?.version !== after?.version || before?.life !== after?.life;
  return isOwed || isNews ? owe(snapshot, judgement, ended) : { snapshot, effects: confirm(judgement) };
}

/** The outcome of an event whose target does not exist: it is rejected like any other. S2.2 */
export function absent(to: EntityRef, event: string): EngagementOutcome & { readonly rejection: Rejection } {
  const message = `'${event}' was raised on ${entityId(to)}, which does not exist.`;
  const rejection: Rejection = { code: 'absent', message, entity: entityId(to), event };
  return { state: 'absent', version: 0, health: 'normal', waiting: false, rejection };
}

/** Notes that an event could not be delivered, since its target does not exist. */
export function receiveAbsent(
  entity: AnyEntity,
  snapshot: Snapshot,
  to: EntityRef,
  request: RaiseRequest,
  now: number,
): Step {
  const outcome = absent(to, request.event);
  const successors = snapshot.successors.map((each): Successor =>
    each.request === request.id ? { ...each, event: 'rejected', outcome } : each,
  );
  const operation = request.operation ?? request.id;
  const participant = { ...to, life: '' };
  const ended = {
    ...{ engagement: request.id, operation, participant, event: request.event, outcome },
    ...(isUnexpected(request) && { unexpected: true }),
  };
  const noted = inChain(noteRejected(snapshot, [request.id]), request.chain, now);
  return endInstead(entity, { ...noted, successors }, ended, now);
}

function updated({ missed, ...known }: Successor, report: Report): Successor {
  const answers = report.ended.includes(known.request);
  const { rejection } = report.outcome;
  const another = known.life !== undefined && known.life !== report.from.life;
  if (known.ended === report.from.life && (another || !answers || known.outcome?.lost)) {
    return { ...known, ...(missed && { missed }) };
  }
  // A rejection of an event before the last one says nothing, not even that what has rejected it came to be.
  if (rejection) return answers ? { ...known, event: 'rejected', outcome: report.outcome } : known;
  if (another && !answers) return known;
  // The first report may be of version 0, from an entity that settled at its birth.
  const newer = another || known.life === undefined || report.version > known.version;
  const { restsForOthers, ...before } = known;
  const { restsForOthers: rests } = newer ? report : { restsForOthers };
  return {
    ...before,
    life: report.from.life,
    ...(answers && { event: 'settled' }),
    ...(newer && { version: report.version, outcome: report.outcome }),
    ...(rests && { restsForOthers: rests }),
  };
}
