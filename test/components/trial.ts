import { setImmediate } from 'node:timers/promises';
import {
  endOf,
  HandlerHost,
  kindsOf,
  nextDue,
  plant,
  statusOf,
  step,
  underWay,
  type Description,
  type Effect,
  type End,
  type Input,
  type Json,
  type Kind,
  type Kinds,
  type AnyComponent,
  type Result,
  type ComponentStatus,
  type Tree,
} from '../../src/components/index.js';

/** How a call is answered: at once, after a time, or never. */
export type Answer = (
  input: never,
  call: number,
) => Result | { readonly after: number; readonly result: Result } | undefined;

type Without<T> = T extends unknown ? Omit<T, 'at'> : never;

interface TrialOptions {
  readonly own?: readonly (AnyComponent | Kind)[];
  readonly answers?: Readonly<Record<string, Answer>>;
  /** Goes on in a new run, over a tree that was written down and read again, before each input. */
  readonly newRuns?: boolean;
  /** Looks at each step. */
  readonly look?: (before: Tree, input: Input, after: Tree, effects: readonly Effect[]) => void;
  readonly run?: string;
}

/** A tree in memory with its own time, for tests. */
export class Trial {
  readonly kinds: Kinds;
  tree: Tree;
  /** `time path: phase`, and what was logged. */
  readonly trace: string[] = [];
  readonly effects: Effect[] = [];
  now = 0;
  readonly #options: TrialOptions;
  #host: HandlerHost;
  readonly #told: Without<Input>[] = [];
  readonly #answers: { readonly at: number; readonly input: Without<Input> }[] = [];
  readonly #issued = new Map<string, number>();
  readonly #cancelled = new Set<string>();
  #renewing = false;

  constructor(description: Description, options: TrialOptions = {}) {
    this.#options = options;
    this.kinds = kindsOf(options.own);
    this.tree = plant(this.kinds, { run: options.run ?? 'deployment/test', at: 0, description });
    this.#host = this.#newHost();
  }

  /** Deploys it, and lets everything happen up to a time, or until nothing more happens by itself. */
  async run(until = Number.POSITIVE_INFINITY): Promise<this> {
    await this.tell({ kind: 'deploy' });
    return this.go(until);
  }

  /** Lets time pass. */
  async go(until = Number.POSITIVE_INFINITY): Promise<this> {
    for (let steps = 0; steps < 5_000; steps++) {
      const answer = this.#answers.reduce<number>((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
      const due = nextDue(this.tree) ?? Number.POSITIVE_INFINITY;
      const next = Math.min(answer, due);
      if (next === Number.POSITIVE_INFINITY || next > until) break;
      this.now = Math.max(this.now, next);
      if (answer <= due) {
        const index = this.#answers.findIndex(({ at }) => at === answer);
        await this.tell(this.#answers.splice(index, 1)[0]!.input);
      } else await this.tell({ kind: 'due' });
    }
    if (until !== Number.POSITIVE_INFINITY) this.now = Math.max(this.now, until);
    return this;
  }

  /** Gives the tree an input, and carries out all that follows at once. */
  async tell(input: Without<Input>): Promise<this> {
    this.#take(input);
    await this.#calm();
    return this;
  }

  get end(): End | undefined {
    return endOf(this.tree);
  }

  at(path: string): ComponentStatus {
    return statusOf(this.kinds, this.tree, path);
  }

  /** The lines of the trace that contain one of these words. */
  seen(...words: readonly string[]): readonly string[] {
    return this.trace.filter((line) => words.some((word) => line.includes(word)));
  }

  calls(): readonly string[] {
    return this.effects.flatMap((effect) =>
      effect.kind === 'call' ? [`${effect.activity} ${JSON.stringify(effect.input)}`] : [],
    );
  }

  cancelled(): number {
    return this.#cancelled.size;
  }

  /** Until code of one's own waits for something. */
  async #calm(): Promise<void> {
    if (!this.#options.own) return;
    // Code that is run again over its journal takes a turn for each answer.
    for (let turns = 0; turns < 10; turns++) {
      await setImmediate();
      const told = this.#told.shift();
      if (!told) continue;
      this.#take(told);
      turns = 0;
    }
  }

  #take(given: Without<Input>): void {
    const input = { at: this.now, ...given } as Input;
    if (this.#options.newRuns && !this.#renewing) this.#renew();
    const before = this.tree;
    const { tree, effects } = step(this.kinds, before, input);
    this.tree = tree;
    this.effects.push(...effects);
    this.#options.look?.(before, input, tree, effects);
    for (const effect of effects) this.#carryOut(effect);
  }

  /** A new run knows only what was written down. */
  #renew(): void {
    this.tree = JSON.parse(JSON.stringify(this.tree)) as Tree;
    if (!this.#options.own) return;
    this.#host = this.#newHost();
    for (const effect of underWay(this.kinds, this.tree)) if (effect.kind === 'run') this.#host.take(effect);
  }

  #carryOut(effect: Effect): void {
    if (this.#host.take(effect)) return;
    if (effect.kind === 'record') {
      const what = effect.message ?? `${effect.phase}${effect.end ? ` ${effect.end.type}` : ''}`;
      this.trace.push(`${effect.at} ${effect.component || '/'}: ${what}`);
    } else if (effect.kind === 'cancel') this.#cancelled.add(effect.key);
    else if (effect.kind === 'call') this.#answer(effect.key, effect.activity, effect.input);
  }

  #answer(key: string, activity: string, input: Json): void {
    const count = (this.#issued.get(activity) ?? 0) + 1;
    this.#issued.set(activity, count);
    const answer = this.#options.answers?.[activity]?.(input as never, count);
    if (!answer) return;
    const [at, result] = 'after' in answer ? [this.now + answer.after, answer.result] : [this.now, answer];
    this.#answers.push({ at, input: { kind: 'answer', key, result } });
  }

  #newHost(): HandlerHost {
    const own = (this.#options.own ?? []).filter((each): each is AnyComponent => 'kind' in each);
    let current = true;
    const host: HandlerHost = new HandlerHost(own, {
      tell: ({ at: _, ...input }) => {
        if (current && this.#host === host) this.#told.push(input);
        else current = false;
      },
      now: () => this.now,
      quiet: () => setImmediate(),
    });
    return host;
  }
}

/** Runs a description to its end. */
export function trial(description: Description, options: TrialOptions = {}): Promise<Trial> {
  return new Trial(description, options).run();
}

export const done = (output: Json = null): Result => ({ output });
export const failed = (code: string): Result => ({ error: { code, message: `it failed with ${code}` } });
