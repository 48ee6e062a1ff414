import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { temporal } from '@temporalio/proto';
import type { EntityInput } from '../kernel/index.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { whatHappened } from './what-happened.js';

/** Up to when the history of a run tells all that has happened in a life: there is no later run. */
export interface ToldLife {
  readonly life: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** With what the run began, and when: nothing where it is the first one. */
  readonly from?: { readonly snapshot: Snapshot; readonly at: number };
  /** The entity never came to be: it was refused, or no task of it was ever completed. */
  readonly unborn?: true;
}

/** A task that is under way when a history is fetched ends before this time is over, in milliseconds, and clocks differ by less. */
const UNDER_WAY_MS = 600_000;

const CLOSES = [
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
] as const;

/** Reads what the history of an entity's run tells of its life; nothing where the life goes on in another run. */
export async function toldLife(
  client: Client,
  history: temporal.api.history.v1.IHistory,
  fetchedAt: number,
): Promise<ToldLife | undefined> {
  const events = history.events ?? [];
  const [first, last] = [events[0]?.workflowExecutionStartedEventAttributes, events.at(-1)];
  const life = first?.firstExecutionRunId;
  if (!life || !last || last.workflowExecutionContinuedAsNewEventAttributes) return undefined;
  const isClosed = CLOSES.some((name) => last[name]);
  const until = isClosed ? (optionalTsToMs(last.eventTime) ?? 0) + 1 : fetchedAt - UNDER_WAY_MS;
  const [input] = await decodeArrayFromPayloads(client.options.loadedDataConverter, first.input?.payloads);
  const begun = input as EntityInput | undefined;
  if (begun?.kind === 'continue') return { life, until, from: { snapshot: begun.snapshot, at: begun.at } };
  const unborn = last.workflowExecutionFailedEventAttributes ?? !whatHappened(history);
  return { life, until, ...(unborn && { unborn: true }) };
}
