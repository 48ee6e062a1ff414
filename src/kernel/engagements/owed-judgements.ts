/*
 * The judgements that an entity owes to operations for the reports that it gets. S4.2
 *
 * owed-judgements.1. An entity tells the operations at once that it judges later when its action waits or it is held back. An
 *     action elsewhere does not wait for that judgement, since it may be the very action that is waited for here. S3.8
 * owed-judgements.2. A report that ends only events for which the running action itself waits is not told as deferred: all
 *     others who wait for its judgement wait for this action too.
 */
import type { OperationMessage } from '../../protocol/operation-message.js';
import type { Judgement, Report } from '../../protocol/report.js';
import { entityId } from '../../protocol/names.js';
import type { KeptJudgement, Snapshot } from '../../protocol/snapshot.js';
import { isHeldBack } from '../rules/reserved.js';
import type { Effect, Step } from '../rules/step.js';

/** Adds a judgement that is owed. The same judgement is added only once. */
export function owe(snapshot: Snapshot, judgement: Judgement, ended: Report['ended']): Step {
  const { judgements } = snapshot;
  if (judgements.some(({ id }) => id === judgement.id)) return { snapshot, effects: [] };
  const owed: KeptJudgement = { ...judgement, ...(isOwn(snapshot, ended) && { deferred: true }) };
  return defer({ ...snapshot, judgements: [...judgements, owed] });
}

/** Tells the operations which judgements are deferred, each once. owed-judgements.1 */
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

/** Confirms a report that came too late to be judged, since the operations must not wait for it. */
export function confirm(judgement: Judgement | undefined): readonly Effect[] {
  return tellOf(judgement ? [judgement] : [], (judgements) => ({ kind: 'judged', judgements, caused: [] }));
}

/** Sends each operation a message about those of the judgements that it waits for. */
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

/** Tells whether the running action waits. A read does not count, since it is always answered. */
function waits({ running }: Snapshot): boolean {
  return running?.awaits?.some(({ kind }) => kind !== 'view') ?? false;
}

function isOwn({ running }: Snapshot, ended: Report['ended']): boolean {
  const awaited = (running?.awaits ?? []).map((each) => (each.kind === 'event' ? each.engagement : undefined));
  return ended.length > 0 && ended.every((engagement) => awaited.includes(engagement));
}
