import { setTimeout as delay } from 'node:timers/promises';
import {
  implementDistributedOperation,
  MemoryLedger,
  partitionSet,
  type Completing,
  type DistributedOperationLogic,
  type JobContext,
  type Placement,
} from '../../src/distributed/index.js';
import { inspect, plough, sow } from '../entities/harvest.js';

/** How often a job that is held looks whether it may go on, in milliseconds. */
const HELD_MS = 20;

/** Something that a job has begun at a place, and how often. */
export interface Begun {
  readonly place: string;
  readonly partition: number;
  readonly from: number;
}

/** A farm: its fields are the partitions of the target `farm`, and lie at places. What jobs do to it stays. */
export class Farm {
  readonly places: readonly string[];
  readonly ledgers: ReadonlyMap<string, MemoryLedger>;
  /** Rows that were done by jobs that are not over, by instance, place and field. */
  readonly rows = new Map<string, number>();
  readonly begun: Begun[] = [];
  readonly cleaned: string[] = [];
  readonly completed: Completing[] = [];
  /** The times at which rows were begun. */
  readonly rowTimes: number[] = [];
  /** How long a row takes, in milliseconds. */
  rowMs = 0;
  /** Fields whose inspection fails. */
  readonly bad = new Set<number>();
  /** How often the sowing of a field throws. */
  readonly stuck = new Map<number, number>();
  /** Fields whose sowing is put off by an hour, and why. Until then, no attempt comes by itself, however slow the machine is. */
  readonly postponed = new Map<number, string>();
  /** Fields whose gate is locked, by a process with this number. */
  readonly gates = new Map<number, number>();
  /** The places at which each clean-up fails. */
  readonly muddy = new Set<string>();
  /** Tells whether jobs wait where they are, until this is over or they have to stop. */
  held = false;
  /** The jobs that wait, by instance, place and field. */
  readonly waiting = new Set<string>();
  /** Makes code at a place take its time. */
  pause = (ms: number): Promise<void> => delay(ms);
  /** The jobs that waited until their time was up, as nobody stopped them. */
  readonly unstopped = new Set<string>();
  /** How often a completion throws before it does not. */
  throwing = 0;
  followUp = false;
  #primaries: string[];
  #version = 1;

  constructor(fields: number, places = ['north', 'south', 'west']) {
    this.places = places;
    this.ledgers = new Map(places.map((place) => [place, new MemoryLedger()]));
    this.#primaries = Array.from({ length: fields }, (_, field) => places[field % places.length]!);
  }

  move(field: number, to: string): void {
    this.#primaries[field] = to;
    this.#version++;
  }

  primaryOf(field: number): string {
    return this.#primaries[field]!;
  }

  placement(): Placement {
    const at = (place: string) =>
      partitionSet(this.#primaries.flatMap((each, field) => (each === place ? [field] : [])));
    const places = Object.fromEntries(this.places.map((place) => [place, { primary: at(place) }]));
    return { version: this.#version, partitions: this.#primaries.length, places };
  }

  /** The code of the operations. */
  get logics(): readonly DistributedOperationLogic[] {
    return [
      implementDistributedOperation(sow, {
        check: async (_, { crop }) =>
          crop === 'weeds' ? { code: 'no_seed', message: 'There is no seed of weeds.' } : undefined,
        job: (at, { rows }, context) => this.work(at, rows, context),
        cleanUp: async (at, _, instance) => this.clean(at, instance),
        complete: async (_target, _argument, completing) => {
          if (this.throwing-- > 0) throw new Error('The barn is closed.');
          this.completed.push(completing);
          return this.followUp && completing.success ? { starts: [{ type: 'inspect', argument: {} }] } : undefined;
        },
      }),
      implementDistributedOperation(inspect, {
        job: async (at, { rows }, context) =>
          this.bad.has(at.partition)
            ? context.fail(`Field ${at.partition} is bad.`, { stones: 3 })
            : this.work(at, rows, context),
        cleanUp: async (at, _, instance) => this.clean(at, instance),
        complete: async (_target, _argument, completing) => void this.completed.push(completing),
      }),
      implementDistributedOperation(plough, {
        job: (at, _, context) => this.work(at, 1, context),
        cleanUp: async (at, _, instance) => this.clean(at, instance),
        complete: async (_target, _argument, completing) => void this.completed.push(completing),
      }),
    ];
  }

  protected async work(
    at: { readonly partition: number; readonly place: string },
    rows: number,
    context: JobContext<{ done: number; total: number }>,
  ) {
    const { partition, place } = at;
    const key = keyOf(context.instance, at);
    const from = context.resumed?.done ?? 0;
    this.begun.push({ place, partition, from });
    const stuck = this.stuck.get(partition) ?? 0;
    this.stuck.set(partition, stuck - 1);
    if (stuck > 0) throw new Error('The tractor is stuck.');
    const why = this.postponed.get(partition);
    if (why !== undefined) return context.later(3_600_000, why);
    const gate = this.gates.get(partition);
    if (gate !== undefined) context.waitsForLock({ message: 'The gate is locked.', pids: [gate] });
    for (let done = from; done < rows; done++) {
      if (this.held && done > 0) await this.#wait(key, context);
      if (context.timeIsUp && this.held) return context.goOn();
      this.rowTimes.push(Date.now());
      await this.pause(this.rowMs);
      await context.progress({ done: done + 1, total: rows });
      this.rows.set(key, done + 1);
      if (context.timeIsUp && done + 1 < rows) return context.goOn();
    }
    this.rows.delete(key);
    return context.complete({ place });
  }

  async #wait(key: string, context: JobContext<{ done: number; total: number }>): Promise<void> {
    this.waiting.add(key);
    while (this.held && !context.stop.stopped && !context.timeIsUp) await this.pause(HELD_MS);
    this.waiting.delete(key);
    if (this.held && !context.stop.stopped) this.unstopped.add(key);
  }

  protected clean(at: { readonly partition: number; readonly place: string }, instance: string): void {
    if (this.muddy.has(at.place)) throw new Error(`Nobody can clean up in the ${at.place}.`);
    this.rows.delete(keyOf(instance, at));
    this.cleaned.push(`${at.place}#${at.partition}`);
  }
}

function keyOf(instance: string, { place, partition }: { readonly place: string; readonly partition: number }): string {
  return `${instance} ${place}#${partition}`;
}
