import { setImmediate } from 'node:timers/promises';
import {
  endOf,
  HandlerHost,
  kindsOf,
  launchOf,
  nextDue,
  plant,
  statusOf,
  step,
  underWay,
  type AnyComponent,
  type Description,
  type Effect,
  type Input,
  type Tree,
} from '../../../src/components/index.js';
import { InvariantViolated, type Random } from '../../../src/simulation/index.js';
import { OWN_KINDS } from './kinds.js';
import { Judge } from './laws/laws.js';
import { all, pathOf, same } from './laws/look.js';
import { World } from './world.js';

type Told<T = Input> = T extends unknown ? Omit<T, 'at'> : never;

/** One tree, and the code of its components. */
interface Growing {
  tree: Tree;
  host: HandlerHost;
  readonly judge: Judge;
  /** The `run` that waits to hear that it is up. */
  launcher?: { readonly run: string; readonly key: string } | undefined;
}

const KINDS = kindsOf(OWN_KINDS);
const OWN = OWN_KINDS.filter((each): each is Extract<(typeof OWN_KINDS)[number], AnyComponent> => 'kind' in each);

/** A tree and those that leave it, in virtual time: a shell as those on Temporal are, with a checker that looks at each step. */
export class Forest {
  readonly trace: string[] = [];
  steps = 0;
  now = 1_000_000;
  readonly #seed: number;
  readonly #random: Random;
  readonly #world: World;
  readonly #trees = new Map<string, Growing>();
  readonly #told: { readonly run: string; readonly host: HandlerHost; readonly input: Told }[] = [];
  /** How many steps are being carried out, one within the other. */
  #carrying = 0;
  /** The calls and the code that have begun and not ended, as effects and inputs say. */
  readonly #open = new Set<string>();
  #busy = 0;
  #moment = 0;

  constructor(seed: number, random: Random, description: Description) {
    this.#seed = seed;
    this.#random = random;
    this.#world = new World(random);
    this.#add(plant(KINDS, { run: 'deployment/sim', at: this.now, description }));
  }

  get runs(): readonly string[] {
    return [...this.#trees.keys()];
  }

  tree(run: string): Tree {
    return this.#trees.get(run)!.tree;
  }

  /** Gives a tree an input, and lets all happen that follows at once. */
  async tell(run: string, input: Told): Promise<void> {
    this.#moment++;
    this.#take(run, input);
    await this.#calm();
  }

  /** Goes on in a new run, which knows only what was written down. */
  async renew(run: string): Promise<void> {
    const growing = this.#trees.get(run)!;
    growing.tree = JSON.parse(JSON.stringify(growing.tree)) as Tree;
    growing.host = this.#host(run);
    this.trace.push(`${run}: a new run`);
    this.#resume(growing);
    await this.#calm();
  }

  /** Lets time pass up to a time, or until nothing more happens by itself, or too much does. */
  async go(until: number, most = 400): Promise<void> {
    for (let turns = 0; turns < most; turns++) {
      const dues = [...this.#trees].map(([run, { tree }]) => [nextDue(tree) ?? Number.POSITIVE_INFINITY, run] as const);
      const due = dues.reduce((first, [at]) => Math.min(first, at), Number.POSITIVE_INFINITY);
      const next = Math.min(due, this.#world.next);
      if (next > until || next === Number.POSITIVE_INFINITY) break;
      this.now = Math.max(this.now, next);
      for (const { key, result } of this.#world.take(this.now)) await this.answer(key, result);
      for (const [at, run] of dues) if (at <= this.now) await this.tell(run, { kind: 'due' });
    }
    if (until !== Number.POSITIVE_INFINITY) this.now = Math.max(this.now, until);
  }

  /** Answers all that nobody has answered so far, and that. */
  async answerAll(): Promise<void> {
    for (let turns = 0; turns < 50 && this.#world.next < Number.POSITIVE_INFINITY; turns++)
      await this.go(this.#world.next);
    for (const { key, result } of this.#world.take(Number.POSITIVE_INFINITY)) await this.answer(key, result);
  }

  async answer(key: string, result: Extract<Input, { kind: 'answer' }>['result']): Promise<void> {
    const isAwaited = (tree: Tree) => all(tree).some(({ calls = [] }) => calls.some((call) => call.key === key));
    const [run] = [...this.#trees].find(([, { tree }]) => isAwaited(tree)) ?? ['deployment/sim'];
    await this.tell(run, { kind: 'answer', key, result });
  }

  violation(invariant: string, problem: string): InvariantViolated {
    const { steps, trace } = this;
    return new InvariantViolated({ invariant, problem, seed: this.#seed, step: steps, trace });
  }

  /** Checks that everything has come to its end. */
  mustHaveEnded(): void {
    for (const [run, { tree }] of this.#trees) {
      const living = all(tree).find(({ phase }) => phase !== 'ended');
      if (living) throw this.violation('everything ends', `${run}: ${pathOf(tree, living)} is ${living.phase}`);
      if (!same(endOf(tree), tree.components[tree.root]?.end))
        throw this.violation('everything ends', `${run} has no end`);
    }
    if (this.#open.size > 0) throw this.violation('everything ends', `nobody has ended ${[...this.#open].join()}`);
  }

  #add(tree: Tree): void {
    this.#trees.set(tree.run, { tree, host: this.#host(tree.run), judge: new Judge(tree) });
  }

  #host(run: string): HandlerHost {
    const host: HandlerHost = new HandlerHost(OWN, {
      tell: ({ at: _, ...input }) => void this.#told.push({ run, host, input }),
      now: () => this.now,
      quiet: async () => {
        this.#busy++;
        await setImmediate();
        this.#busy--;
      },
      moment: () => this.#moment,
    });
    return host;
  }

  async #calm(): Promise<void> {
    let isCalm: boolean;
    do {
      await setImmediate();
      this.#moment++;
      isCalm = this.#told.length === 0 && this.#busy === 0;
      for (let told = this.#told.shift(); told; told = this.#told.shift()) {
        if (this.#trees.get(told.run)?.host !== told.host) continue;
        this.#take(told.run, told.input);
        // Anything that code asks for at one place can come twice.
        if (told.input.kind === 'asked' && this.#random.chance(0.1)) this.#take(told.run, told.input);
      }
    } while (!isCalm);
  }

  #take(run: string, told: Told): void {
    const growing = this.#trees.get(run)!;
    const input: Input = { at: this.now, ...told } as Input;
    const before = growing.tree;
    const written = JSON.stringify(before);
    this.trace.push(`${this.now} ${run} <- ${JSON.stringify(told)}`);
    this.steps++;
    const { tree, effects } = step(KINDS, before, input);
    const again = step(KINDS, JSON.parse(written) as Tree, JSON.parse(JSON.stringify(input)) as Input);
    for (const effect of effects) this.trace.push(`    ${describeEffect(effect)}`);
    if (JSON.stringify(before) !== written) throw this.violation('a step changes nothing that was', run);
    if (!same(again.effects, effects) || !same(again.tree, tree)) throw this.violation('a new run does the same', run);
    growing.tree = tree;
    const broken = growing.judge.judge({ before, input, after: tree, effects });
    if (broken) throw this.violation(broken.invariant, `${run}: ${broken.problem}`);
    this.#note(before, input, effects);
    this.#tellLauncher(growing);
    this.#carrying++;
    for (const effect of effects) this.#carryOut(growing, effect);
    this.#carrying--;
    // A tree that was deployed by this step takes its first one meanwhile, when others that it deploys are still to come.
    if (this.#carrying === 0) this.#mustKnowWhatIsOpen();
    this.#mustAnswerWhoEnds(run, input);
  }

  /** Keeps the books of calls and of code under way. */
  #note(before: Tree, input: Input, effects: readonly Effect[]): void {
    if (input.kind === 'answer') this.#open.delete(input.key);
    if (
      input.kind === 'returned' &&
      all(before).some((each) => each.handlers?.some(({ key }) => key === input.handler))
    ) {
      this.#open.delete(input.handler);
    }
    for (const effect of effects) {
      if (effect.kind === 'call') this.#open.add(effect.key);
      if (effect.kind === 'deploy' && effect.key !== undefined) this.#open.add(effect.key);
      if (effect.kind === 'run') this.#open.add(effect.handler.key);
      // A tree that has left runs its code again, elsewhere.
      if (effect.kind === 'deploy' && effect.key === undefined) {
        for (const { handlers = [] } of all(effect.tree)) for (const { key } of handlers) this.#open.add(key);
      }
      if (effect.kind === 'cancel') this.#open.delete(effect.key);
      if (effect.kind === 'drop') this.#open.delete(effect.handler);
    }
    const late =
      input.kind === 'answer' && !all(before).some(({ calls = [] }) => calls.some(({ key }) => key === input.key));
    if (late && effects.length > 0) throw this.violation('an answer counts once', input.key);
  }

  /** Checks that what trees know to be under way is what has begun and not ended. */
  #mustKnowWhatIsOpen(): void {
    const known = [...this.#trees.values()]
      .flatMap(({ tree }) => all(tree))
      .flatMap(({ calls = [], handlers = [] }) => [...calls.map(({ key }) => key), ...handlers.map(({ key }) => key)]);
    if (new Set(known).size < known.length) throw this.violation('calls are known once', known.join());
    const lost = [...this.#open].find((key) => !known.includes(key));
    if (lost !== undefined) throw this.violation('a call is answered or cancelled', `${lost} is forgotten`);
    const unasked = known.find((key) => !this.#open.has(key));
    if (unasked !== undefined) throw this.violation('a call is answered or cancelled', `${unasked} is over`);
  }

  /** W-1: whoever ends it later is answered with its record until it is forgotten. */
  #mustAnswerWhoEnds(run: string, input: Input): void {
    if (input.kind !== 'terminate') return;
    const { tree } = this.#trees.get(run)!;
    const standing = statusOf(KINDS, tree, input.path);
    const it = all(tree).findLast((each) => pathOf(tree, each) === input.path);
    const right = it ? (it.end ? 'ended' : 'running') : 'gone';
    if (standing.status !== right)
      throw this.violation('W-1 ends once', `${input.path} is ${right}, and said to be ${standing.status}`);
  }

  #carryOut(growing: Growing, effect: Effect): void {
    if (growing.host.take(effect)) return;
    switch (effect.kind) {
      case 'call':
        return this.#call(effect);
      case 'deploy':
        return this.#deploy(growing.tree.run, effect);
      case 'send':
        return this.#pass(effect.to, (path) => ({ kind: 'event', path, event: effect.event, passed: effect.passed }));
      case 'register':
        return this.#pass(effect.at, (path) => ({ kind: 'register', path, listener: effect.listener }));
      case 'terminate':
        return this.#pass(effect.path, (path) => ({ kind: 'terminate', path, end: effect.end }));
      default:
    }
  }

  #call({ key, activity, input }: Extract<Effect, { kind: 'call' }>): void {
    const changed = this.#world.call(key, `${activity} ${JSON.stringify(input)}`, this.now);
    if (changed !== undefined) throw this.violation('a call keeps its key', changed);
  }

  #deploy(from: string, { key, tree }: Extract<Effect, { kind: 'deploy' }>): void {
    const isFree = !this.#trees.has(tree.run);
    if (key === undefined) {
      if (!isFree) throw this.violation('a tree has a name of its own', tree.run);
      this.#add(tree);
      this.#resume(this.#trees.get(tree.run)!);
    } else if (isFree && this.#random.chance(0.8)) {
      this.#add(tree);
      this.#trees.get(tree.run)!.launcher = { run: from, key };
      this.#take(tree.run, { kind: 'deploy' });
    } else {
      this.#world.answer(key, this.now + 300, { error: { code: 'host_unreachable', message: 'nobody answers' } });
    }
  }

  /** As a shell does, when the tree is up or has failed to come up. */
  #tellLauncher(growing: Growing): void {
    const { tree, launcher } = growing;
    const result = launcher && launchOf(tree);
    if (!result) return;
    growing.launcher = undefined;
    const { phase, end, undeployed } = tree.components[tree.root]!;
    const isWhole = phase === 'up' || (end !== undefined && !undeployed);
    if (isWhole === 'error' in result) throw this.violation('a run hears of what is up', `${tree.run} is ${phase}`);
    // The tree from which it was started: it knows no other one.
    this.#told.push({
      ...launcher,
      host: this.#trees.get(launcher.run)!.host,
      input: { kind: 'answer', key: launcher.key, result },
    });
  }

  #resume(growing: Growing): void {
    const going = underWay(KINDS, growing.tree);
    const keys = going.flatMap((effect) => {
      if (effect.kind === 'call') return [effect.key];
      return effect.kind === 'run' ? [effect.handler.key] : [];
    });
    const missing = keys.find((key) => key !== undefined && !this.#open.has(key));
    if (missing !== undefined) throw this.violation('a new run does the same', `${missing} is under way again`);
    for (const effect of going) this.#carryOut(growing, effect);
  }

  /** Brings something to a component of another tree, if that is here. */
  #pass(to: string, input: (path: string) => Told): void {
    const runs = this.runs.filter((run) => to === `/${run}` || to.startsWith(`/${run}/`));
    const run = runs.sort((one, other) => other.length - one.length)[0];
    if (run === undefined) return;
    const { host } = this.#trees.get(run)!;
    this.#told.push({ run, host, input: input(to.slice(run.length + 2)) });
  }
}

function describeEffect(effect: Effect): string {
  if (effect.kind === 'deploy') return `deploy ${effect.tree.run}`;
  if (effect.kind !== 'record') return JSON.stringify(effect);
  const { component, id, phase, end, message } = effect;
  return `${component || '/'} #${id} ${message ?? `${phase}${end ? ` ${end.type}: ${end.description}` : ''}`}`;
}
