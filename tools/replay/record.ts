import type { Client } from '@temporalio/client';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keepHistory } from '../../src/temporal/histories.js';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

/** How many histories are fetched at once. */
const AHEAD = 8;

/**
 * Keeps one history of each kind of these workflow types in a folder, in place of what is there: the shortest of those that took
 * the same kinds of steps.
 * @returns how many it has kept
 */
export async function recordHistories(client: Client, types: readonly string[], folder: string): Promise<number> {
  const kept = new Map<string, { readonly name: string; readonly history: History }>();
  const query = types.map((type) => `WorkflowType = '${type}'`).join(' OR ');
  for await (const each of client.workflow.list({ query }).intoHistories({ concurrency: AHEAD })) {
    const history = each.history as History;
    const kind = kindOf(history);
    const known = kept.get(kind);
    if (!known || lengthOf(history) < lengthOf(known.history)) kept.set(kind, { name: each.workflowId, history });
  }
  for (const name of await readdir(folder).catch(() => [])) await rm(join(folder, name));
  const counts = new Map<string, number>();
  for (const { name, history } of [...kept.values()].toSorted(
    (one, other) => lengthOf(one.history) - lengthOf(other.history),
  )) {
    const type = typeOf(history);
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    await keepHistory(folder, `${type}-${count}-${name.replace(/^.*\//, '').slice(0, 20)}`, history);
  }
  return kept.size;
}

/** The kinds of steps that a history holds: its type, what it was asked, what it has called and started, and how it has ended. */
function kindOf(history: History): string {
  const steps = (history.events ?? []).flatMap((event) => [
    event.workflowExecutionSignaledEventAttributes?.signalName ?? [],
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ?? [],
    event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
    event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType?.name ?? [],
    event.workflowExecutionContinuedAsNewEventAttributes ? 'goes on' : [],
    event.workflowExecutionCompletedEventAttributes ? 'ends' : [],
    event.timerFiredEventAttributes ? 'timer' : [],
  ]);
  const begins = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId
    ? 'takes over'
    : 'new';
  return [typeOf(history), begins, ...new Set(steps.flat().toSorted())].join(' ');
}

function typeOf(history: History): string {
  return history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '';
}

function lengthOf(history: History): number {
  return history.events?.length ?? 0;
}
