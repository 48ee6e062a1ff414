/*
 * A tree in memory, in a time that passes only while nothing else happens: for tests of components, and for trees of shipped ones.
 * W1
 */
import { toMilliseconds, type Duration } from '../../definition/duration.js';
import { checkComponents } from '../check/check.js';
import type { Description, Json, Value } from '../description/description.js';
import { kindsOf } from '../kinds.js';
import type { AnyComponent } from '../own/component.js';
import { HandlerHost } from '../own/handler-host.js';
import { endOf, nextDue, statusOf, underWay, type ComponentStatus } from '../running/reading.js';
import { step } from '../running/step.js';
import { drawTree } from '../show/draw.js';
import { explainTree } from '../show/explain.js';
import { Draft } from '../tree/draft.js';
import type { Effect } from '../tree/effect.js';
import type { Input } from '../tree/input.js';
import type { Kind, Kinds } from '../tree/kind.js';
import { plant } from '../tree/plant.js';
import { attributeOf, resolve } from '../tree/resolve.js';
import type { Result } from '../tree/result.js';
import type { End, Tree } from '../tree/tree.js';

/**
 * Answers a call, given its input and how often this call has been made: at once, or `after` so many milliseconds. Without an answer, the
 * call stays pending until the test answers it.
 */
export type TestAnswer = (input: never, count: number) => Answered | Promise<Answered>;

type Answered = Result | { readonly after: number; readonly result: Result } | undefined;

/** Holds what a tree in a test is made of, and the answers to its calls. */
export interface TestTreeOptions {
  /** The components of one's own that it is made of. */
  readonly components?: readonly (AnyComponent | Kind)[];
  /** Answers calls, by their activity: `{ 'files.copy': () => ({ output: {} }) }`. */
  readonly answers?: Readonly<Record<string, TestAnswer>>;
  /** Answers the other calls. A call without an answer fails. */
  readonly answer?: (activity: string, input: Json) => Result | Promise<Result> | undefined;
  /** Says whether a deployment that a `run` starts comes up: at once by default. */
  readonly deploys?: (deployment: string) => Answered;
  /** Sets the name of its deployment. Default `test`. */
  readonly name?: string;
  /** Continues as new before each input: finds code that does not do the same again. */
  readonly newRuns?: boolean;
  /** Deploys a description also if the check finds mistakes in it: for tests of a deployment that fails. */
  readonly unchecked?: boolean;
  /** Looks at each step. */
  readonly look?: (before: Tree, input: Input, after: Tree, effects: readonly Effect[]) => void;
}

type Without<T> = T extends unknown ? Omit<T, 'at'> : never;
type TestInput = Without<Input>;

/** After so many turns, code of one's own waits for something. */
const TURNS = 100;
/** A tree that has taken so many inputs goes round without an end. */
const MOST = 20_000;

/** A tree of components in memory. */
export class TestTree {
  /** Shows what happened, a line each: the time, the path, and the phase with its end, or what was logged. */
  readonly trace: string[] = [];
  /** Shows all that the tree wanted done, in order: calls, messages to other deployments, deployments, records. */
  readonly effects: Effect[] = [];
  readonly kinds: Kinds;
  /** The tree as data. */
  tree: Tree;
  /** The virtual time, in milliseconds. */
  now = 0;
  readonly #options: TestTreeOptions;
  readonly #own: readonly AnyComponent[];
  #host: HandlerHost;
  #told: TestInput[] = [];
  readonly #answers: { readonly at: number; readonly input: TestInput }[] = [];
  /** Answers that the test is still making. */
  readonly #awaited: Promise<void>[] = [];
  readonly #counts = new Map<string, number>();
  /** How many inputs were taken: each when nothing went on any more. */
  #taken = 0;
  /** How much code of one's own waits until nothing goes on. */
  #busy = 0;

  /** @throws DeclarationError with every mistake of the description, unless it is to be deployed unchecked */
  constructor(description: Description, options: TestTreeOptions = {}) {
    const { components = [], name = 'test', unchecked = false } = options;
    this.#options = options;
    this.#own = components.filter((each): each is AnyComponent => 'kind' in each);
    this.kinds = kindsOf(components);
    if (!unchecked) checkComponents(this.kinds, description);
    this.tree = plant(this.kinds, { run: `deployment/${name}`, at: 0, description });
    this.#host = this.#newHost();
  }

  /** Deploys it, and lets time pass. */
  async run(until?: Duration): Promise<this> {
    await this.tell({ kind: 'deploy' });
    return this.go(until);
  }

  /** Lets time pass up to a time since its deployment, or until nothing more happens by itself. */
  async go(until?: Duration): Promise<this> {
    const last = until === undefined ? Infinity : toMilliseconds(until);
    for (;;) {
      const answer = this.#answers.reduce((first, { at }) => Math.min(first, at), Infinity);
      const due = nextDue(this.tree) ?? Infinity;
      const next = Math.min(answer, due);
      if (next === Infinity || next > last) break;
      if (this.#taken > MOST) throw new Error(`The tree goes on and on:\n${this.show()}`);
      this.now = Math.max(this.now, next);
      const index = answer <= due ? this.#answers.findIndex(({ at }) => at === answer) : -1;
      await this.tell(index < 0 ? { kind: 'due' } : this.#answers.splice(index, 1)[0]!.input);
    }
    if (last !== Infinity) this.now = Math.max(this.now, last);
    return this;
  }

  /** Sends an event to the component at this path. */
  send(path: string, event: Json): Promise<this> {
    return this.tell({ kind: 'event', path, event });
  }

  /** Pings the tree, as its deployment does every minute. */
  ping(): Promise<this> {
    return this.tell({ kind: 'ping' });
  }

  /** Ends the component at this path, as an operator does. */
  terminate(path = '', type = 'normal', description = 'the test ends it'): Promise<this> {
    return this.tell({ kind: 'terminate', path, end: { type, description } });
  }

  /** Sets or removes an attribute of the component at this path. */
  set(path: string, name: string, value?: Value): Promise<this> {
    return this.tell({ kind: 'set', path, name, ...(value !== undefined && { value }) });
  }

  /** Answers the first pending call of an activity. @throws RangeError if there is none */
  answer(activity: string, result: Result): Promise<this> {
    const calls = Object.values(this.tree.components).flatMap((component) => component.calls ?? []);
    const call = calls.find((each) => each.activity === activity);
    if (!call) throw new RangeError(`No call of ${activity} is pending:\n${this.show()}`);
    return this.tell({ kind: 'answer', key: call.key, result });
  }

  /** Gives the tree an input, and lets all happen that follows at once. */
  async tell(input: TestInput): Promise<this> {
    this.#take(input);
    await this.#calm();
    return this;
  }

  /** The record of its end, once all of it has ended. */
  get end(): End | undefined {
    return endOf(this.tree);
  }

  at(path: string): ComponentStatus {
    return statusOf(this.kinds, this.tree, path);
  }

  /** The value of an attribute of the component at this path, its references resolved. @throws ReferenceFailed */
  attribute(path: string, name: string): Json | undefined {
    const status = this.at(path);
    if (status.status === 'gone') throw new RangeError(`There is no component at '${path}':\n${this.show()}`);
    const draft = new Draft(this.kinds, this.tree);
    const component = draft.all.findLast(({ id }) => draft.path(id) === path)!;
    const value = attributeOf(draft, component.id, name);
    return value === undefined ? undefined : resolve(draft, component.id, value);
  }

  /** The lines of the trace that contain one of these words. */
  seen(...words: readonly string[]): readonly string[] {
    return this.trace.filter((line) => words.some((word) => line.includes(word)));
  }

  /** The calls that were made: `files.remove {"file":"x"}`. */
  calls(): readonly string[] {
    return this.effects.flatMap((effect) =>
      effect.kind === 'call' ? [`${effect.activity} ${JSON.stringify(effect.input)}`] : [],
    );
  }

  /** The events that it has sent to components of other deployments. */
  sent(): readonly { readonly to: string; readonly event: Json }[] {
    return this.effects.flatMap((effect) => (effect.kind === 'send' ? [{ to: effect.to, event: effect.event }] : []));
  }

  /** Draws the tree: each component with its phase, and what it is doing. */
  show(): string {
    return drawTree(explainTree(this.kinds, this.tree, this.now), this.now);
  }

  /** Until code of one's own waits for something: an answer that it was given in its turn can be followed by another one. */
  async #calm(): Promise<void> {
    for (let calm = 0; calm < 2; calm++) {
      await this.#turns();
      const told = this.#told.shift();
      if (told) this.#take(told);
      else if (this.#awaited.length > 0) await Promise.all(this.#awaited.splice(0));
      else if (this.#busy === 0) continue;
      calm = -1;
    }
  }

  async #turns(): Promise<void> {
    if (this.#own.length === 0) return;
    for (let turn = 0; turn < TURNS; turn++) await undefined;
  }

  #take(given: TestInput): void {
    this.#taken++;
    const input = { at: this.now, ...given } as Input;
    if (this.#options.newRuns) this.#renew();
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
    this.#host = this.#newHost();
    this.#told = [];
    for (const effect of underWay(this.kinds, this.tree)) if (effect.kind === 'run') this.#host.take(effect);
  }

  #carryOut(effect: Effect): void {
    if (this.#host.take(effect)) return;
    if (effect.kind === 'record') {
      const what = effect.message ?? `${effect.phase}${effect.end ? ` ${effect.end.type}` : ''}`;
      this.trace.push(`${effect.at} ${effect.component || '/'}: ${what}`);
    } else if (effect.kind === 'call') this.#answer(effect);
    // A test has no other deployments: what is to be one is taken as up, unless the test says otherwise.
    else if (effect.kind === 'deploy' && effect.key !== undefined) this.#deploy(effect.key, effect.tree.run);
  }

  #deploy(key: string, run: string): void {
    const { deploys = () => ({}) } = this.#options;
    this.#keep(key, deploys(run));
  }

  #answer({ key, activity, input }: Extract<Effect, { kind: 'call' }>): void {
    const count = (this.#counts.get(activity) ?? 0) + 1;
    this.#counts.set(activity, count);
    const { answers = {}, answer } = this.#options;
    const answered = Object.hasOwn(answers, activity)
      ? answers[activity]!(input as never, count)
      : (answer?.(activity, input) ?? unanswered(activity));
    if (answered instanceof Promise) this.#awaited.push(answered.then((each) => this.#keep(key, each)));
    else this.#keep(key, answered);
  }

  #keep(key: string, answered: Answered): void {
    if (!answered) return;
    const [at, result] = 'after' in answered ? [this.now + answered.after, answered.result] : [this.now, answered];
    this.#answers.push({ at, input: { kind: 'answer', key, result } });
  }

  #newHost(): HandlerHost {
    const host: HandlerHost = new HandlerHost(this.#own, {
      tell: ({ at: _, ...input }) => {
        // Code of an earlier run is heard no more.
        if (this.#host === host) this.#told.push(input);
      },
      now: () => this.now,
      moment: () => this.#taken,
      quiet: async () => {
        this.#busy++;
        await this.#turns();
        this.#busy--;
      },
    });
    return host;
  }
}

function unanswered(activity: string): Result {
  return { error: { code: 'no_answer', message: `The test has no answer for ${activity}: give it one in 'answer'.` } };
}
