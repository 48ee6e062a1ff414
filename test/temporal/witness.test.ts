import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RecordedWait, StoreRecord, ToldWaits, TransitionRecord } from '../../src/protocol/records.js';
import type { Certain, RecordKeeper } from '../../src/temporal/record-keeper.js';
import { NOTHING_KNOWN } from '../../src/protocol/past-request.js';
import { Witness } from '../../src/temporal/witness.js';
import { Box } from '../entities/box.js';
import { entity, standing, transition } from '../store/records.js';
import { Shelf } from '../support/shelf.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** A store in memory that keeps nothing but its feed. */
class FeedKeeper implements RecordKeeper {
  readonly offered: StoreRecord[] = [];
  readonly fed: TransitionRecord[] = [];
  readonly waits: ToldWaits[] = [];
  /** How often it was asked whether anybody listens. */
  questions = 0;
  listening = false;

  readonly feed = {
    isWanted: async () => {
      this.questions++;
      return this.listening;
    },
    append: async ({ transitions, waits }: Certain) => {
      this.fed.push(...transitions);
      this.waits.push(...waits);
    },
  };

  offer(records: readonly StoreRecord[]): void {
    this.offered.push(...records);
  }
  resume = () => undefined;
  confirm = async () => [];
  keep = async () => undefined;
  recall = async () => NOTHING_KNOWN;

  /** The versions of an entity that were fed. */
  versionsOf(key: string): readonly number[] {
    return this.fed.filter(({ entity }) => entity.key === key).map(({ version }) => version);
  }
}

const keeper = new FeedKeeper();
const shelf = new Shelf();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box],
    resources: [shelf.resource],
    records: keeper,
  });
});
afterAll(async () => service.close());

const relabel = (key: string, label: string) => service.reeve.raise(Box, key, 'relabel', { label });

describe('the witness of a worker (A6)', () => {
  it('asks nobody while nobody listens', async () => {
    await service.reeve.operations.result(await service.reeve.create(Box, 'quiet', 'place', { label: 'first' }));
    const { questions } = keeper;
    await until(async () => expect(keeper.questions).toBeGreaterThan(questions));
    expect(keeper.offered.some((record) => record.kind === 'transition')).toBe(true);
    expect(keeper.fed).toEqual([]);
  });

  it('feeds what has happened for certain while the entity goes on, in its order', async () => {
    keeper.listening = true;
    const { questions } = keeper;
    await until(async () => expect(keeper.questions).toBeGreaterThan(questions + 1));
    await service.reeve.operations.result(await service.reeve.create(Box, 'watched', 'place', { label: 'first' }));
    for (let turn = 0; turn < 20; turn++) await relabel('watched', `turn ${turn}`);
    const { snapshot } = await service.reeve.read({ type: 'Box', key: 'watched' });
    await until(async () => expect(keeper.versionsOf('watched')).toContain(snapshot.version));
    const versions = [...new Set(keeper.versionsOf('watched'))];
    expect(versions).toEqual(Array.from({ length: snapshot.version }, (_, index) => index + 1));
  });

  it('goes on after another worker has taken the entity over', async () => {
    await service.stopWorker();
    await service.startWorker();
    const { questions } = keeper;
    await until(async () => expect(keeper.questions).toBeGreaterThan(questions + 1));
    const before = Math.max(...keeper.versionsOf('watched'));
    // On a busy machine, the entity may rest and bring a transition itself before the witness has looked twice.
    await until(async () => {
      await relabel('watched', 'by another worker');
      expect(Math.max(...keeper.versionsOf('watched'))).toBeGreaterThan(before);
    });
  });
});

describe('what a witness takes for certain (A6, witness.2)', () => {
  const told = (version: number, at: number) => transition(version, { at });
  const { life } = entity();

  it('was told at two looks with the same time, and so was not decided in a task that was lost', async () => {
    const store = new FeedKeeper();
    store.listening = true;
    // The task that decides version 2 is lost, and another one decides it again.
    const looks = [[told(1, 10), told(2, 20)], [told(1, 10), told(2, 30)], [told(2, 30)]];
    const asked: number[] = [];
    const witness = new Witness(async (_, after) => {
      asked.push(after);
      return { life, transitions: looks.shift() ?? [] };
    }, store.feed);
    const ending = new AbortController();
    const running = witness.run(ending.signal);
    onTestFinished(async () => {
      ending.abort();
      await running;
    });
    await until(async () => {
      witness.note([told(1, 10), told(2, 20)]);
      expect(asked).not.toEqual([]);
    });
    await until(async () => expect(store.fed).toHaveLength(2));
    expect(store.fed).toEqual([told(1, 10), told(2, 30)]);
    expect(asked.slice(0, 3)).toEqual([0, 0, 1]);
  });

  it('counts also where it was told before anybody could know whether somebody listens, as in a short invocation (A6, Q3)', async () => {
    const store = new FeedKeeper();
    store.listening = true;
    const witness = new Witness(async () => ({ life, transitions: [told(1, 10)] }), store.feed);
    witness.note([told(1, 10)]);
    const ending = new AbortController();
    const running = witness.run(ending.signal);
    onTestFinished(async () => {
      ending.abort();
      await running;
    });
    await until(async () => expect(store.fed).toEqual([told(1, 10)]));
  });

  it('keeps no worker from its end, whose entities answer no more (Q3)', async () => {
    const store = new FeedKeeper();
    store.listening = true;
    let asked = false;
    const witness = new Witness(() => {
      asked = true;
      return new Promise(() => undefined);
    }, store.feed);
    const ending = new AbortController();
    const running = witness.run(ending.signal);
    await until(async () => {
      witness.note([told(1, 10)]);
      expect(asked).toBe(true);
    });
    ending.abort();
    const ends = running.then(() => 'ended' as const);
    await until(async () => expect(await Promise.race([ends, Promise.resolve('runs')])).toBe('ended'));
  });

  it('is what an entity waits for, where it says the same at two looks, and that it waits no longer (witness.2)', async () => {
    const store = new FeedKeeper();
    store.listening = true;
    const waits = [{ kind: 'answer', on: 'approvals.ask' }] as const;
    const said = (at: number, ...of: readonly RecordedWait[]): ToldWaits => ({ life, version: 1, waits: of, at });
    const record = (at: number, ...of: readonly RecordedWait[]) =>
      standing(1, { at, entity: entity(), ...(of.length > 0 && { waits: of }) });
    // The task that has said it is lost, and another one says it again.
    const looks = [said(10, ...waits), said(15, ...waits), said(15, ...waits)];
    let then = said(15, ...waits);
    const witness = new Witness(async () => ({ life, transitions: [], waits: looks.shift() ?? then }), store.feed);
    const ending = new AbortController();
    const running = witness.run(ending.signal);
    onTestFinished(async () => {
      ending.abort();
      await running;
    });
    await until(async () => {
      witness.note([record(10, ...waits)]);
      expect(store.waits).toHaveLength(1);
    });
    expect(store.waits).toEqual([said(15, ...waits)]);
    then = said(30);
    witness.note([record(30)]);
    await until(async () => expect(store.waits).toHaveLength(2));
    expect(store.waits.at(-1)).toEqual(said(30));
  });

  it('is of the life that it watches, and of no other one of the key', async () => {
    const store = new FeedKeeper();
    store.listening = true;
    let asked = 0;
    const witness = new Witness(async () => {
      asked++;
      return { life: 'another life', transitions: [told(1, 10)] };
    }, store.feed);
    const ending = new AbortController();
    const running = witness.run(ending.signal);
    onTestFinished(async () => {
      ending.abort();
      await running;
    });
    await until(async () => {
      witness.note([told(1, 10)]);
      expect(asked).toBeGreaterThan(2);
    });
    expect(store.fed).toEqual([]);
  });
});
