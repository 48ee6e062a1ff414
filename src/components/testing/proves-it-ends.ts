/*
 * The source's advice to authors of components: test each inside a sequence, with `sfShouldTerminate` set. It ends in bounded time, or
 * the sequence hangs. W1
 */
import { asDeclared, toMilliseconds, type Duration } from '../../definition/duration.js';
import { sequence } from '../combinators/sequence.js';
import { extend, type Description, type Json } from '../description/description.js';
import { kindsOf } from '../kinds.js';
import type { AnyComponent } from '../own/component.js';
import { HandlerHost } from '../own/handler-host.js';
import { endOf, nextDue } from '../running/reading.js';
import { step } from '../running/step.js';
import { drawTree } from '../show/draw.js';
import { explainTree } from '../show/explain.js';
import type { Effect } from '../tree/effect.js';
import type { Input } from '../tree/input.js';
import type { Kind, Kinds } from '../tree/kind.js';
import { plant } from '../tree/plant.js';
import type { Result } from '../tree/result.js';
import type { End, Tree } from '../tree/tree.js';

export interface EndingOptions {
  /** The components of one's own that it is made of, itself included. */
  readonly components?: readonly (AnyComponent | Kind)[];
  /** Answers its calls. Without an answer, a call fails. */
  readonly answer?: (activity: string, input: Json) => Result | Promise<Result> | undefined;
  /** Sets how long it may take, in a time that passes only while nothing else happens. An hour by default. */
  readonly within?: Duration;
}

/**
 * Runs a component inside a sequence, in memory, and gives the record of its end.
 * @throws Error that shows what it waits for, when it does not end in time
 */
export async function provesItEnds(description: Description, options: EndingOptions = {}): Promise<End> {
  return new Proof(description, options).run();
}

/** After so many turns, code of one's own waits for something. */
const TURNS = 100;

class Proof {
  readonly #kinds: Kinds;
  readonly #host: HandlerHost;
  readonly #answer: NonNullable<EndingOptions['answer']>;
  readonly #within: number;
  readonly #told: Input[] = [];
  #tree: Tree;
  #now = 0;
  /** How many inputs were taken: each when nothing went on any more. */
  #taken = 0;

  constructor(description: Description, { components = [], answer = () => undefined, within = '1h' }: EndingOptions) {
    this.#kinds = kindsOf(components);
    this.#answer = answer;
    this.#within = toMilliseconds(within);
    const ending = extend(description, { attributes: { sfShouldTerminate: true } });
    this.#tree = plant(this.#kinds, { run: 'test/sequence', at: 0, description: sequence({ component: ending }) });
    const own = components.filter((each): each is AnyComponent => 'kind' in each);
    this.#host = new HandlerHost(own, {
      tell: (input) => void this.#told.push(input),
      now: () => this.#now,
      quiet: () => this.#turns(),
      moment: () => this.#taken,
    });
  }

  async run(): Promise<End> {
    await this.#take({ at: 0, kind: 'deploy' });
    for (;;) {
      await this.#turns();
      const end = endOf(this.#tree);
      if (end) return end;
      const told = this.#told.shift();
      if (told) await this.#take(told);
      else await this.#wait();
    }
  }

  async #wait(): Promise<void> {
    const due = nextDue(this.#tree);
    if (due === undefined) throw this.#hangs('waits for ever');
    if (due > this.#within) throw this.#hangs(`has not ended within ${asDeclared(this.#within)}`);
    this.#now = due;
    await this.#take({ at: due, kind: 'due' });
  }

  async #take(input: Input): Promise<void> {
    this.#taken++;
    const { tree, effects } = step(this.#kinds, this.#tree, input);
    this.#tree = tree;
    for (const effect of effects) await this.#carryOut(effect);
  }

  async #carryOut(effect: Effect): Promise<void> {
    if (this.#host.take(effect)) return;
    if (effect.kind === 'deploy' && effect.key !== undefined) this.#tell(effect.key, {});
    if (effect.kind !== 'call') return;
    const { key, activity, input } = effect;
    const message = `The test has no answer for ${activity}: give it one in 'answer'.`;
    this.#tell(key, (await this.#answer(activity, input)) ?? { error: { code: 'no_answer', message } });
  }

  #tell(key: string, result: Result): void {
    this.#told.push({ at: this.#now, kind: 'answer', key, result });
  }

  async #turns(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await undefined;
  }

  #hangs(why: string): Error {
    const picture = drawTree(explainTree(this.#kinds, this.#tree, this.#now), this.#now);
    return new Error(`The component ${why}. Inside a sequence, nothing after it would run:\n${picture}`);
  }
}
