import { activityInfo, cancellationSignal, getClient, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnyEntity } from '../definition/entity.js';
import { healthOf, isSettled, refGiven } from '../kernel/index.js';
import { ReeveClient } from '../client/client.js';
import type { EntityReading } from '../client/entity-reader.js';
import { Rejected } from '../protocol/errors.js';
import { entityId } from '../protocol/names.js';
import {
  CANCEL_ACTIVITY,
  LOST_AFTER_MS,
  RAISE_ACTIVITY,
  REACH_ACTIVITY,
  READ_ACTIVITY,
  RESULT_ACTIVITY,
  type EntityActivities,
  type EntityState,
  type NamedEntity,
} from '../temporal/entity-activities.js';
import { rejectedFailure } from '../temporal/rejected-failure.js';
import { untilAborted } from '../temporal/until-aborted.js';
import type { RecordKeeper } from '../temporal/record-keeper.js';

/** How long an attempt waits, in milliseconds. After that it leaves its place in the worker to others for a while. */
const WAITS_MS = 20_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const LOOK_MS = 1_000;
/** Several come within the time after which the worker counts as lost. */
const BEAT_MS = LOST_AFTER_MS / 3;
/** Codes after which the same request can be accepted later, though nothing about it changes. */
const LATER = new Set(['no_answer', 'try_again', 'store_unavailable']);

/**
 * Makes the activities by which workflows of the project's own use entities.
 * @param entities the declarations that they may use
 * @param ending aborted when the worker ends
 */
export function entityActivities(
  entities: readonly AnyEntity[],
  ending: AbortSignal,
  records: RecordKeeper | undefined,
): EntityActivities {
  const known = new Map(entities.map((entity) => [entity.name, entity]));
  let made: ReeveClient | undefined;
  const reeve = () => (made ??= new ReeveClient({ ...surroundings(), entities }));
  // An activity has the client of its worker: with its connection, and its keys.
  const surroundings = () => ({
    ...{ client: getClient(), taskQueue: activityInfo().taskQueue },
    ...(records && { recall: (question: Parameters<RecordKeeper['recall']>[0]) => records.recall(question) }),
  });
  // Ends when the attempt has waited long enough, or its worker ends.
  const anyEnd = () => AbortSignal.any([AbortSignal.timeout(WAITS_MS), ending, cancellationSignal()]);
  const declared = (type: string): AnyEntity => {
    const entity = known.get(type);
    if (entity) return entity;
    const message = `The worker does not know '${type}'. Pass its declaration: new ReevePlugin({ entities: [${type}] }).`;
    throw ApplicationFailure.retryable(message, 'unknown_type');
  };
  const read = async ({ type, key }: NamedEntity): Promise<EntityState | undefined> => {
    const entity = declared(type);
    try {
      return stateOf(entity, await reeve().read(refGiven(entity, key)));
    } catch (thrown) {
      if (thrown instanceof Rejected && thrown.code === 'absent') return undefined;
      throw thrown;
    }
  };
  return {
    [RAISE_ACTIVITY]: ({ type, key, event, creates, params, construct, options }) =>
      telling(() => {
        const entity = declared(type);
        const given = { ...options, params };
        if (!creates) return reeve().raiseAny(entity, key, event, given);
        return reeve().createAny(entity, key, event, { ...given, ...(construct && { construct }) });
      }),
    [RESULT_ACTIVITY]: (accepted) =>
      telling(async () => {
        const enough = anyEnd();
        const result = () => reeve().operations.result(accepted, enough);
        try {
          // A worker's connection has deadlines, and no signals that abort (1.24).
          return await getClient().withDeadline(Date.now() + 2 * WAITS_MS, () =>
            Promise.race([result(), untilAborted(enough)]),
          );
        } catch (thrown) {
          if (!enough.aborted) throw thrown;
          throw notYet(`The operation ${accepted.answer.operation} has not ended yet.`);
        }
      }),
    [CANCEL_ACTIVITY]: ({ answer, entity }) =>
      telling(async () => {
        const cancelled = reeve().operations.cancel(answer.operation, undefined, entity);
        await cancelled.catch((thrown: unknown) => {
          // It has settled, and needed no workflow.
          if (!(thrown instanceof Rejected) || thrown.code !== 'absent') throw thrown;
        });
      }),
    [READ_ACTIVITY]: (entity) => telling(() => read(entity)),
    [REACH_ACTIVITY]: (named, states) =>
      telling(async () => {
        const entity = declared(named.type);
        const id = entityId(refGiven(entity, named.key));
        for (const enough = anyEnd(); ;) {
          const found = await read(named);
          if (found && states.includes(found.state)) return found;
          if (found?.gone) {
            const message = `${id} was deleted in ${found.state}: it does not come to ${states.join(', ')}.`;
            throw new Rejected({ code: 'gone', message, entity: id, event: '', state: found.state });
          }
          await delay(LOOK_MS, undefined, { signal: enough }).catch(() => undefined);
          if (enough.aborted) throw notYet(`${id} is ${found ? `in ${found.state}` : 'absent'}.`);
        }
      }),
  };
}

/** Lets Temporal try again after a while. The pauses grow with the attempts. */
function notYet(message: string): ApplicationFailure {
  const nextRetryDelay = Math.min(FIRST_PAUSE_MS * 2 ** (activityInfo().attempt - 1), LONGEST_PAUSE_MS);
  // Nothing is wrong, so it is in no log and no measure of failures.
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type: 'NotYet', message, nextRetryDelay, category });
}

/** @throws ApplicationFailure which Temporal does not try again where the event was rejected for good */
async function telling<T>(run: () => Promise<T>): Promise<T> {
  const beats = setInterval(() => heartbeat(), BEAT_MS);
  try {
    return await run();
  } catch (thrown) {
    throw thrown instanceof Rejected && !LATER.has(thrown.code) ? rejectedFailure(thrown) : thrown;
  } finally {
    clearInterval(beats);
  }
}

function stateOf(entity: AnyEntity, { snapshot, gone }: EntityReading): EntityState {
  const { state, version, properties, links, subordinates } = snapshot;
  const [health, settled] = [healthOf(entity, snapshot), isSettled(entity, snapshot)];
  return { ...{ state, version, health, settled, gone }, ...{ properties, links, subordinates } };
}
