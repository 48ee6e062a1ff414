import { entityId, operationWorkflowId } from '../../protocol/names.js';
import type { Invariant, Overview } from '../fact.js';

/** S4.2: an operation ends when nothing of it is under way any more, and then nothing of it begins. */
export function operationEnds(): Invariant {
  const ended = new Set<string>();
  /** Entity -> the operations that its events have opened. */
  const openedOn = new Map<string, string[]>();
  /**
   * Operations of terminated entities, which leave nothing that their next life could know: the same request may open them
   * again.
   */
  const forgotten = new Set<string>();
  /** Operations that have lost an entity. Nobody could tell them what it had raised, so that may go on. */
  const bereft = new Set<string>();
  return {
    name: 'an operation ends after all its events, and not before',
    hear(fact, all) {
      switch (fact.kind) {
        case 'ended':
          // A rejection leaves nothing behind: the same request may open it again.
          if (fact.result.rejection) return undefined;
          if (!forgotten.has(fact.operation)) ended.add(fact.operation);
          if (fact.result.errors.some(({ code }) => code === 'lost')) bereft.add(fact.operation);
          // The operation does not wait for what another event has replaced.
          if (fact.result.outcome === 'canceled' || bereft.has(fact.operation)) return undefined;
          return underWay(fact.operation, all);
        case 'opened': {
          const id = operationWorkflowId(fact.operation.id);
          const on = entityId(fact.operation.root);
          openedOn.set(on, [...(openedOn.get(on) ?? []), id]);
          // It may have been terminated while the start of the operation was on its way.
          if (all.entities().some(({ subject }) => subject.id === on)) forgotten.delete(id);
          else forgotten.add(id);
          return ended.has(id) ? `${id} has ended, and is opened again` : undefined;
        }
        case 'terminated':
          for (const id of openedOn.get(fact.id) ?? []) {
            ended.delete(id);
            forgotten.add(id);
          }
          return undefined;
        case 'started': {
          const engagement = fact.snapshot.engagements.at(-1);
          const id = engagement && operationWorkflowId(engagement.operation);
          if (id === undefined || !ended.has(id) || bereft.has(id)) return undefined;
          return `${fact.by.id} starts '${fact.action}' for ${id}, which has ended`;
        }
        default:
          return undefined;
      }
    },
  };
}

function underWay(operation: string, all: Overview): string | undefined {
  for (const { subject, snapshot } of all.entities()) {
    const open = snapshot.engagements.find((each) => operationWorkflowId(each.operation) === operation);
    if (open) return `${operation} has ended, and '${open.event}' goes on on ${subject.id}`;
    const waiting = snapshot.waiting.find((each) => operationWorkflowId(each.operation ?? each.id) === operation);
    if (waiting) return `${operation} has ended, and '${waiting.event}' waits on ${subject.id}`;
    if (snapshot.awaiting.some((each) => operationWorkflowId(each) === operation)) {
      return `${operation} has ended, and ${subject.id} rests for it in ${snapshot.state}`;
    }
  }
  return undefined;
}
