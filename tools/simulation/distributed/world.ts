import {
  cleanJobs,
  lookAtRecords,
  membersOf,
  nameOf,
  newCoordinator,
  newInstance,
  nextDue,
  operationTypes,
  partitionSet,
  recordVerdict,
  refOf,
  runLane,
  stepCoordinator,
  stepInstance,
  Stopping,
  tidyPlace,
  underWay,
  verdictOf,
  type CallOutcome,
  type Coordinator,
  type CoordinatorInput,
  type DistributedOperationLogic,
  type Instance,
  type InstanceEffect,
  type InstanceInput,
  type JobRecord,
  type LaneDriver,
  type LaneWork,
  type OperationTypes,
  type PartitionAt,
  type Placement,
  type StartAnswer,
  type StartRequest,
} from '../../../src/distributed/index.js';
import type { JobsRecord } from '../../../src/protocol/jobs-record.js';
import { InvariantViolated, type Random } from '../../../src/simulation/index.js';
import { ToldJobs } from './told.js';
import { setImmediate } from 'node:timers/promises';
import { jobKey, type JobWorld } from './jobs.js';
import { Judge } from './judge.js';
import { Place, type Executor } from './place.js';
import type { JudgedTypes } from './types.js';

/** Something that happens at a time. */
interface Event {
  readonly at: number;
  readonly what: string;
  readonly perform: () => void | Promise<void>;
}

/** A turn of code that runs at a place. It never comes when its executor has died. */
interface Turn {
  readonly executor: Executor;
  readonly go: () => void;
}

/** How long an executor is silent until its lane is taken for lost. */
const SILENT_MS = 10_000;
/** The lane has lasted long enough. */
const LANE_MS = 3_000;
type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

/** All that a world begins with. */
interface Beginning {
  readonly seed: number;
  readonly random: Random;
  readonly target: string;
  readonly places: readonly string[];
  /** The place of the primary of each partition. */
  readonly primaries: readonly string[];
  readonly types: JudgedTypes;
  /** The code of the types. */
  readonly logics: (world: World) => readonly DistributedOperationLogic[];
}

/** One target, its coordinator, instances and executors, in virtual time. Messages are late, and come twice. */
export class World implements JobWorld {
  readonly random: Random;
  readonly trace: string[] = [];
  steps = 0;
  faulty = true;
  now = 1_000_000;
  coordinator: Coordinator;
  readonly instances = new Map<string, Instance>();
  readonly gone = new Set<string>();
  readonly #seed: number;
  readonly #judge: Judge;
  readonly #toldJobs = new ToldJobs((invariant, problem) => this.violation(invariant, problem));
  readonly #places = new Map<string, Place>();
  readonly #events: Event[] = [];
  #turns: Turn[] = [];
  /** The calls that were begun, by instance and number: the same again is the same call. */
  readonly #begun = new Set<string>();
  readonly #told = new Map<string, Stopping>();
  readonly #types: OperationTypes;
  readonly #logics: ReadonlyMap<string, DistributedOperationLogic>;
  #placement: Placement;
  /** The placement before it. */
  #last: Placement;
  #current: Executor | undefined;

  constructor({ seed, random, target, places, primaries, types, logics }: Beginning) {
    this.#seed = seed;
    this.random = random;
    this.coordinator = newCoordinator(target);
    this.#types = operationTypes(types.operations);
    this.#judge = new Judge(types, (invariant, problem) => this.violation(invariant, problem));
    for (const name of places) this.#places.set(name, new Place(name));
    for (const place of this.#places.values()) place.executor = { alive: true };
    this.#placement = this.#placed(1, primaries);
    this.#last = this.#placement;
    this.#logics = new Map(logics(this).map((logic) => [logic.operation.type, logic]));
  }

  // The world as the code of the types sees it.

  place(name: string): Place {
    return this.#places.get(name)!;
  }

  places(): readonly Place[] {
    return [...this.#places.values()];
  }

  primaryOf(partition: number): string {
    const { places } = this.#placement;
    return Object.keys(places).find((name) => membersOf(places[name]!.primary).includes(partition))!;
  }

  /** The code that runs goes on later, in any order with all other code. */
  turn(): Promise<void> {
    const executor = this.#current!;
    return new Promise((resolve) => this.#turns.push({ executor, go: resolve }));
  }

  jobBegins(instance: string, at: PartitionAt, resumed: { readonly done: number } | undefined): void {
    const place = this.place(at.place);
    const here = place.left.get(jobKey(instance, at.partition));
    try {
      this.#judge.jobBegins(instance, at, {
        ...{ resumed, here },
        isEnded: place.disk.isComplete(instance, at.partition),
        recorded: place.disk.progressOf(instance, at.partition),
        number: place.disk.numberOf(instance, at.partition),
      });
    } catch (thrown) {
      // The executor would take it for an error of the job.
      this.#failure ??= thrown;
    }
  }

  completionRuns(...completing: Parameters<Judge['completes']>): void {
    this.#judge.completes(...completing);
  }

  /** The jobs that the store was told of. */
  get told(): readonly JobsRecord[] {
    return this.#toldJobs.records;
  }

  // The deeds of people and the world.

  start(request: StartRequest): StartAnswer {
    const answer = this.#coordinate({ kind: 'start', ...request })!;
    this.#judge.answers(request, answer);
    return answer;
  }

  tell(name: string, input: Untimed<InstanceInput>): void {
    const before = this.instances.get(name);
    if (!before || this.gone.has(name)) return;
    const { type } = before.start;
    const timed = { ...input, at: this.now } as InstanceInput;
    const { instance, effects, told } = stepInstance(this.#types.get(type)!, before, timed);
    this.steps++;
    this.#note(`${name}: ${input.kind}${describe(input)}`);
    this.instances.set(name, instance);
    this.#judge.steps(name, before, timed, instance);
    this.#toldJobs.take(name, before, instance, told);
    this.#coordinates();
    // A new coordinator knows the data alone, and what the one before it has wanted is lost with it.
    if (this.faulty && this.random.chance(0.04)) this.renew(name);
    else for (const effect of effects) this.#carryOut(name, effect);
  }

  /** A new coordinator goes on with what is written down. I6 */
  renew(name: string): void {
    const instance = JSON.parse(JSON.stringify(this.instances.get(name))) as Instance;
    this.#note(`${name}: a new coordinator`);
    this.instances.set(name, instance);
    for (const effect of underWay(instance)) this.#carryOut(name, effect);
    for (const number of Object.keys(instance.lanes)) this.#carryOut(name, { kind: 'stop', number: Number(number) });
  }

  /** Somebody ends an instance by force. The coordinator hears it later. */
  end(name: string): void {
    const { start, phase } = this.instances.get(name)!;
    if (phase === 'ended' || this.gone.has(name)) return;
    this.#note(`${name} is ended by force`);
    this.gone.add(name);
    this.#judge.isGone(name);
    this.#later(5_000, 'the coordinator hears of it', () => {
      this.#coordinate({ kind: 'ended', type: start.type, instance: start.instance, starts: [] });
    });
  }

  kill(name: string): void {
    const place = this.place(name);
    if (!place.executor) return;
    this.#note(`${name}: its executor dies`);
    place.executor.alive = false;
    this.#turns = this.#turns.filter(({ executor }) => executor.alive);
    place.executor = undefined;
  }

  /** An executor starts: it takes nothing before it has looked at what is left. I2 */
  revive(name: string): void {
    const place = this.place(name);
    if (place.executor) return;
    this.#note(`${name}: an executor starts`);
    const executor: Executor = { alive: true };
    place.executor = executor;
    const judged = async (record: JobRecord) => {
      const found = this.gone.has(record.instance) ? undefined : this.instances.get(record.instance);
      return recordVerdict(found, name, record);
    };
    this.#run(executor, async () => {
      for (let looked = false; !looked;)
        try {
          await lookAtRecords(
            this.#logics,
            place.ledger(() => this.#turnOf(executor)),
            name,
            judged,
          );
          looked = true;
        } catch (thrown) {
          if (thrown instanceof InvariantViolated) throw thrown;
          await this.#turnOf(executor);
        }
      for (const take of place.queue.splice(0)) take(executor);
      this.#ready.add(executor);
    });
  }

  /** The primary of a partition moves; a secondary may stay where it was. */
  move(partition: number, to: string): void {
    const { version, partitions } = this.#placement;
    const primaries = Array.from({ length: partitions }, (_, each) => (each === partition ? to : this.primaryOf(each)));
    this.#note(`the primary of partition ${partition} moves to ${to}`);
    this.#last = this.#placement;
    this.#placement = this.#placed(version + 1, primaries);
    for (const name of this.instances.keys())
      if (this.random.chance(0.8)) this.#soon('the target has changed', () => this.tell(name, { kind: 'look' }));
  }

  // Time.

  /** Takes steps until nothing is left to do before a time, or for so many steps. */
  async go(until: number, most = Infinity): Promise<void> {
    for (let count = 0; count < most; count++) {
      const due = this.#events.filter(({ at }) => at <= this.now);
      const choices = due.length + this.#turns.length;
      if (choices === 0) {
        const next = Math.min(...this.#events.map(({ at }) => at), ...this.#dues().map(([at]) => at));
        if (next > until) break;
        this.now = Math.max(this.now, next);
        for (const [at, name] of this.#dues()) if (at <= this.now) this.tell(name, { kind: 'due' });
        continue;
      }
      const choice = this.random.below(choices);
      if (choice < due.length) {
        const event = due[choice]!;
        this.#events.splice(this.#events.indexOf(event), 1);
        await event.perform();
      } else {
        const [turn] = this.#turns.splice(choice - due.length, 1);
        this.#current = turn!.executor;
        turn!.go();
        // Code at a place takes a while.
        if (this.random.chance(0.1)) this.now += 500;
      }
      await setImmediate();
      if (this.#failure) throw this.#failure;
      if (this.steps > 20_000) throw this.violation('everything ends', 'it loops without end');
    }
    if (until !== Infinity) this.now = Math.max(this.now, until);
  }

  async mustBeQuiet(): Promise<void> {
    const left = this.places().flatMap(({ name, left: traces }) =>
      [...traces].map(([key, { made }]) => ({ place: name, key, made })),
    );
    const records = await Promise.all(this.places().map(({ disk }) => disk.records()));
    this.#judge.isQuiet(
      left,
      records.flat().map((record) => JSON.stringify(record)),
    );
  }

  violation(invariant: string, problem: string): InvariantViolated {
    const { steps, trace } = this;
    return new InvariantViolated({ invariant, problem, seed: this.#seed, step: steps, trace });
  }

  // How it is carried out.

  #failure: unknown;
  /** The executors that have looked at what is left, and take work. */
  readonly #ready = new WeakSet<Executor>();

  ready(): void {
    for (const { executor } of this.places()) if (executor) this.#ready.add(executor);
  }

  #coordinate(input: CoordinatorInput): StartAnswer | undefined {
    const { coordinator, begins, answer } = stepCoordinator(this.#types, this.coordinator, input);
    this.steps++;
    this.#note(
      `coordinator: ${input.kind} ${'type' in input ? input.type : ''} ${answer ? JSON.stringify(answer) : ''}`,
    );
    this.coordinator = JSON.parse(JSON.stringify(coordinator)) as Coordinator;
    for (const start of begins) {
      const name = nameOf(start);
      this.#judge.begins(name, start);
      if (input.kind === 'ended') this.#judge.follows(`${input.type}/${input.instance}`);
      this.instances.set(name, newInstance(this.#types.get(start.type)!, start, this.now));
      this.tell(name, { kind: 'begin' });
    }
    this.#coordinates();
    return answer;
  }

  #coordinates(): void {
    const running = [...this.instances].filter(([name, { phase }]) => phase !== 'ended' && !this.gone.has(name));
    const left = running.filter(([, { phase }]) => phase !== 'leaving');
    this.#judge.coordinates(this.coordinator, new Set(left.map(([, { start }]) => `${start.type}/${start.instance}`)));
  }

  #carryOut(name: string, effect: InstanceEffect): void {
    const key = `${name}:${effect.number}`;
    if (effect.kind === 'stop') {
      const stopping = this.#told.get(key);
      return this.#soon('a lane is told to look', () => stopping?.stop());
    }
    if (this.#begun.has(key)) return;
    this.#begun.add(key);
    const answer = (outcome: CallOutcome) => {
      const times = this.faulty && this.random.chance(0.2) ? 2 : 1;
      for (let time = 0; time < times; time++)
        this.#soon(`answer ${effect.number}`, () =>
          this.tell(name, { kind: 'answer', number: effect.number, outcome }),
        );
    };
    switch (effect.kind) {
      case 'lane':
        return this.#atPlace(effect.work.place, Infinity, answer, (executor) =>
          this.#lane(executor, key, name, effect.work),
        );
      case 'clean':
        return this.#atPlace(effect.work.place, 30_000, answer, async (executor) => {
          const { place, type } = effect.work;
          const ledger = this.place(place).ledger(() => this.#turnOf(executor));
          await cleanJobs(this.#logics.get(type)!, ledger, effect.work);
          return { kind: 'done' };
        });
      case 'tidy':
        return this.#atPlace(effect.work.place, 30_000, answer, async (executor) => {
          const { place, type } = effect.work;
          const ledger = this.place(place).ledger(() => this.#turnOf(executor));
          await tidyPlace(this.#logics.get(type)!, ledger, effect.work);
          return { kind: 'done' };
        });
      case 'place':
        return this.#soon('the target is asked', () => {
          // Anyone who is asked may lag behind.
          const lags = this.faulty && this.random.chance(0.2);
          answer({ kind: 'placement', placement: lags ? this.#last : this.#placement });
        });
      case 'complete':
        return this.#soon('it completes', async () => {
          const { type, argument, completing, target } = effect.work;
          try {
            const { logic } = this.#logics.get(type)!;
            const result = (await logic.complete(target, argument as never, completing)) ?? {};
            // An activity can be run again whose answer was lost.
            if (this.faulty && this.random.chance(0.1)) await logic.complete(target, argument as never, completing);
            answer({ kind: 'completed', result });
          } catch (thrown) {
            if (thrown instanceof InvariantViolated) throw thrown;
            answer({ kind: 'error', message: (thrown as Error).message });
          }
        });
      case 'leave':
        return this.#soon('it leaves', () => {
          const { type, instance } = effect.of;
          const left: CoordinatorInput = { kind: 'ended', type, instance, starts: effect.starts };
          this.#coordinate(left);
          if (this.random.chance(0.2)) this.#coordinate(left);
          answer({ kind: 'done' });
        });
    }
  }

  /** Runs code at a place, now or when an executor lives there. Its death is noticed after a while. */
  #atPlace(
    name: string,
    withinMs: number,
    answer: (outcome: CallOutcome) => void,
    work: (executor: Executor) => Promise<CallOutcome>,
  ): void {
    const place = this.place(name);
    let isTaken = false;
    let isAnswered = false;
    const answerOnce = (outcome: CallOutcome) => {
      if (!isAnswered) answer(outcome);
      isAnswered = true;
    };
    const take = (executor: Executor) => {
      if (isAnswered) return;
      isTaken = true;
      const look = () => {
        if (isAnswered) return;
        // Silence of one that lives is a fault of the network: it goes on, and does not know.
        const isSilent = !executor.alive || (this.faulty && this.random.chance(0.05));
        if (isSilent) answerOnce({ kind: 'lost' });
        else this.#later(SILENT_MS, `${name} is looked after`, look);
      };
      this.#later(this.random.pick([1_000, SILENT_MS]), `${name} is looked after`, look);
      this.#run(executor, async () => {
        await this.#turnOf(executor);
        try {
          answerOnce(await work(executor));
        } catch (thrown) {
          if (thrown instanceof InvariantViolated) throw thrown;
          answerOnce({ kind: 'error', message: (thrown as Error).message });
        }
      });
    };
    const { executor } = place;
    if (executor && this.#ready.has(executor)) take(executor);
    else place.queue.push(take);
    if (withinMs !== Infinity)
      this.#later(withinMs, `nobody takes it at ${name}`, () => {
        if (!isTaken) answerOnce({ kind: 'lost' });
      });
  }

  async #lane(executor: Executor, key: string, name: string, work: LaneWork): Promise<CallOutcome> {
    const told = new Stopping();
    this.#told.set(key, told);
    const instance = this.instances.get(name)!;
    const verdict = () => {
      const found = this.gone.has(name) ? undefined : this.instances.get(name);
      return found ? verdictOf(found, `${work.number}`) : ({ kind: 'cancel', withdrawn: '' } as const);
    };
    if (!(work.number in instance.lanes) || this.gone.has(name) || verdict().kind !== 'go on' || verdict().withdrawn)
      told.stop();
    const endsAt = this.now + LANE_MS;
    const driver: LaneDriver = {
      ledger: this.place(work.place).ledger(() => this.#turnOf(executor)),
      now: () => this.now,
      beat: () => undefined,
      told,
      verdict: async () => {
        await this.#turnOf(executor);
        return verdict();
      },
      pause: () => this.#turnOf(executor),
      timeIsUp: () => this.now >= endsAt,
      end: () => undefined,
    };
    // A job that was ended by force is noticed by the heartbeat.
    const look = () => {
      if (this.gone.has(name)) told.stop();
      else if (!told.stopped && this.now < endsAt + 60_000) this.#later(1_000, 'a heartbeat', look);
    };
    look();
    return { kind: 'lane', result: await runLane(this.#logics.get(work.type)!, driver, work) };
  }

  #turnOf(executor: Executor): Promise<void> {
    return new Promise((resolve) => {
      if (executor.alive) this.#turns.push({ executor, go: resolve });
    });
  }

  #run(executor: Executor, work: () => Promise<void>): void {
    this.#current = executor;
    void work().catch((thrown: unknown) => (this.#failure ??= thrown));
  }

  #placed(version: number, primaries: readonly string[]): Placement {
    const names = [...this.#places.keys()];
    const at = (name: string) => partitionSet(primaries.flatMap((each, index) => (each === name ? [index] : [])));
    const next = (name: string) => names[(names.indexOf(name) + 1) % names.length]!;
    return {
      version,
      partitions: primaries.length,
      places: Object.fromEntries(
        names.map((name) => [name, { primary: at(name), secondary: at(next(next(name))) }] as const),
      ),
    };
  }

  #dues(): readonly (readonly [number, string])[] {
    return [...this.instances].flatMap(([name, instance]) => {
      const due = this.gone.has(name) ? undefined : nextDue(instance);
      return due === undefined ? [] : [[due, nameOf(refOf(instance))] as const];
    });
  }

  #soon(what: string, perform: () => void | Promise<void>): void {
    this.#later(this.faulty ? this.random.pick([0, 0, 10, 500, 2_000]) : 0, what, perform);
  }

  #later(ms: number, what: string, perform: () => void | Promise<void>): void {
    this.#events.push({ at: this.now + ms, what, perform });
  }

  #note(line: string): void {
    this.trace.push(`${((this.now - 1_000_000) / 1_000).toFixed(1)} s  ${line}`);
  }
}

function describe(input: Untimed<InstanceInput>): string {
  if (input.kind === 'retry' || input.kind === 'move') return ` ${JSON.stringify(input)}`;
  return input.kind === 'answer' ? ` ${input.number} ${JSON.stringify(input.outcome).slice(0, 300)}` : '';
}
