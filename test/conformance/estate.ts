import {
  implementDistributedOperation,
  membersOf,
  partitionSet,
  type DistributedOperationLogic,
  type InstanceReading,
  type InstanceRef,
  type Placement,
  type RunningOperation,
} from '../../src/distributed/index.js';
import type { JobsRecord } from '../../src/protocol/jobs-record.js';
import { fence, survey } from '../entities/harvest.js';
import { Farm } from '../support/harvest.js';

/** A farm of which each field has a replica at the place after that of its primary, with all operations. */
export class Estate extends Farm {
  /** Where there are fences: `north#3`. */
  readonly fences = new Set<string>();

  secondaryOf(field: number): string {
    return this.places[(this.places.indexOf(this.primaryOf(field)) + 1) % this.places.length]!;
  }

  override placement(): Placement {
    const { places, ...rest } = super.placement();
    const fields = Array.from({ length: rest.partitions }, (_, field) => field);
    const both = Object.entries(places).map(([place, holds]) => {
      const secondary = partitionSet(fields.filter((field) => this.secondaryOf(field) === place));
      return [place, { ...holds, secondary }] as const;
    });
    return { ...rest, places: Object.fromEntries(both) };
  }

  override get logics(): readonly DistributedOperationLogic[] {
    return [
      ...super.logics,
      implementDistributedOperation(fence, {
        job: async (at, _, context) => {
          // The first field is done at once, and the others may be held.
          const end = await this.work(at, at.partition === 0 ? 1 : 2, context);
          if (end.kind === 'complete') this.fences.add(`${at.place}#${at.partition}`);
          return end;
        },
        cleanUp: async (at, _, instance) => {
          this.fences.delete(`${at.place}#${at.partition}`);
          this.clean(at, instance);
        },
        complete: async (_target, _argument, completing) => {
          const isFenced = (field: number) => this.fences.has(`${this.primaryOf(field)}#${field}`);
          const missing = membersOf(completing.partitions).filter((field) => !isFenced(field));
          if (completing.success && missing.length > 0) return { reopen: partitionSet(missing) };
          this.completed.push(completing);
          return undefined;
        },
      }),
      implementDistributedOperation(survey, {
        job: async (at, _, context) =>
          this.bad.has(at.partition) ? context.fail('There are stones.') : this.work(at, 2, context),
        cleanUp: async (at, _, instance) => this.clean(at, instance),
        complete: async (_target, _argument, completing) => {
          this.completed.push(completing);
          const { partitions, succeeded } = completing;
          const found = membersOf(partitions).filter((field) => !membersOf(succeeded).includes(field));
          return found.length === 0 ? undefined : { failed: `There are stones in the fields ${found.join(', ')}.` };
        },
      }),
    ];
  }
}

interface Start {
  readonly requestId?: string;
  readonly partitions?: string;
  readonly atOnce?: number;
}

/** An estate, and operations on it, on one of the drivers. */
export interface EstatePlane {
  readonly estate: Estate;
  readonly target: string;
  /** @throws an error with the code, the message, and what runs, where it is refused */
  start(type: string, argument: object, options?: Start): Promise<InstanceRef>;
  /** Waits for the end. */
  result(ref: InstanceRef): Promise<InstanceReading>;
  read(ref: InstanceRef): Promise<InstanceReading>;
  running(): Promise<readonly RunningOperation[]>;
  pause(ref: InstanceRef): Promise<unknown>;
  resume(ref: InstanceRef): Promise<unknown>;
  limit(ref: InstanceRef, atOnce: number): Promise<unknown>;
  cancel(ref: InstanceRef, reason: string): Promise<unknown>;
  proceed(ref: InstanceRef): Promise<unknown>;
  retryJob(ref: InstanceRef, partition: number): Promise<unknown>;
  moveJob(ref: InstanceRef, partition: number, place: string): Promise<unknown>;
  /** The jobs of the estate that the store was told of. */
  told(): readonly JobsRecord[];
  /** The primary of a field moves, and the instance hears of it. */
  move(ref: InstanceRef, field: number, to: string): Promise<void>;
  /** The executor of a place ends, and another one starts. */
  restart(place: string): Promise<void>;
  /** The executor of a place ends, and for now no other one starts. */
  leave(place: string): Promise<void>;
  arrive(place: string): Promise<void>;
  /** The coordinator of an instance goes on from its data alone. */
  renew(ref: InstanceRef): Promise<void>;
  /** Somebody ends an instance by force. */
  end(ref: InstanceRef): Promise<void>;
  /** From now on nothing goes wrong that was not asked for. */
  calm(): void;
  /** The records of jobs that are left, of all places. */
  records(): Promise<readonly unknown[]>;
  until(check: () => boolean | Promise<boolean>): Promise<void>;
}
