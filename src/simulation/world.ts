/*
 * The world in memory: a service that keeps workflows and their messages, workers that run them, and a clock that moves only
 * when nothing else is to be done.
 *
 * world.1. There is one step at a time: a delivery, or a task of one workflow. The seed chooses among all that could be next.
 * world.2. What a task did is carried out when the task is recorded, and then for good.
 */
import { Rejected } from '../protocol/errors.js';
import type { CallbackAnswer, CallbackQuestion } from '../protocol/callback.js';
import type { TreeProgram } from '../components/index.js';
import type { AnyImplementation } from '../definition/actions.js';
import type { AnyEntity } from '../definition/entity.js';
import type { Call } from '../definition/resource.js';
import type { RaiseRequest } from '../protocol/request.js';
import { DEPLOYMENT_TYPE, entityId, OPERATION_TYPE, type EntityRef } from '../protocol/names.js';
import type { OperationResult, OperationStatus } from '../operations/status.js';
import type { LedgerSizes, Snapshot } from '../protocol/snapshot.js';
import { CallWorkers } from './call-workers.js';
import { Carrier } from './carrier.js';
import { deploymentProgram } from './deployment-program.js';
import { Deliveries } from './deliveries.js';
import { entityProgram } from './entity-program.js';
import type { Invariant, LivingEntity, Overview, Subject } from './fact.js';
import type { Faults } from './fault.js';
import type { Input } from './history.js';
import type { Program } from './instance.js';
import { Keeper } from './keeper.js';
import { operationProgram } from './operation-program.js';
import type { Random } from './random.js';
import { RecordShelf } from './record-shelf.js';
import { FakeResources, type CallExecution, type FakeResource } from './resources.js';
import type { Surroundings } from './surroundings.js';
import { Trace } from './trace.js';
import { Tickets } from './tickets.js';
import { InvariantViolated } from './violation.js';
import { Witness } from './witness.js';
import { NotDeterministic, Workflow, type DoneTask } from './workflow.js';

/** Entities that go round without a pause would never let virtual time go on. */
const MANY_STEPS = 12_000;
const MANY_STEPS_EACH = 100;

export interface WorldOptions {
  readonly implementations: readonly AnyImplementation[];
  readonly resources: readonly FakeResource[];
  readonly faults: Faults;
  /** Chooses among all that could be next. Without it: first come, first served. */
  readonly random: Random | undefined;
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
  readonly invariants: readonly Invariant[];
  /** How long an entity rests before it goes on in a new run, in milliseconds. */
  readonly restAfterMs: number | undefined;
  readonly ledgerSizes?: LedgerSizes | undefined;
  /** All that states may deploy. */
  readonly trees: TreeProgram;
}

export class World implements Overview, Surroundings {
  readonly deliveries = new Deliveries();
  readonly trace: Trace;
  readonly witness: Witness;
  readonly resources: FakeResources;
  readonly shelf = new RecordShelf();
  readonly faults: Faults;
  readonly executions: CallExecution[] = [];
  readonly callWorkers = new CallWorkers();
  readonly #random: Random | undefined;
  readonly #entities = new Map<string, AnyEntity>();
  /** The declaration of each program that has run, also of those that were replaced. */
  readonly #declared = new Map<Program, AnyEntity>();
  readonly #install: (implementation: AnyImplementation) => void;
  readonly #programs = new Map<string, Program>([[OPERATION_TYPE, operationProgram]]);
  readonly #workflows = new Map<string, Workflow>();
  readonly #running = new Set<Workflow>();
  readonly tickets = new Tickets(this);
  readonly #carrier = new Carrier(this);
  readonly #keeper = new Keeper(this);
  #runs = 0;
  /** Steps since virtual time has gone on. */
  #stepsNow = 0;
  /** How many workflows ran at the same time, at most. */
  #mostAtOnce = 0;
  #fatal: unknown;
  /** Called before each step. What it throws ends the simulation. */
  beforeStep: () => void = () => undefined;
  readonly #restAfterMs: number | undefined;
  now: number;

  constructor(options: WorldOptions) {
    this.now = options.startsAt;
    this.trace = new Trace(options.startsAt);
    this.resources = new FakeResources(options.resources);
    this.faults = options.faults;
    this.witness = new Witness(options.invariants, options.seed, this.trace, this);
    this.#random = options.random;
    this.#restAfterMs = options.restAfterMs;
    this.#programs.set(DEPLOYMENT_TYPE, deploymentProgram(options.trees));
    const { ledgerSizes, trees } = options;
    this.#install = (implementation) => {
      const learn = (call: Call) => {
        try {
          this.resources.check(call);
        } catch (thrown) {
          this.#fatal ??= thrown;
        }
      };
      const program = entityProgram(implementation, { learn, ledgerSizes, trees });
      this.#entities.set(implementation.entity.name, implementation.entity);
      this.#programs.set(implementation.entity.name, program);
      this.#declared.set(program, implementation.entity);
    };
    options.implementations.forEach(this.#install);
  }

  /** Starts workers with another build. Runs that have begun stay with the build that has begun them. Q2 */
  replace(implementations: readonly AnyImplementation[]): void {
    implementations.forEach(this.#install);
  }

  /** Takes the next step; false when there is none before the given time. */
  async step(until = Infinity): Promise<boolean> {
    const due = this.deliveries.due(this.now);
    const ready = [...this.#running].filter(({ inbox }) => inbox.length > 0);
    const choices = due.length + ready.length;
    if (choices === 0) {
      const next = this.deliveries.nextAt();
      if (next === undefined || next > until) return false;
      this.witness.tell({ kind: 'paused' });
      this.passTo(next);
      return this.step(until);
    }
    this.beforeStep();
    this.witness.step++;
    if (++this.#stepsNow > this.manySteps) {
      const problem = `${this.manySteps} steps at one moment of virtual time, and no end`;
      throw this.witness.violation('everything settles', problem);
    }
    const choice = this.#random ? this.#random.below(choices) : 0;
    // First come, first served: tasks go before deliveries, as they were made ready earlier.
    if (choice < ready.length) {
      await this.#work(ready[choice]!);
    } else {
      const delivery = due[choice - ready.length]!;
      this.deliveries.remove(delivery);
      await delivery.perform();
    }
    if (this.#fatal !== undefined) throw this.#fatal;
    return true;
  }

  /** Virtual time goes on, unless it is later already. */
  passTo(time: number): void {
    if (time <= this.now) return;
    this.now = time;
    this.#stepsNow = 0;
  }

  /** More steps than any run needs with so many entities and operations at a time, unless it never ends. */
  get manySteps(): number {
    return MANY_STEPS + MANY_STEPS_EACH * this.#mostAtOnce;
  }

  /** Tells whether nothing is to be done up to the given time. */
  idleUntil(until: number): boolean {
    const next = this.deliveries.nextAt();
    if (next !== undefined && next <= until) return false;
    return this.#nobodyReady();
  }

  /** Tells whether nothing is under way now but timers of the future. */
  onlyTimersLeft(): boolean {
    return this.deliveries.all().every(({ timer, at }) => timer && at > this.now) && this.#nobodyReady();
  }

  #nobodyReady(): boolean {
    return [...this.#running].every(({ inbox }) => inbox.length === 0);
  }

  workflow(id: string): Workflow | undefined {
    return this.#workflows.get(id);
  }

  running(id: string): Workflow | undefined {
    const workflow = this.#workflows.get(id);
    return workflow?.status === 'running' ? workflow : undefined;
  }

  /** Starts a workflow, unless one with this id runs; `again` also when one has run before. */
  start(type: string, id: string, argument: unknown, again: boolean): 'created' | 'exists' {
    if (again ? this.running(id) : this.workflow(id)) return 'exists';
    const program = this.#programs.get(type);
    if (!program) throw new TypeError(`The simulation has no entity type '${type}'. Add its implementation.`);
    const workflow = new Workflow({ id, type, run: this.#newRun() }, program, this.#restAfterMs);
    this.#workflows.set(id, workflow);
    this.#running.add(workflow);
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#running.size);
    workflow.inbox.push({ kind: 'start', argument: JSON.stringify(argument) });
    return 'created';
  }

  /** The last snapshot of an entity's last life; nothing while it lives, or when it was terminated. */
  lastLife(id: string): Snapshot | undefined {
    const workflow = this.workflow(id);
    return workflow?.status === 'closed' ? (workflow.result as Snapshot) : undefined;
  }

  subject({ id, life, program }: Workflow): Subject | undefined {
    const entity = this.#declared.get(program);
    return entity && { entity, id, life };
  }

  entity(type: string): AnyEntity | undefined {
    return this.#entities.get(type);
  }

  entities(): readonly LivingEntity[] {
    return [...this.#running].flatMap((workflow) => {
      const subject = workflow.reading ? this.subject(workflow) : undefined;
      const { run, long, reading } = workflow;
      return subject ? [{ subject, snapshot: reading as Snapshot, run, long }] : [];
    });
  }

  /** Every workflow that ever existed: the present life, or the last one. */
  everyWorkflow(): readonly Workflow[] {
    return [...this.#workflows.values()];
  }

  records(): ReturnType<Overview['records']> {
    return this.shelf.all();
  }

  operations(): ReturnType<Overview['operations']> {
    return [...this.#running]
      .filter(({ type }) => type === OPERATION_TYPE)
      .map(({ id, reading }) => ({ id, status: reading as OperationStatus | undefined }));
  }

  /**
   * Ends an entity by force, as an operator does: it is gone without a word, and only the keeper finds that, unless it is
   * untold.
   */
  terminate(ref: EntityRef, untold: boolean): void {
    const workflow = this.running(entityId(ref));
    if (!workflow) throw new RangeError(`${entityId(ref)} does not run, so it cannot be terminated.`);
    this.trace.add(this.now, workflow.id, () => 'is terminated');
    this.#close(workflow, 'terminated');
    this.witness.tell({ kind: 'terminated', id: workflow.id, life: workflow.life, untold });
    if (!untold) this.#keeper.ended(workflow);
  }

  /** Ends a deployment by force: it is gone without a word. W1 */
  terminateDeployment(id: string): void {
    const workflow = this.running(id);
    if (workflow?.type !== DEPLOYMENT_TYPE) throw new RangeError(`No deployment '${id}' runs.`);
    this.trace.add(this.now, id, () => 'is terminated');
    this.#close(workflow, 'terminated');
  }

  answerOutside(question: CallbackQuestion, answer: CallbackAnswer, at: number): void {
    try {
      this.tickets.submitAnswer(question, answer, at);
    } catch (thrown) {
      if (!(thrown instanceof Rejected)) throw thrown;
      // Nobody in a simulation waits for the refusal.
      this.trace.add(at, entityId(question.of), () => `refuses an answer: ${thrown.code}`);
    }
  }

  /** @throws InvariantViolated when the replay differs */
  async restart(workflow: Workflow): Promise<void> {
    this.trace.add(this.now, workflow.id, () => 'its worker dies; another one takes over');
    await this.#sure(() => workflow.restart());
  }

  async #work(workflow: Workflow): Promise<void> {
    const read = this.faults.read(this.now);
    if (read) {
      const begun = this.faults.isBegunElsewhere()
        ? { at: this.#told(workflow), readBefore: this.faults.isReadBefore() }
        : undefined;
      await this.#sure(() => workflow.read(begun));
    }
    const wasLong = workflow.long;
    workflow.long ||= workflow.isOld || (workflow.length > 0 && this.faults.rollOver(this.now));
    const done = await this.#sure(() =>
      workflow.perform(this.#told(workflow), read, (command) => this.#carrier.callInline(workflow, command)),
    );
    // The code cannot know it by a task that no replay has.
    if (!done.inHistory) workflow.long = wasLong;
    const started = done.sights.find(({ kind }) => kind === 'started');
    const action = started?.kind === 'started' ? started.action : undefined;
    const fault = this.faults.at({ kind: 'task', entity: workflow.id, action }, this.now);
    if (fault === 'crash') {
      const lost = names(done.inputs);
      this.trace.add(this.now, workflow.id, () => `its worker dies before the task is recorded: ${lost}`);
      workflow.lose(done);
      return;
    }
    if (fault === 'long') workflow.long = true;
    this.#record(workflow, done);
    if (fault === 'restart' && workflow.status === 'running') await this.restart(workflow);
  }

  /** The time that a task gets, by the service's clock. It never goes back for a workflow. */
  #told({ toldAt }: Workflow): number {
    return Math.max(this.now - this.faults.lag(this.now), toldAt);
  }

  #record(workflow: Workflow, done: DoneTask): void {
    const end = workflow.record(done);
    const taken = names(done.inputs);
    this.trace.add(this.now, workflow.id, () => `task: ${taken}`);
    const subject = this.subject(workflow);
    if (subject) this.witness.see(subject, done.sights);
    for (const answer of done.answers) this.tickets.answer(workflow, answer);
    for (const command of done.commands) this.#carrier.carryOut(workflow, command);
    if (end?.kind === 'rollover') {
      this.trace.add(this.now, workflow.id, () => 'continues as new');
      if (subject) this.witness.handedOver(subject);
      const program = end.build === 'same' ? workflow.program : this.#programs.get(workflow.type)!;
      workflow.rollOver(this.#newRun(), end.argument, program);
      this.tickets.bringAgain(workflow);
    } else if (end) {
      this.#close(workflow, end.kind, end.kind === 'closed' ? end.result : undefined);
      if (workflow.type === OPERATION_TYPE && end.kind === 'closed') {
        this.witness.tell({ kind: 'ended', operation: workflow.id, result: end.result as OperationResult });
      }
    }
  }

  #close(workflow: Workflow, status: 'closed' | 'refused' | 'terminated', result?: unknown): void {
    workflow.close(status, result);
    this.#running.delete(workflow);
    this.tickets.bringAgain(workflow);
  }

  #newRun(): string {
    return `run${++this.#runs}`;
  }

  async #sure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof InvariantViolated) throw thrown;
      if (thrown instanceof NotDeterministic) throw this.witness.violation('a replay does the same', thrown.message);
      const said = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      throw this.witness.violation('a task never fails', said);
    }
  }
}

function names(inputs: readonly Input[]): string {
  return inputs
    .map((input) => {
      switch (input.kind) {
        case 'message':
          return (JSON.parse(input.content) as { readonly kind: string }).kind;
        case 'raise':
          return (JSON.parse(input.requests) as readonly RaiseRequest[]).map(({ event }) => event).join(', ');
        case 'signal':
          return `signal ${input.name}`;
        case 'answer':
          return `answer ${input.command}`;
        case 'start':
          return 'start';
      }
    })
    .join('; ');
}
