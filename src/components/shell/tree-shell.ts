/*
 * Runs a tree on a driver, wherever it runs. W1
 *
 * tree-shell.1. One input is taken after the other, each with all that it sets off at once.
 * tree-shell.2. There is one timer, to the earliest time at which the tree wants to go on. What is due then is taken by the time for
 *     which it was set, however late it is. L7
 * tree-shell.3. In a long run no new call begins. When those under way have ended, the next run issues the others, with their keys. Many
 *     calls make a tree heavy, so while there are many of them they go on, unless the run is very long. Of more calls than a workflow may
 *     have under way, the others wait until one of them has ended.
 * tree-shell.4. While anything in the tree answers pings, it is pinged from time to time. W-5
 * tree-shell.5. The shell ends when all of the tree has, and whoever it has told something has heard it.
 * tree-shell.6. The owner is told once that the tree is up, and how it has ended. A tree whose owner is gone is ended.
 * tree-shell.7. The `run` that has started the tree is told once, in whichever run, that it is up, or has not come up.
 * tree-shell.8. A tree that a `run` of this one has started, and that does not tell that it is up, is asked from time to time whether
 *     it is still there.
 */
import { MOST_ACTIVITIES } from '../../definition/limits.js';
import { entityId } from '../../protocol/names.js';
import type { LivingRef } from '../../protocol/refs.js';
import { HandlerHost } from '../own/handler-host.js';
import { answersPings } from '../running/pings.js';
import { endOf, launchesOf, launchOf, nextDue, underWay, type Launch } from '../running/reading.js';
import { advance } from '../running/step.js';
import { Draft } from '../tree/draft.js';
import type { Effect } from '../tree/effect.js';
import type { Input } from '../tree/input.js';
import type { End, Tree } from '../tree/tree.js';
import type { Launcher, TreeCall, TreeDriver } from './tree-driver.js';
import type { TreeProgram } from './tree-program.js';

type Without<T> = T extends unknown ? Omit<T, 'at'> : never;
/** An input, which gets its time here. */
export type TreeInput = Without<Input>;

/** An owner of which nothing was heard for so long is asked whether it is still there: it looks every ten minutes at least. */
const SILENCE_MS = 30 * 60_000;
/** So many calls are few: in the next run's input, each takes less than a kilobyte, unless its own input is large. */
const FEW_CALLS = 200;
/** How often a `run` asks whether what it has started is still there, while that comes up. */
const ASK_LAUNCHED_MS = 60_000;

/** Describes who is told how it stands with a tree. */
export interface TreeRelations {
  /** The entity whose state has deployed it. */
  readonly owner?: LivingRef | undefined;
  readonly launcher?: Launcher | undefined;
}

/** Runs a tree on a driver: takes inputs one at a time, and carries out what each leads to. */
export class TreeShell {
  readonly #program: TreeProgram;
  readonly #driver: TreeDriver;
  readonly #host: HandlerHost;
  readonly #inputs: Input[] = [];
  /** Messages to other trees go out in their order. */
  #last: Promise<unknown> = Promise.resolve();
  #telling = 0;
  #calling = 0;
  /** Calls that wait until others have ended, in their order. tree-shell.3 */
  #waiting: TreeCall[] = [];
  #taking = false;
  readonly #draft: Draft;
  /** How many inputs were taken. */
  #steps = 0;
  #pingAt: number;
  #failure: { readonly thrown: unknown } | undefined;
  /** The entity whose state has deployed the tree. */
  readonly #owner: LivingRef | undefined;
  /** The last thing that the owner was told in this run. */
  #ownerKnows: 'nothing' | 'up' | 'ended' = 'nothing';
  #ownerHeardAt: number;
  /** Tells whether nothing has yet come from outside or with time: neither the answer of a call, nor a wait that is over. */
  #atOnce = true;

  /** When each tree that comes up for a `run` of this one was asked last, by its key. */
  readonly #launchedAskedAt = new Map<string, number>();
  /** The `run` that has started the tree, until it has been told. */
  #launcher: Launcher | undefined;

  constructor(program: TreeProgram, driver: TreeDriver, tree: Tree, { owner, launcher }: TreeRelations = {}) {
    this.#launcher = launcher;
    this.#owner = owner;
    this.#ownerHeardAt = driver.now();
    this.#program = program;
    this.#driver = driver;
    this.#draft = new Draft(program.kinds, tree);
    this.#pingAt = driver.now() + program.pingEveryMs;
    this.#host = new HandlerHost(program.components, {
      tell: (input) => this.#put(input),
      now: () => driver.now(),
      quiet: () => driver.quiet(),
      moment: () => driver.moment(),
    });
  }

  get tree(): Tree {
    return this.#draft.tree;
  }

  /** The `run` that has yet to hear of the tree. */
  get launcher(): Launcher | undefined {
    return this.#launcher;
  }

  /** Issues again what the last run has left under way. */
  resume(): void {
    this.#atOnce = false;
    for (const effect of underWay(this.#program.kinds, this.tree)) this.#carryOut(effect);
  }

  tell(input: TreeInput): void {
    this.#put({ at: this.#driver.now(), ...input } as Input);
  }

  /** The owner is there. */
  hearOwner(): void {
    this.#ownerHeardAt = this.#driver.now();
  }

  /** Runs until all of the tree has ended, or it should go on in a new run. */
  async run(): Promise<End | 'rollover'> {
    for (;;) {
      if (this.#failure) throw this.#failure.thrown;
      const end = endOf(this.tree);
      this.#tellOwner(end);
      this.#tellLauncher();
      if (end && this.#telling === 0) return end;
      if (!end && this.#mayRollOver) return this.#leave();
      const due = nextDue(this.tree);
      if (due !== undefined && due <= this.tree.now) {
        this.#put({ at: due, kind: 'due' });
        continue;
      }
      this.#driver.show(this.tree);
      const seen = this.#steps;
      const changed = () => this.#steps !== seen || this.#failure !== undefined || this.#mayGoOn(end);
      const pingAt = answersPings(this.#program.kinds, this.tree) ? this.#pingAt : Infinity;
      const silentAt = this.#owner && !end ? this.#ownerHeardAt + SILENCE_MS : Infinity;
      const askAt = launchesOf(this.tree).reduce((first, each) => Math.min(first, this.#askAt(each)), Infinity);
      const next = Math.min(due ?? Infinity, pingAt, silentAt, askAt);
      const wait = next === Infinity ? undefined : Math.max(next - this.#driver.now(), 1);
      const summary = this.#summary(next, { due, pingAt, askAt });
      const happened = await this.#driver.until(changed, wait, summary);
      if (happened) continue;
      this.#atOnce = false;
      if (next === due) this.#put({ at: due, kind: 'due' });
      else if (next === pingAt) this.#ping(next);
      else if (next === askAt) this.#askLaunched(next);
      else this.#lookForOwner(next);
    }
  }

  #summary(
    next: number,
    of: { readonly due: number | undefined; readonly pingAt: number; readonly askAt: number },
  ): string {
    if (next === of.due) return 'a component goes on';
    if (next === of.pingAt) return 'the next ping';
    return next === of.askAt ? 'look whether what a run has started is there' : 'look whether the entity is there';
  }

  /** The tree goes on in a new run: what its code would do from now on is done there. */
  #leave(): 'rollover' {
    this.#host.leave();
    return 'rollover';
  }

  /** tree-shell.6 */
  #tellOwner(end: End | undefined): void {
    const owner = this.#owner;
    const knows = end ? 'ended' : this.tree.components[this.tree.root]?.phase === 'up' ? 'up' : 'nothing';
    if (!owner || knows === 'nothing' || knows === this.#ownerKnows) return;
    this.#ownerKnows = knows;
    const word = { id: this.tree.run, ...(end && { end, ...(this.#atOnce && { atOnce: true as const }) }) };
    this.#tell(async () => {
      if ((await this.#driver.tellOwner(owner, word)) === 'absent' && !end) this.#orphan(owner);
    });
  }

  /** tree-shell.7 */
  #tellLauncher(): void {
    const launcher = this.#launcher;
    const result = launcher && launchOf(this.tree);
    if (!result) return;
    this.#launcher = undefined;
    this.#tell(() => this.#driver.tell({ kind: 'launched', ...launcher, ...('error' in result && result) }));
  }

  /** Asks whether the owner is there, unless it has been heard of meanwhile. */
  #lookForOwner(at: number): void {
    if (this.#ownerHeardAt + SILENCE_MS > at) return;
    this.#ownerHeardAt = at;
    this.#ownerKnows = 'nothing';
  }

  #askAt({ key, since }: Launch): number {
    return (this.#launchedAskedAt.get(key) ?? since) + ASK_LAUNCHED_MS;
  }

  /** tree-shell.8 */
  #askLaunched(at: number): void {
    for (const launch of launchesOf(this.tree)) {
      if (this.#askAt(launch) > at) continue;
      this.#launchedAskedAt.set(launch.key, this.#driver.now());
      this.#tell(async () => {
        if ((await this.#driver.tell({ kind: 'launcher', run: launch.run })) === 'absent') this.#lost(launch);
      });
    }
  }

  #lost({ run, key }: Launch): void {
    const message = `${run} has ended, and did not report that it was up: it was terminated, or its workflow failed.`;
    this.tell({ kind: 'answer', key, result: { error: { code: 'lost', message } } });
  }

  #orphan(owner: LivingRef): void {
    const description = `${entityId(owner)} is not there any more`;
    this.tell({ kind: 'terminate', path: '', end: { type: 'abnormal', description } });
  }

  /** tree-shell.4 */
  #ping(at: number): void {
    this.#pingAt = at + this.#program.pingEveryMs;
    this.#put({ at, kind: 'ping' });
  }

  /** Tells whether what keeps the run from ending is over. */
  #mayGoOn(end: End | undefined): boolean {
    return end ? this.#telling === 0 : this.#mayRollOver;
  }

  get #mayRollOver(): boolean {
    return this.#isToLeave && this.#calling === 0 && this.#telling === 0 && this.#driver.mayEndRun();
  }

  /** Tells whether the tree is to continue as new when the calls under way have ended. tree-shell.3 */
  get #isToLeave(): boolean {
    const length = this.#driver.runLength();
    return length === 'very long' || (length === 'long' && this.#calling + this.#waiting.length <= FEW_CALLS);
  }

  /** tree-shell.1 */
  #put(input: Input): void {
    this.#inputs.push(input);
    if (this.#taking) return;
    this.#taking = true;
    try {
      for (let next = this.#inputs.shift(); next; next = this.#inputs.shift()) {
        this.#steps++;
        for (const effect of advance(this.#draft, next)) this.#carryOut(effect);
      }
    } catch (thrown) {
      this.#failure ??= { thrown };
    } finally {
      this.#taking = false;
    }
  }

  #carryOut(effect: Effect): void {
    switch (effect.kind) {
      case 'run':
      case 'resume':
      case 'drop':
        return void this.#host.take(effect);
      case 'call':
        this.#waiting.push(effect);
        return this.#callNext();
      case 'cancel':
        this.#waiting = this.#waiting.filter(({ key }) => key !== effect.key);
        return this.#driver.cancel(effect.key);
      case 'send':
      case 'register':
      case 'terminate':
      case 'set':
        return this.#tell(() => this.#driver.tell(effect));
      case 'deploy':
        return this.#tell(async () => {
          const result = await this.#driver.detach(effect);
          // The tree tells that it is up: `launched`.
          if (effect.key !== undefined && 'error' in result) this.tell({ kind: 'answer', key: effect.key, result });
        });
      case 'record':
        return this.#driver.record(effect);
    }
  }

  /** tree-shell.3: what does not begin here, the tree knows as under way, so the next run issues it. */
  #callNext(): void {
    while (this.#calling < MOST_ACTIVITIES && !this.#isToLeave) {
      const next = this.#waiting.shift();
      if (!next) return;
      void this.#call(next);
    }
  }

  async #call(effect: TreeCall): Promise<void> {
    this.#calling++;
    this.#atOnce = false;
    try {
      const result = await this.#driver.call(effect);
      if (result) this.tell({ kind: 'answer', key: effect.key, result });
    } catch (thrown) {
      this.#failure ??= { thrown };
    } finally {
      this.#calling--;
      this.#callNext();
    }
  }

  #tell(send: () => Promise<unknown>): void {
    this.#telling++;
    this.#last = this.#last.then(send).then(
      () => this.#telling--,
      (thrown: unknown) => {
        this.#telling--;
        this.#failure ??= { thrown };
      },
    );
  }
}
