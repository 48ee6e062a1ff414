/*
 * A postponed action is ended by an event that aborts, which does not wait for it to run again. S3.2
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { abort } from '../actions/commit.js';
import { resume } from '../actions/postpone.js';
import { andThen, type Step } from '../rules/step.js';
import { aborts } from './admit.js';

/** The waiting event that ends the postponed action, if there is one. */
export function abandoning(entity: AnyEntity, snapshot: Snapshot): RaiseRequest | undefined {
  if (!snapshot.postponed) return undefined;
  return snapshot.waiting.find((request) => aborts(entity, snapshot, request));
}

/** Ends the postponed action, so that the event is next. */
export function abandon(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const first = abandoning(entity, snapshot)!;
  const waiting = [first, ...snapshot.waiting.filter((each) => each !== first)];
  return andThen(resume(entity, { ...snapshot, waiting }, now), (after) =>
    after.running ? abort(entity, after, now) : { snapshot: after, effects: [] },
  );
}
