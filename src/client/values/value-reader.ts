import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { entityId } from '../../protocol/names.js';
import { grpcError } from '../../temporal/grpc-error.js';
import { answerInTime } from '../answer-in-time.js';
import { protoMilliseconds } from '../explain/timestamp.js';
import { quoted } from '../live/quoted.js';
import type { AskedEvent, EventValues } from './event-values.js';
import { CLOCK_SLACK_MS, RunValues } from './run-values.js';

/** The most events of history that are read, and for how long at most, in milliseconds. */
const MOST_EVENTS = 20_000;
const READS_WITHIN_MS = 10_000;
/** The most runs that are looked at: the latest that had begun when the event ended. */
const MOST_RUNS = 20;
/** The history has the effects of the event's last task this long after its end at the latest, in milliseconds. */
const WRITTEN_WITHIN_MS = 20_000;

interface Run {
  readonly id: string;
  readonly startedAt: number;
}

/** The bounds of a reading. */
export interface ReadingLimits {
  readonly events?: number;
  readonly withinMs?: number;
}

/**
 * Reads the values of an event from the histories of the runs that handled it. No worker is asked.
 * @throws Rejected `no_answer` when Temporal does not answer
 */
export async function readValues(
  client: Client,
  asked: AskedEvent,
  { events = MOST_EVENTS, withinMs = READS_WITHIN_MS }: ReadingLimits = {},
): Promise<EventValues> {
  const { runs, more } = await runsOf(client, asked);
  const values = new RunValues(client, asked);
  const until = Date.now() + withinMs;
  let left = events;
  let first: Run | undefined;
  let cut: string | undefined;
  for (const run of runs) {
    const read = await readRun(client, asked, run, values, { left, until });
    left = read.left;
    if (read.found) first ??= run;
    if (read.cut) {
      cut = `The history is long: the first ${events.toLocaleString('en')} events, or what was read in ${withinMs / 1_000} s, are considered.`;
      break;
    }
  }
  const { unreadable, request, calls, omitted } = values;
  if (!first) {
    const reason = 'Temporal no longer has the history of the event. Its retention has ended, or the run was deleted.';
    return { history: 'gone', reason, calls };
  }
  const begins = first.startedAt > asked.startedAt + CLOCK_SLACK_MS;
  const reason =
    unreadable ??
    cut ??
    (begins || more ? 'Temporal no longer has the history of its beginning.' : undefined) ??
    (omitted > 0 ? `${omitted} further calls are left out.` : undefined);
  return {
    history: unreadable !== undefined ? 'unreadable' : reason === undefined ? 'complete' : 'incomplete',
    ...(reason !== undefined && { reason }),
    ...(request && { request }),
    calls,
  };
}

/** The runs that may have handled the event, the oldest first. */
async function runsOf(
  client: Client,
  { entity, startedAt, endedAt }: AskedEvent,
): Promise<{ readonly runs: readonly Run[]; readonly more: boolean }> {
  const id = entityId(entity);
  const { namespace } = client.options;
  const end = endedAt === undefined ? undefined : endedAt + CLOCK_SLACK_MS;
  const begun = end === undefined ? '' : ` AND StartTime <= ${quoted(new Date(end).toISOString())}`;
  const { executions } = await answerInTime(client, id, () =>
    client.workflowService.listWorkflowExecutions({
      namespace,
      query: `WorkflowId = ${quoted(id)}${begun}`,
      pageSize: MOST_RUNS,
    }),
  );
  const runs = new Map<string, Run>();
  let earlier = false;
  for (const { execution, startTime, closeTime } of executions) {
    const closedAt = protoMilliseconds(closeTime);
    if (closedAt !== undefined && closedAt < startedAt - CLOCK_SLACK_MS) earlier = true;
    else if (execution?.runId) runs.set(execution.runId, runOf(execution.runId, startTime));
  }
  const more = executions.length === MOST_RUNS && !earlier;
  // The list is late by a moment, and the latest run may not be in it.
  const latest = await latestRun(client, id);
  if (latest && (end === undefined || latest.startedAt <= end)) runs.set(latest.id, latest);
  return { runs: [...runs.values()].toSorted((one, other) => one.startedAt - other.startedAt), more };
}

async function latestRun(client: Client, id: string): Promise<Run | undefined> {
  try {
    const { runId, startTime } = await answerInTime(client, id, () => client.workflow.getHandle(id).describe());
    return { id: runId, startedAt: startTime.getTime() };
  } catch (thrown) {
    if (thrown instanceof WorkflowNotFoundError) return undefined;
    throw thrown;
  }
}

function runOf(id: string, startTime: Parameters<typeof protoMilliseconds>[0]): Run {
  return { id, startedAt: protoMilliseconds(startTime) ?? 0 };
}

/** Reads a run, page by page, until the event has ended. One of another life is left alone: it may belong to somebody else. */
async function readRun(
  client: Client,
  asked: AskedEvent,
  run: Run,
  values: RunValues,
  { left, until }: { readonly left: number; readonly until: number },
): Promise<{ readonly left: number; readonly found: boolean; readonly cut: boolean }> {
  const id = entityId(asked.entity);
  let remaining = left;
  let nextPageToken: Uint8Array | undefined;
  do {
    if (remaining <= 0 || Date.now() > until) return { left: 0, found: true, cut: true };
    const asks = {
      namespace: client.options.namespace,
      execution: { workflowId: id, runId: run.id },
      ...(nextPageToken && { nextPageToken }),
    };
    let page;
    try {
      page = await answerInTime(client, id, () => client.workflowService.getWorkflowExecutionHistory(asks));
    } catch (thrown) {
      if (isGone(thrown))
        return { left: remaining, found: nextPageToken !== undefined, cut: nextPageToken !== undefined };
      throw thrown;
    }
    for (const event of page.history?.events ?? []) {
      const started = event.workflowExecutionStartedEventAttributes;
      if (started && (started.firstExecutionRunId ?? run.id) !== asked.life)
        return { left: remaining, found: false, cut: false };
      const at = protoMilliseconds(event.eventTime) ?? 0;
      if (asked.endedAt !== undefined && at > asked.endedAt + WRITTEN_WITHIN_MS)
        return { left: remaining, found: true, cut: false };
      if (remaining-- <= 0) return { left: 0, found: true, cut: true };
      await values.take(run.id, event);
    }
    nextPageToken = page.nextPageToken && page.nextPageToken.length > 0 ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return { left: remaining, found: true, cut: false };
}

/** gRPC status code NOT_FOUND. */
const NOT_FOUND = 5;

function isGone(thrown: unknown): boolean {
  return grpcError(thrown)?.code === NOT_FOUND;
}
