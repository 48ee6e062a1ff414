import { describe, expect, it } from 'vitest';
import {
  cleanJobs,
  implementDistributedOperation,
  lookAtRecords,
  MemoryLedger,
  newInstance,
  recordVerdict,
  runLane,
  stepInstance,
  underWay,
  type AnyDistributedOperation,
  type CallOutcome,
  type Instance,
  type InstanceEffect,
  type InstanceInput,
  type JobContext,
  type JobEnd,
  type LaneDriver,
} from '../../src/distributed/index.js';
import { build, check } from './types.js';

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;
type Counted = { readonly done: number; readonly total: number };
type Work<Kind> = Extract<InstanceEffect, { readonly kind: Kind; readonly work: unknown }>['work'];

const TOTAL = 10;

/** One partition, whose primary moves between two places. */
class Moved {
  instance: Instance;
  readonly ledgers = { east: new MemoryLedger(), west: new MemoryLedger() };
  readonly log: string[] = [];
  /** How far a job comes in one lane. */
  reaches = TOTAL;
  readonly #operation: AnyDistributedOperation;
  readonly #logic;
  #version = 0;
  #now = 0;

  constructor(operation: AnyDistributedOperation) {
    this.#operation = operation;
    this.#logic = implementDistributedOperation(operation, {
      job: async ({ place }, _, context: JobContext<Counted>): Promise<JobEnd> => {
        this.log.push(`job at ${place} from ${context.resumed?.done ?? 0}`);
        await context.progress({ done: this.reaches, total: TOTAL });
        return this.reaches === TOTAL ? context.complete(place) : context.goOn();
      },
      cleanUp: async ({ place }) => void this.log.push(`clean-up at ${place}`),
      complete: async () => undefined,
    });
    const start = { target: 'orders/items', type: operation.type, instance: 1, argument: { name: 'a' } };
    this.instance = newInstance(operation, start, 0);
    this.take({ kind: 'begin' });
    this.moveTo('east');
  }

  take(input: Untimed<InstanceInput>): void {
    this.#now += 10;
    const timed = { ...input, at: this.#now } as InstanceInput;
    this.instance = stepInstance(this.#operation, this.instance, timed).instance;
  }

  answer(kind: InstanceEffect['kind'], outcome: CallOutcome): void {
    const { number } = underWay(this.instance).find((effect) => effect.kind === kind)!;
    this.take({ kind: 'answer', number, outcome });
  }

  moveTo(place: 'east' | 'west'): void {
    const places = { east: { primary: '' }, west: { primary: '' }, [place]: { primary: '0' } };
    this.take({ kind: 'look' });
    this.answer('place', { kind: 'placement', placement: { version: ++this.#version, partitions: 1, places } });
  }

  /** The executor does the lane that is under way; its answer comes, or is lost. */
  async lane(answers = true): Promise<void> {
    const { work } = this.#wanted('lane');
    const ledger = this.ledgers[work.place as 'east'];
    const driver: LaneDriver = {
      ...{ ledger, told: { stopped: false, onStop: () => undefined }, timeIsUp: () => false, now: () => 0 },
      verdict: async () => ({ kind: 'go on', withdrawn: '' }),
      ...{ pause: async () => undefined, beat: () => undefined, end: () => undefined },
    };
    const result = await runLane(this.#logic, driver, work);
    if (answers) this.answer('lane', { kind: 'lane', result });
  }

  async clean(): Promise<void> {
    const { work } = this.#wanted('clean');
    await cleanJobs(this.#logic, this.ledgers[work.place as 'east'], work);
    this.answer('clean', { kind: 'done' });
  }

  /** The executor of a place starts. */
  async starts(place: 'east' | 'west'): Promise<void> {
    const logics = new Map([[this.#operation.type, this.#logic]]);
    await lookAtRecords(logics, this.ledgers[place], place, async (record) =>
      recordVerdict(this.instance, place, record),
    );
  }

  #wanted<Kind extends 'lane' | 'clean'>(kind: Kind): { readonly work: Work<Kind> } {
    return underWay(this.instance).find((effect) => effect.kind === kind) as never;
  }
}

/** The job runs in the east, whose executor is away then until after the partition has been in the west. */
async function awayWhileItMoves(operation: AnyDistributedOperation, inTheEast: number): Promise<Moved> {
  const moved = new Moved(operation);
  moved.reaches = inTheEast;
  await moved.lane(false);
  moved.moveTo('west');
  moved.answer('lane', { kind: 'lost' });
  moved.answer('clean', { kind: 'lost' });
  moved.reaches = 7;
  await moved.lane();
  moved.moveTo('east');
  moved.answer('lane', { kind: 'lost' });
  await moved.clean();
  moved.reaches = TOTAL;
  moved.log.length = 0;
  return moved;
}

describe('a place that has a job again, and was away while another one had it (I1, I2)', () => {
  it('cleans up what the older assignment has left, and begins anew', async () => {
    const moved = await awayWhileItMoves(build, 4);
    await moved.lane();
    expect(moved.log).toEqual(['clean-up at east', 'job at east from 0']);
  });

  it('does so when its executor starts, before it takes a job', async () => {
    const moved = await awayWhileItMoves(build, 4);
    await moved.starts('east');
    expect(moved.log).toEqual(['clean-up at east']);
    await moved.lane();
    expect(moved.log).toEqual(['clean-up at east', 'job at east from 0']);
  });

  it('runs the job that it had ended under the older assignment', async () => {
    const moved = await awayWhileItMoves(build, TOTAL);
    await moved.lane();
    expect(moved.log).toEqual(['clean-up at east', 'job at east from 0']);
    expect(moved.instance.succeededAt).toEqual({ east: '0' });
  });

  it('goes on from the progress that came along, and not from its own of yesterday', async () => {
    const moved = await awayWhileItMoves(check, 4);
    await moved.lane();
    expect(moved.log).toEqual(['clean-up at east', 'job at east from 7']);
  });

  it('goes on from its own progress where nobody else has had the job', async () => {
    const moved = new Moved(build);
    moved.reaches = 4;
    await moved.lane(false);
    moved.answer('lane', { kind: 'lost' });
    await moved.starts('east');
    await moved.lane();
    expect(moved.log).toEqual(['job at east from 0', 'job at east from 4']);
  });

  it('cleans up again when the clean-up was cut short', async () => {
    const moved = await awayWhileItMoves(build, 4);
    const { write } = moved.ledgers.east;
    moved.ledgers.east.write = async () => Promise.reject(new Error('the executor dies'));
    await expect(moved.lane()).rejects.toThrow('the executor dies');
    moved.ledgers.east.write = write;
    await moved.lane();
    expect(moved.log).toEqual(['clean-up at east', 'clean-up at east', 'job at east from 0']);
  });

  it('begins a job anew that was opened again after its place had not answered (I6)', async () => {
    const moved = new Moved(build);
    await moved.lane();
    moved.answer('tidy', { kind: 'lost' });
    moved.answer('complete', { kind: 'completed', result: { reopen: '0' } });
    moved.log.length = 0;
    await moved.lane();
    expect(moved.log).toEqual(['clean-up at east', 'job at east from 0']);
  });
});
