import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  type ActionContext,
} from '../../../src/definition/index.js';

/*
 * An action that waits for several things at once, in every way, whose results all differ: whoever gets another one's result sees it.
 */

const input = z.object({ name: z.string(), part: z.number() });
const output = z.object({ said: z.number() });

export const echo = defineResource('echo', {
  write: { input, output, answer: 'callback', within: '1m', withdraw: true },
  phone: { input, output },
  glance: { input, output, answer: 'inline' },
});

const step = z.object({
  way: z.enum(['write', 'phone', 'glance', 'collect', 'read', 'raise', 'reserve', 'look']),
  /** How many promises it follows before it goes on. */
  hops: z.number(),
});

/** The steps of the branches, and how they come together. */
const course = z.object({
  branches: z.array(z.array(step)),
  join: z.enum(['all', 'settled', 'race', 'any', 'generator']),
});
export type Course = z.output<typeof course>;

/** All that a relay has found wrong. */
export interface Findings {
  wrong: string | undefined;
}

/** Others, of which each knows its own number. */
export const Stand = defineEntity('Stand', {
  key: z.string(),
  properties: z.object({ number: z.number().default(0) }),
  states: { Absent: initial(), Open: stable(), Closed: terminal() },
  events: {
    open: { params: z.object({ number: z.number() }), in: 'Absent' },
    poke: { in: 'Open' },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    poke: { on: 'poke', in: 'Open', to: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
});

export const stand = implementActions(Stand, {
  open: async (app, { params }) => {
    app.properties.number = params.number;
    return app.goTo('Open');
  },
  poke: async (app) => app.goTo('Open'),
  close: async (app) => app.goTo('Closed'),
});

export const Relay = defineEntity('Relay', {
  key: z.string(),
  properties: z.object({ runs: z.number().default(0) }),
  states: { Absent: initial(), Open: stable(), Closed: terminal() },
  events: {
    open: { in: 'Absent' },
    run: { params: course, in: 'Open' },
    stop: { in: 'Open', busy: 'abort' },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    run: { on: 'run', in: 'Open' },
    stop: { on: 'stop', in: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
});

export const STANDS = 3;

/** The relay, which notes there what it has found wrong. */
export function relayOf(findings: Findings) {
  return implementActions(Relay, {
    open: async (app) => app.goTo('Open'),
    run: async (app, { params }) => {
      await new Running(app, findings).run(params);
      app.properties.runs++;
    },
    stop: async () => undefined,
    close: async (app) => app.goTo('Closed'),
  });
}

class Running {
  readonly #app: ActionContext<typeof Relay, 'run'>;
  readonly #findings: Findings;
  readonly #ends: Promise<unknown>[] = [];

  constructor(app: ActionContext<typeof Relay, 'run'>, findings: Findings) {
    this.#app = app;
    this.#findings = findings;
  }

  async run({ branches, join }: Course): Promise<void> {
    try {
      if (join === 'generator') for await (const _ of this.#oneByOne(branches)) await hops(2);
      else await this.#together(branches, join);
    } finally {
      // Whatever has begun ends before the action does.
      await Promise.all(this.#ends);
    }
  }

  async #together(branches: Course['branches'], join: Exclude<Course['join'], 'generator'>): Promise<void> {
    const begun = branches.map((steps, branch) => this.#begin(steps, branch));
    if (join === 'race') await Promise.race(begun);
    if (join === 'any') await Promise.any(begun).catch(() => undefined);
    // One more, while the others go on.
    await this.#guard(() => this.#echo('phone', 1_000));
    if (join === 'settled') await Promise.allSettled(begun);
    else await Promise.all(begun);
  }

  async *#oneByOne(branches: Course['branches']): AsyncGenerator<void> {
    const aside = this.#begin(branches[0] ?? [], 9);
    for (const [branch, steps] of branches.entries()) yield this.#begin(steps, branch);
    await aside;
  }

  #begin(steps: Course['branches'][number], branch: number): Promise<void> {
    const begun = this.#branch(steps, branch);
    this.#ends.push(Promise.allSettled([begun]));
    return begun;
  }

  async #branch(steps: Course['branches'][number], branch: number): Promise<void> {
    for (const [place, { way, hops: many }] of steps.entries()) {
      await this.#guard(() => this.#take(way, branch * 100 + place * 10));
      await hops(many);
    }
  }

  async #take(way: Course['branches'][number][number]['way'], part: number): Promise<void> {
    const app = this.#app;
    const key = `stand${part % STANDS}`;
    switch (way) {
      case 'collect':
        return this.#collect(part);
      case 'read':
        return this.#mustBe('read', (await app.read(Stand, key))?.properties.number, part % STANDS);
      case 'reserve': {
        const view = await app.reserve(Stand, key, { within: '5s', lease: '30s' });
        return this.#mustBe('reserve', view?.properties.number, part % STANDS);
      }
      case 'raise': {
        const outcome = await app.raiseAndWait(Stand, key, 'poke', { within: '20s' });
        return this.#mustBe('raise', outcome.status === 'settled' ? outcome.state : 'Open', 'Open');
      }
      case 'look':
        // The values that it reads at once decide what comes next.
        if ((app.now() + app.successors.length) % 2 === 0) await this.#echo('glance', part);
        return;
      default:
        return this.#echo(way, part);
    }
  }

  async #echo(way: 'write' | 'phone' | 'glance', part: number): Promise<void> {
    const { said } = await this.#app.call(echo[way], { name: this.#app.key, part });
    this.#mustBe(way, said, part);
  }

  async #collect(part: number): Promise<void> {
    const ways = (['phone', 'write', 'glance', 'phone'] as const).map(
      (way, more) => [echo[way], { name: this.#app.key, part: part + more }] as const,
    );
    const rule = (['all', 'first', 'deadline', { answers: 2 }] as const)[part % 4]!;
    const { results } = await this.#app.collect(ways, { until: rule, within: '8s', atOnce: 2, none: 'empty' });
    for (const [more, result] of results.entries()) {
      if (result.status === 'answered') this.#mustBe('collect', (result.output as { said: number }).said, part + more);
    }
  }

  /** Goes on whatever fails, unless the action is over. */
  async #guard(take: () => Promise<void>): Promise<void> {
    try {
      await take();
    } catch (thrown) {
      if ((thrown as { readonly code?: unknown }).code === 'action_changed')
        this.#findings.wrong ??= `${this.#app.key}: ${(thrown as Error).message}`;
      unlessOver(thrown);
    }
  }

  #mustBe(way: string, said: unknown, wanted: unknown): void {
    if (said === undefined || said === wanted) return;
    this.#findings.wrong ??= `${this.#app.key} has got ${String(said)} by '${way}', and not ${String(wanted)}`;
  }
}

async function hops(count: number): Promise<void> {
  for (let hop = 0; hop < count; hop++) await undefined;
}

/** Takes failures outside as part of it. An action that is aborted, or has a defect, ends. */
function unlessOver(thrown: unknown): void {
  const expected = ['CallFailed', 'CollectFailed', 'WaitTimedOut', 'WaitRefused', 'ReservationEnded'];
  if (!expected.includes((thrown as Error).name)) throw thrown;
}
