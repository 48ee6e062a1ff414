/*
 * How an engagement ends, and who is told.
 *
 * settle.1. Every engagement ends exactly once, when the entity comes to rest, and its operation is told once.
 * settle.2. The end of an engagement is told together with what it caused, so that no operation ends between a cause and its
 *     effect. S4.2
 * settle.3. What is no longer needed is removed: watchers that have been told everything, successors that nobody counts. Q1
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { OwedJudgement } from '../../protocol/operation-message.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Judgement } from '../../protocol/report.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Engagement, Snapshot } from '../../protocol/snapshot.js';
import { toldChain } from '../rules/chain.js';
import { isUnexpected } from '../rules/expected-rejection.js';
import { recordOutcome } from '../ledger/ledger.js';
import { judgementId } from './judgement-id.js';
import { openOperations } from './open.js';
import { forgetPastSuccessors } from './past-successors.js';
import { forOperation, recordEnd, recordRejected } from './records.js';
import { healthOf } from '../rules/standing.js';
import { andThen, isGone, stateOf, type Effect, type Step } from '../rules/step.js';
import { dueSubscription } from '../rules/due-subscription.js';
import { stillWatching, toldOf } from './watchers.js';

/** Ends the engagements of an entity that has come to rest, and tells its operations and watchers. */
export function settle(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const waits = waitsForSuccessors(entity, snapshot);
  const joined = [...snapshot.awaiting, ...snapshot.engagements.map(({ operation }) => operation)];
  const awaiting = waits ? [...new Set(joined)] : [];
  const due = dueSubscription(entity, { ...snapshot, awaiting });
  const watching = toldOf(snapshot, isGone(entity, snapshot));
  const judging = watching.some(({ judges }) => judges);
  const last = snapshot.engagements.at(-1);
  const outlasts =
    waits || due !== undefined || judging || snapshot.engagements.some(({ caused }) => caused.length > 0);
  return andThen(outlasts ? openOperations(entity, snapshot) : { snapshot, effects: [] }, (opened) => {
    const base = outcomeOf(entity, opened);
    const outcome = (engagement: Engagement | undefined): EngagementOutcome => ({
      ...base,
      ...(engagement?.error && { error: engagement.error }),
      ...(engagement?.canceled && { canceled: true }),
      ...(engagement && stayedInError(opened, engagement, base) && { wasInError: true }),
    });
    const operations = [...new Set(opened.engagements.map(({ operation }) => operation))];
    const effects: Effect[] = [];

    const owed: OwedJudgement[] = [];
    for (const watcher of watching) {
      const judgement = { id: judgementId(opened, opened.version, watcher), operations };
      const owes = watcher.judges && operations.length > 0;
      if (owes) owed.push({ id: judgement.id, by: entityId(watcher) });
      effects.push({
        kind: 'send',
        to: { type: watcher.type, key: watcher.key },
        message: {
          kind: 'report',
          from: { type: opened.type, key: opened.key, life: opened.life },
          toLife: watcher.life,
          version: opened.version,
          outcome: outcome(last),
          ended: opened.engagements.map(({ id }) => id),
          ...(waits && !awaiting.includes(watcher.operation) && { restsForOthers: true }),
          ...(owes && { judgement }),
          ...toldChain(opened),
        },
      });
    }
    const told = opened.engagements
      .filter((engagement) => engagement.opened)
      .map((engagement): Effect => {
        const sets = engagement.id === last?.id && due?.request.operation === engagement.operation;
        const caused = sets
          ? [...engagement.caused, { engagement: due.request.id, on: entityId(opened), event: due.request.event }]
          : engagement.caused;
        return {
          kind: 'tell',
          operation: engagement.operation,
          message: {
            kind: 'ended',
            engagement: engagement.id,
            participant: { type: opened.type, key: opened.key, life: opened.life },
            event: engagement.event,
            outcome: outcome(engagement),
            ...(engagement.uncaused && { uncaused: true }),
            caused,
            judgements: owed,
            ...(engagement.awaiter && { awaiter: engagement.awaiter }),
            ...forOperation(entity, opened, engagement, now),
          },
        };
      });
    const ledger = opened.engagements.reduce(
      (before, engagement) => recordOutcome(before, engagement, outcome(engagement)),
      opened.ledger,
    );
    const moved = opened.awaiting
      .filter((operation) => !operations.includes(operation))
      .map((operation): Effect => {
        const participant = { type: opened.type, key: opened.key, life: opened.life };
        return { kind: 'tell', operation, message: { kind: 'moved', participant, outcome: base } };
      });
    const records = opened.engagements.map((engagement) =>
      recordEnd(entity, opened, engagement, outcome(engagement), now),
    );
    const goesOn = waits || due !== undefined;
    const settled: Snapshot = {
      ...opened,
      engagements: [],
      awaiting,
      ledger,
      ...(opened.operation && { operation: { ...opened.operation, open: goesOn } }),
    };
    return {
      snapshot: forgetPastSuccessors(entity, { ...settled, watchers: stillWatching(settled, waits) }),
      // The operation hears of the end, and of the judgements owed, before anyone can judge.
      effects: [...records, ...told, ...moved, ...effects],
    };
  });
}

/** Tells whether an event left the entity in the error state in which it was, and was not to do otherwise. S5.1 */
function stayedInError({ erredIn }: Snapshot, { wasInError, operation }: Engagement, { health }: EngagementOutcome) {
  return wasInError === true && health === 'error' && erredIn !== operation;
}

/** Tells whether it rests for its successors. One that went round does not, since nothing that they report is heeded. */
function waitsForSuccessors(entity: AnyEntity, snapshot: Snapshot): boolean {
  return stateOf(entity, snapshot).waiting && !snapshot.exhausted;
}

/** How the entity stands now, for those who wait for it. */
export function outcomeOf(entity: AnyEntity, snapshot: Snapshot): EngagementOutcome {
  const waiting = waitsForSuccessors(entity, snapshot);
  return {
    state: snapshot.state,
    version: snapshot.version,
    health: healthOf(entity, snapshot),
    waiting,
    ...(isGone(entity, snapshot) && { closed: true }),
  };
}

/** The outcome of an event that is rejected. */
export function rejectedOutcome(
  { state, version }: Pick<Snapshot, 'state' | 'version'>,
  rejection: Rejection,
): EngagementOutcome {
  return { state, version, health: 'normal', waiting: false, rejection };
}

/** The judgement that is owed for a rejection. S4.2 */
export function rejectionJudgementId(snapshot: Snapshot, request: string): string {
  return `${entityId(snapshot)}!${request}`;
}

/**
 * Ends a rejected event that came from another entity or has waited: tells its operation, and the entity that has raised it.
 */
export function endRejected(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  rejection: Rejection,
  now: number,
  unexpected = isUnexpected(request),
): readonly Effect[] {
  const record = recordRejected(entity, snapshot, request, rejection, now);
  const { from } = request;
  const operation = request.operation ?? request.id;
  const outcome = rejectedOutcome(snapshot, rejection);
  const self = { type: snapshot.type, key: snapshot.key, life: snapshot.life };
  const judgement: Judgement = { id: rejectionJudgementId(snapshot, request.id), operations: [operation] };
  const owes = from?.judges === true;
  const told: Effect = {
    kind: 'tell',
    operation,
    message: {
      kind: 'ended',
      engagement: request.id,
      participant: self,
      event: request.event,
      outcome,
      caused: [],
      judgements: owes ? [{ id: judgement.id, by: entityId(from) }] : [],
      ...(request.operation === undefined && { at: now }),
      ...(unexpected && { unexpected }),
    },
  };
  if (!from) return [record, told];
  const report: Effect = {
    kind: 'send',
    to: { type: from.type, key: from.key },
    message: {
      kind: 'report',
      from: self,
      toLife: from.life,
      version: snapshot.version,
      outcome,
      ended: [request.id],
      ...(owes && { judgement }),
    },
  };
  return [record, told, report];
}
