import {
  implementDistributedOperation,
  membersOf,
  partitionSet,
  type Completing,
  type CompletionResult,
  type DistributedOperationLogic,
  type PartitionAt,
} from '../../../src/distributed/index.js';
import type { Random } from '../../../src/simulation/index.js';
import type { Place } from './place.js';
import { OPERATIONS } from './types.js';

/** Five attempts of a call take half of this, in milliseconds. */
const BUSY_MS = 60_000;

/** All that the code of the types needs of the world. */
export interface JobWorld {
  readonly random: Random;
  /** Tells whether things still go wrong. */
  readonly faulty: boolean;
  /** In milliseconds. */
  readonly now: number;
  place(name: string): Place;
  places(): readonly Place[];
  primaryOf(partition: number): string;
  turn(place: string): Promise<void>;
  jobBegins(instance: string, at: PartitionAt, resumed: { readonly done: number } | undefined): void;
  completionRuns(completing: Completing): void;
}

const TOTAL = 3;

export function jobKey(instance: string, partition: number): string {
  return `${instance}#${partition}`;
}

/** The code of all types: a job takes three steps, each of which it leaves on the disk of its place. */
export function logicsIn(world: JobWorld): readonly DistributedOperationLogic[] {
  return OPERATIONS.map((operation) =>
    implementDistributedOperation(operation, {
      job: async (at, _argument, context) => {
        const { random } = world;
        const place = world.place(at.place);
        const key = jobKey(context.instance, at.partition);
        world.jobBegins(context.instance, at, context.resumed);
        for (let done = context.resumed?.done ?? 0; done < TOTAL - 1; done++) {
          await world.turn(at.place);
          if (world.faulty && random.chance(0.06)) throw new Error('something went wrong');
          if (world.faulty && random.chance(0.02)) return context.fail('this partition is not right');
          if (world.faulty && random.chance(0.06)) return context.later(2_000, 'another one is at it');
          if (context.timeIsUp) return context.goOn();
          await context.progress({ done: done + 1, total: TOTAL });
          place.left.set(key, { done: done + 1, made: false });
        }
        await world.turn(at.place);
        await context.progress({ done: TOTAL, total: TOTAL });
        place.left.set(key, { done: TOTAL, made: true });
        return context.complete(at.partition);
      },
      cleanUp: async ({ place, partition }, _argument, instance) => {
        await world.turn(place);
        if (world.faulty && (isBusy(world, place) || world.random.chance(0.1)))
          throw new Error('it cannot be cleaned up now');
        world.place(place).left.delete(jobKey(instance, partition));
      },
      complete: async (_target, given, completing) => complete(world, operation.type, given, completing),
    }),
  );
}

/** At one place after the other no clean-up succeeds, for longer than five attempts take. */
function isBusy(world: JobWorld, place: string): boolean {
  const places = world.places().map(({ name }) => name);
  return places[Math.floor(world.now / BUSY_MS) % (2 * places.length)] === place;
}

function complete(world: JobWorld, type: string, argument: unknown, completing: Completing): CompletionResult {
  const { instance, succeeded, success } = completing;
  if (world.faulty && world.random.chance(0.3)) throw new Error('the completion cannot be done now');
  world.completionRuns(completing);
  const isMade = (place: Place, partition: number) => place.left.get(jobKey(instance, partition))?.made === true;
  if (!success) {
    for (const place of world.places())
      for (const partition of membersOf(succeeded)) place.left.delete(jobKey(instance, partition));
    return {};
  }
  // Anything that is to be where the primary is has to be made there again after a move.
  const missing = membersOf(succeeded).filter(
    (partition) => !isMade(world.place(world.primaryOf(partition)), partition),
  );
  if (type === 'build' && missing.length > 0) return { reopen: partitionSet(missing) };
  return type === 'count' ? { starts: [{ type: 'follow', argument }] } : {};
}
