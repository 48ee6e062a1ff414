import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  CallFailed,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  type ActionContext,
} from '../../src/definition/index.js';
import type { EntityInput } from '../../src/kernel/life/entity-life.js';
import { ANSWER_EVENT } from '../../src/protocol/names.js';
import type { Successor } from '../../src/protocol/snapshot.js';
import { LoneEntity } from '../support/lone-entity.js';

const input = z.object({ of: z.string(), at: z.number().optional() });
const output = z.object({ said: z.array(z.string()) });
const outside = defineResource('outside', {
  ask: { input, output, answer: 'callback', within: '10m' },
  work: { input, output },
  glance: { input, output, answer: 'inline' },
});

const Desk = defineEntity('Desk', {
  key: z.string(),
  properties: z.object({ noted: z.array(z.string()).default([]) }),
  states: { Absent: initial(), Open: stable(), Closed: terminal() },
  events: { open: { in: 'Absent' }, use: { in: 'Open' }, stop: { in: 'Open', busy: 'abort' }, close: { in: 'Open' } },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    use: { on: 'use', in: 'Open', to: 'Open' },
    stop: { on: 'stop', in: 'Open', to: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
});

type Context = ActionContext<typeof Desk, 'use'>;
type Way = 'ask' | 'work' | 'glance';
type Code = (app: Context) => Promise<readonly string[]>;

const desk = (code: Code) =>
  implementActions(Desk, {
    open: async (app) => app.goTo('Open'),
    use: async (app) => {
      app.properties.noted = [...(await code(app))];
      return app.goTo('Open');
    },
    stop: async (app) => app.goTo('Open'),
    close: async (app) => app.goTo('Closed'),
  });

const say = async (app: Context, of: string, way: Way = 'ask') => (await app.call(outside[way], { of })).said[0]!;
const hops = async (count: number) => {
  for (let hop = 0; hop < count; hop++) await undefined;
};

/** A desk that is used, and whose run becomes long when a test says so. */
class Use {
  readonly asked: string[] = [];
  quieted = 0;
  #entity: LoneEntity;

  private constructor(entity: LoneEntity) {
    this.#entity = this.#watched(entity);
  }

  static async begin(code: Code): Promise<Use> {
    const entity = new LoneEntity(desk(code), { kind: 'create', key: 'k', request: { id: 'o', event: 'open' } });
    await entity.calm();
    const use = new Use(entity);
    void entity.handlers!.raise([{ id: 'u', event: 'use' }]);
    await entity.calm();
    return use;
  }

  get entity(): LoneEntity {
    return this.#entity;
  }

  get noted(): unknown {
    return this.#entity.snapshot.properties['noted'];
  }

  /** Tells what has become of the event. */
  get failure() {
    return this.#entity.snapshot.ledger.recent.find(({ id }) => id === 'u')?.outcome?.error;
  }

  /** Lists what is awaited from outside. */
  get open(): readonly string[] {
    return (this.#entity.snapshot.callbacks ?? [])
      .filter(({ answer, end, asked }) => asked && !answer && !end)
      .map(({ idempotencyKey }) => idempotencyKey);
  }

  /** Takes the calls that have been made since, and answers all by what they are about, in one task. */
  async work(except: readonly string[] = []): Promise<void> {
    const calls = this.#entity.calls.splice(0);
    for (const { activity, input: given, idempotencyKey, answer, fail } of calls) {
      const { of } = given as { readonly of: string };
      this.asked.push(`${activity} ${of} as ${idempotencyKey.split('/').at(-1)}`);
      if (except.includes(of)) this.#entity.calls.push({ activity, input: given, idempotencyKey, answer, fail });
      else if (of.startsWith('bad')) fail(new CallFailed(activity, 'broken', `${of} is broken`, 0, 7_000));
      else answer({ output: activity === 'outside.ask' ? undefined : { said: [of] }, restarts: 0 });
    }
    await this.#entity.calm();
  }

  /** Answers from outside, in one task: those that were asked as these numbers. */
  async answer(...given: readonly (readonly [place: number, said: string])[]): Promise<void> {
    for (const [place, said] of given) {
      const round = this.#entity.snapshot.callbacks!.find(({ idempotencyKey }) =>
        idempotencyKey.endsWith(`/${place}`),
      )!;
      const params = said === 'no' ? { error: { code: 'no', message: 'no' } } : { output: { said: [said] } };
      void this.#entity.handlers!.raise([{ id: round.id, event: ANSWER_EVENT, params }]);
    }
    await this.#entity.calm();
  }

  /** The entity goes on in a new run, with this code; what becomes known meanwhile. */
  async renew(code: Code, meanwhile: (next: Extract<EntityInput, { kind: 'continue' }>) => void = () => undefined) {
    this.#entity.rollsOver = true;
    await this.#entity.calm();
    expect(this.#entity.end).toMatchObject({ kind: 'rollover' });
    const { next } = this.#entity.end as { readonly next: Extract<EntityInput, { kind: 'continue' }> };
    const written = JSON.parse(JSON.stringify(next)) as typeof next;
    meanwhile(written);
    const { now } = this.#entity;
    this.#entity = this.#watched(new LoneEntity(desk(code), written));
    this.#entity.now = Math.max(now, this.#entity.now);
    await this.#entity.calm();
  }

  #watched(entity: LoneEntity): LoneEntity {
    const quiet = entity.quiet.bind(entity);
    entity.quiet = () => {
      this.quieted++;
      return quiet();
    };
    return entity;
  }
}

/** Two that work with what they have heard, of which the first takes longer to go on; then one more question. */
const pair: Code = async (app) => {
  const noted = await Promise.all([
    say(app, 'a')
      .then(() => hops(5))
      .then(() => say(app, 'x', 'work')),
    say(app, 'b').then(() => say(app, 'y', 'work')),
  ]);
  return [...noted, await say(app, 'c')];
};

describe('an action that waits for several things at once (A1, action-journal.1)', () => {
  it('has each result in its place when a new run takes it over', async () => {
    const use = await Use.begin(pair);
    await use.work();
    await use.answer([1, 'a'], [2, 'b']);
    await use.work();
    await use.work();
    await use.renew(pair);
    await use.answer([5, 'c']);
    expect(use.noted).toEqual(['x', 'y', 'c']);
    expect(use.asked).toEqual([
      ...[
        'outside.ask a as 1',
        'outside.ask b as 2',
        'outside.work x as 3',
        'outside.work y as 4',
        'outside.ask c as 5',
      ],
    ]);
  });

  it('asks for nothing twice where an answer came to what it was asking again', async () => {
    // The answer to `b` comes while the next run begins: it must not overtake those that the last run had.
    const code: Code = async (app) =>
      Promise.all([
        say(app, 'a')
          .then(() => hops(9))
          .then(() => say(app, 'x')),
        say(app, 'b').then(() => say(app, 'y')),
      ]);
    const use = await Use.begin(code);
    await use.work();
    await use.answer([1, 'a']);
    await use.work();
    await use.renew(code, ({ snapshot }) => {
      const callbacks = snapshot.callbacks!.map((each) =>
        each.idempotencyKey.endsWith('/2') ? { ...each, answer: { output: { said: ['b'] } } } : each,
      );
      Object.assign(snapshot, { callbacks });
    });
    await use.work();
    expect(use.asked).toEqual(['outside.ask a as 1', 'outside.ask b as 2', 'outside.ask x as 3', 'outside.ask y as 4']);
    await use.answer([3, 'x'], [4, 'y']);
    expect(use.noted).toEqual(['x', 'y']);
  });

  it('waits for nothing more where it has one thing under way at a time (turns.2)', async () => {
    const use = await Use.begin(async (app) => [
      await say(app, 'a', 'work'),
      await say(app, 'b', 'glance'),
      await say(app, 'c'),
    ]);
    for (let call = 0; call < 3; call++) await use.work();
    await use.answer([3, 'c']);
    expect(use.noted).toEqual(['a', 'b', 'c']);
    expect(use.quieted).toBe(0);
  });

  /** The work that it does until it waits for the last one, `last`, when it goes on in a new run. */
  const codes: Readonly<Record<string, Code>> = {
    'a race, and the one that has lost it': async (app) => {
      const late = say(app, 'a', 'work').then(() => hops(7));
      const first = await Promise.race([late.then(() => 'late'), say(app, 'b', 'work')]);
      const more = late.then(() => say(app, 'x', 'work'));
      return [first, await say(app, 'y', 'work'), await more, await say(app, 'last')];
    },
    'the first that does not fail': async (app) => [
      await Promise.any([say(app, 'bad', 'work'), hops(3).then(() => say(app, 'b', 'work'))]),
      await say(app, 'last'),
    ],
    'for how long a failed call is not to be repeated': async (app) => {
      const failed = await say(app, 'bad', 'work').catch((thrown: unknown) => thrown as CallFailed);
      return [`${(failed as CallFailed).retryAfterMs}`, await say(app, 'last')];
    },
    'one that fails beside one that does not': async (app) => {
      const both = await Promise.allSettled([
        say(app, 'bad', 'work').catch(async () => hops(6).then(() => say(app, 'x', 'work'))),
        say(app, 'b', 'work').then(() => say(app, 'y', 'work')),
      ]);
      return [...both.map(({ status }) => status), await say(app, 'last')];
    },
    'inline calls beside others': async (app) => [
      ...(await Promise.all([
        say(app, 'a', 'glance').then(() => say(app, 'x', 'work')),
        say(app, 'b', 'work')
          .then(() => hops(4))
          .then(() => say(app, 'y', 'glance')),
        hops(2).then(() => say(app, 'c', 'glance')),
      ])),
      await say(app, 'last'),
    ],
    'an async generator': async (app) => {
      async function* said() {
        for (const of of ['a', 'b', 'c']) yield say(app, of, 'work');
      }
      const heard: string[] = [];
      const aside = say(app, 'z', 'work').then(() => say(app, 'zz', 'work'));
      for await (const each of said()) heard.push(each);
      return [...heard, await aside, await say(app, 'last')];
    },
    'a collector beside a call': async (app) => {
      const some = app.collect(
        ['a', 'b', 'bad', 'c'].map((of) => [outside.work, { of }] as const),
        { until: { answers: 2 }, within: '1m', atOnce: 2 },
      );
      const aside = say(app, 'z', 'work').then(() => say(app, 'zz', 'work'));
      const { results } = await some;
      const more = await Promise.all([aside, say(app, 'x', 'work')]);
      return [...results.map(({ status }) => status), ...more, await say(app, 'last')];
    },
    'an answer that it changes': async (app) => {
      const { said } = await app.call(outside.work, { of: 'a' });
      said.push('more');
      return [...said, await say(app, 'last')];
    },
    'the time, and what it has just asked': async (app) => {
      const [one, other] = await Promise.all([
        say(app, 'a', 'work').then(() => app.now()),
        say(app, 'b', 'work').then(() => hops(2).then(() => app.now())),
      ]);
      return [`${one} ${other} ${app.now()}`, await say(app, 'last')];
    },
  };

  it.each(Object.entries(codes))('takes the same way in a new run: %s', async (_, code) => {
    const ran = async (renewed: boolean) => {
      const use = await Use.begin(code);
      for (let turn = 0; turn < 6; turn++) await use.work();
      if (renewed) {
        use.entity.now += 60_000;
        await use.renew(code);
        await use.work();
      }
      const [last] = use.open;
      await use.answer([Number(last!.split('/').at(-1)), 'last']);
      return { noted: use.noted, asked: use.asked, failure: use.failure };
    };
    const once = await ran(false);
    expect(once.noted).toContain('last');
    expect(await ran(true)).toEqual(once);
  });

  it('has what a collector had by its end, also when that was its time (A3)', async () => {
    const code: Code = async (app) => {
      const calls = ['a', 'b', 'c'].map((of) => [outside.ask, { of }] as const);
      const { results } = await app.collect(calls, { until: 'deadline', within: '5s', none: 'empty' });
      return [...results.map(({ status }) => status), await say(app, 'last')];
    };
    const use = await Use.begin(code);
    await use.work();
    await use.answer([1, 'a'], [3, 'c']);
    await use.entity.pass(5_000);
    await use.work();
    await use.renew(code);
    await use.answer([4, 'last']);
    expect(use.noted).toEqual(['answered', 'failed', 'answered', 'last']);
  });

  it('counts what a collector had before its run ended, where its time is over by the next one (A3)', async () => {
    const code: Code = async (app) => {
      const calls = ['a', 'b'].map((of) => [outside.ask, { of }] as const);
      const { results } = await app.collect(calls, { until: 'deadline', within: '5s', none: 'empty' });
      return results.map(({ status }) => status);
    };
    const use = await Use.begin(code);
    await use.work();
    await use.answer([1, 'a']);
    use.entity.now += 10_000;
    await use.renew(code);
    await use.entity.calm();
    expect(use.noted).toEqual(['answered', 'failed']);
  });

  it('ends when it is aborted with answers that wait for their turn', async () => {
    const use = await Use.begin(pair);
    await use.work();
    const [one, other] = use.entity.snapshot.callbacks!;
    for (const { id } of [one!, other!])
      void use.entity.handlers!.raise([{ id, event: ANSWER_EVENT, params: { output: { said: ['it'] } } }]);
    void use.entity.handlers!.raise([{ id: 's', event: 'stop' }]);
    await use.entity.calm();
    expect(use.entity.snapshot).toMatchObject({ state: 'Open', properties: { noted: [] } });
    expect(use.entity.snapshot.running).toBeUndefined();
    expect(use.asked.filter((call) => call.startsWith('outside.work'))).toEqual([]);
  });
});

describe('an action that does not ask for the same when it runs again (A1, action-journal.4)', () => {
  const asks =
    (first: string, way: Way = 'work'): Code =>
    async (app) => {
      const said = await say(app, first, way);
      return [said, await say(app, 'last')];
    };

  it.each([
    ['other contents', asks('b'), "its request number 1 was 'outside.work' with other contents"],
    ['something else', asks('a', 'glance'), "was 'outside.work', and now is 'outside.glance'"],
    [
      'it, and catches that',
      (async (app) => [await say(app, 'b', 'work').catch(() => 'caught'), await say(app, 'last')]) as Code,
      'with other contents',
    ],
    [
      'what has had no answer yet with other contents',
      (async (app) => [await say(app, 'a', 'work'), await say(app, 'first')]) as Code,
      "request number 2 was 'outside.ask' with other contents",
    ],
  ])('asks for %s: it fails, and gets no answer', async (_, changed, problem) => {
    const use = await Use.begin(asks('a'));
    await use.work();
    await use.work();
    const { asked } = use;
    const before = [...asked];
    await use.renew(changed);
    expect(use.failure).toMatchObject({ code: 'action_changed', message: expect.stringContaining(problem) });
    expect(use.noted).toEqual([]);
    await use.work();
    expect(asked).toEqual(before);
  });

  it('reads something else at a place: it fails', async () => {
    const reads =
      (read: (app: Context) => unknown): Code =>
      async (app) => {
        read(app);
        return [await say(app, 'last')];
      };
    const use = await Use.begin(reads((app) => app.now()));
    await use.work();
    await use.renew(reads((app) => app.successors));
    expect(use.failure).toMatchObject({ code: 'action_changed', message: expect.stringContaining('successors') });
  });

  it('leaves out what code of another version does not ask for any more (action-journal.3)', async () => {
    const use = await Use.begin(async (app) => {
      void say(app, 'a', 'work');
      return [await say(app, 'last')];
    });
    await use.work();
    await use.work();
    await use.renew(async () => ['nothing']);
    expect(use.noted).toEqual(['nothing']);
  });
});

describe('what an action reads without awaiting it (A1, action-journal.5)', () => {
  it('is the same in a new run, whatever has become of its successors', async () => {
    const states: string[][] = [];
    const code: Code = async (app) => {
      const before = app.successors.map(({ state }) => state ?? 'unknown');
      (app.successors as unknown[]).splice(0);
      const said = await say(app, 'last');
      states.push([...before, ...app.successors.map(({ state }) => state ?? 'unknown')]);
      return [...before, said];
    };
    const use = await Use.begin(code);
    await use.work();
    const one = { type: 'Desk', key: 'other', request: 'r', event: 'use', operation: 'op', version: 1 };
    await use.renew(code, ({ snapshot }) =>
      Object.assign(snapshot, {
        successors: [{ ...one, outcome: { state: 'Open', health: 'ok' } } as never as Successor],
      }),
    );
    await use.answer([1, 'last']);
    expect(use.noted).toEqual(['last']);
    expect(states).toEqual([['Open']]);
  });
});
