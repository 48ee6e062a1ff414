/*
 * What an entity owes to operations: the judgements of the reports that it gets. S4.2
 *
 * owed-judgements.1. An entity whose action waits, or that is held back, tells the operations at once that it judges later: an
 *     action elsewhere does not wait for that, since what is waited for here may wait for that action. S3.8
 * owed-judgements.2. What has ended only with what the running action waits for itself needs no such word: nobody else waits for
 *     its judgement without waiting for this action too.
 */
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { Judgement, Report } from '../../protocol/report.js';
import { entityId } from '../../protocol/names.js';
import type { KeptJudgement, Snapshot } from '../../protocol/snapshot.js';
import { isHeldBack } from '../rules/reserved.js';
import type { Effect, Step } from '../rules/step.js';

/** Owes another judgement, however often it comes. */
export function owe(snapshot: Snapshot, judgement: Judgement, ended: Report['ended']): Step {
  const { judgements } = snapshot;
  if (judgements.some(({ id }) => id === judgement.id)) return { snapshot, effects: [] };
  const owed: KeptJudgement = { ...judgement, ...(isOwn(snapshot, ended) && { deferred: true }) };
  return defer({ ...snapshot, judgements: [...judgements, owed] });
}

/** Tells the operations which judgements come later than what others wait for, each once. owed-judgements.1 */
export function defer(snapshot: Snapshot): Step {
  const news = snapshot.judgements.filter(({ deferred }) => !deferred);
  if (news.length === 0 || !(waits(snapshot) || isHeldBack(snapshot))) return { snapshot, effects: [] };
  const by = entityId(snapshot);
  const effects = tellOf(news, (judgements) => ({ kind: 'deferred', by, judgements }));
  return {
    snapshot: { ...snapshot, judgements: snapshot.judgements.map((each) => ({ ...each, deferred: true })) },
    effects,
  };
}

/** Nobody judges a report that came too late: the operations must not wait for it. */
export function confirm(judgement: Judgement | undefined): readonly Effect[] {
  return tellOf(judgement ? [judgement] : [], (judgements) => ({ kind: 'judged', judgements, caused: [] }));
}

/** Tells each of the operations which of these judgements are meant. */
export function tellOf(
  judgements: readonly Judgement[],
  message: (judgements: readonly string[], operation: string) => OperationMessage,
): readonly Effect[] {
  const byOperation = new Map<string, string[]>();
  for (const { id, operations } of judgements) {
    for (const operation of operations) byOperation.set(operation, [...(byOperation.get(operation) ?? []), id]);
  }
  return [...byOperation].map(([operation, ids]): Effect => ({
    kind: 'tell',
    operation,
    message: message(ids, operation),
  }));
}

/** A read is answered whatever happens. */
function waits({ running }: Snapshot): boolean {
  return running?.awaits?.some(({ kind }) => kind !== 'view') ?? false;
}

function isOwn({ running }: Snapshot, ended: Report['ended']): boolean {
  const awaited = (running?.awaits ?? []).map((each) => (each.kind === 'event' ? each.engagement : undefined));
  return ended.length > 0 && ended.every((engagement) => awaited.includes(engagement));
}
