/*
 * How much may wait for its turn. What waits goes along into each new run, and Temporal ends a workflow for good whose next run would
 * begin with more than 2 MB.
 *
 * full-queue.1. An event from outside that would make the queue too large is rejected at once: its caller raises it again. One of
 *     another entity waits all the same, since an action waits for each of them, and they are few.
 */
import { QUEUE_BYTES } from '../../definition/limits.js';
import { jsonBytes } from '../../protocol/size-problem.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { isOutside } from './decide.js';

/** The room that a waiting event takes beside what it brings: its place in the ledger, and the operation that is to be opened. */
const BESIDE = 300;

/** Only what has been measured: no event changes while it waits. */
const sizes = new WeakMap<RaiseRequest, number>();

/** Why an event may not wait with the others; nothing where it may. full-queue.1 */
export function tooManyWait(snapshot: Snapshot, request: RaiseRequest): Rejection | undefined {
  if (!isOutside(request)) return undefined;
  const all = snapshot.waiting.reduce((sum, each) => sum + sizeOf(each), sizeOf(request));
  if (all <= QUEUE_BYTES || snapshot.waiting.length === 0) return undefined;
  const entity = entityId(snapshot);
  const message =
    `${snapshot.waiting.length} events wait for ${entity}, the maximum for its next run. ` +
    'Repeat the event later, with the same request id: nothing runs twice.';
  return { code: 'try_again', message, entity, event: request.event, state: snapshot.state };
}

function sizeOf(request: RaiseRequest): number {
  const known = sizes.get(request);
  if (known !== undefined) return known;
  const size = jsonBytes(request) + BESIDE;
  sizes.set(request, size);
  return size;
}
