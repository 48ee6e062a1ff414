import type { z } from 'zod';
import { treeProgram, type TreeProgramOptions } from '../components/index.js';
import type { AnyImplementation } from '../definition/actions.js';
import { toMilliseconds, type Duration } from '../definition/duration.js';
import type { AnyEntity, ConstructInput, EventOf, ParamsInput } from '../definition/entity.js';
import { CREATED } from '../definition/created.js';
import { splitArguments, type AnyParams, type EventArguments } from '../definition/event-arguments.js';
import type { KeyOf } from '../definition/key-schema.js';
import type { ConstructOption } from '../definition/action-context.js';
import {
  checkKey,
  immediateOutcome,
  isGone,
  neededBy,
  refusalAtBirth,
  refusalWithout,
  repeatedAnswer,
  refGiven,
  refusalOfLinks,
  targetsAtBirth,
} from '../kernel/index.js';
import type { OperationResult } from '../operations/status.js';
import { Rejected } from '../protocol/errors.js';
import { plainRequest } from '../protocol/plain-request.js';
import type { Call } from '../definition/resource.js';
import type { CallbackAnswer, CallbackQuestion } from '../protocol/callback.js';
import type { Actor } from '../protocol/actor.js';
import type { Answer } from '../protocol/answer.js';
import type { Creation } from '../protocol/creation.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import type { RaiseRequest, SignalOptions } from '../protocol/request.js';
import { entityId, operationWorkflowId, type EntityRef } from '../protocol/names.js';
import type { LedgerSizes, Snapshot } from '../protocol/snapshot.js';
import type { StoreRecord } from '../protocol/records.js';
import { Driving } from './driving.js';
import { immediateResult } from '../operations/immediate-result.js';
import { Faults, type Fault, type FaultRates, type Injection } from './fault.js';
import { allInvariants } from './invariants/index.js';
import { Random } from './random.js';
import type { CallExecution, FakeResource } from './resources.js';
import { Settling } from './settling.js';
import { unsettled } from './unsettled.js';
import { World } from './world.js';

/** Holds what a simulation is made of: its seed, fakes, faults and times. */
export interface SimulationOptions {
  /** The same seed makes the same choices: which message comes first, where faults strike. Default 1. */
  readonly seed?: number;
  /** The code of the resources that the actions call. */
  readonly resources?: readonly FakeResource[];
  /** Components of one's own, of which states may deploy trees. W1 */
  readonly components?: TreeProgramOptions['components'];
  /** Sets how often deployed components are asked whether they are well. Default 1 m. */
  readonly pingEvery?: Duration;
  /** Sets how probable random faults are. Default: none. */
  readonly faults?: FaultRates;
  /** `chance` (default): the seed chooses what comes next. `in-order`: first come, first served. */
  readonly order?: 'chance' | 'in-order';
  /** Sets how long an entity rests before it continues as new. Without it, only `faults.rollOver` ends runs. */
  readonly restAfter?: Duration;
  /** Sets how many requests an entity remembers itself, where that is not the usual number. With few, it often asks the store. */
  readonly ledgerSizes?: LedgerSizes;
  /** A crash at the place of this number. For `crashPoints`. */
  readonly crashAt?: { readonly place: number; readonly fault: Fault };
}

/** An answer that may be given to a call. */
type AnswerOf<C extends Call> =
  | { readonly output: z.input<C['shape']['output']> }
  | { readonly error: { readonly code: string; readonly message: string } };

/** An event that was accepted: it runs, or waits for the action that runs. */
export interface AcceptedEvent {
  readonly entity: EntityRef;
  readonly event: string;
  readonly requestId: string;
  readonly answer: Exclude<Answer, { status: 'rejected' }>;
}

/** Holds the options of a request in a simulation. */
export interface RaiseOptions {
  /** The same id again gives the first outcome (S2.5). A new one by default. */
  readonly requestId?: string;
  /** Sets for how many milliseconds the answer may be held back until the event has settled. S4.7 */
  readonly holdMs?: number;
  /** Sets who raises it: what they may not do is rejected. Without an actor, the caller is trusted. S6.5 */
  readonly actor?: Actor;
  /** The tenant of the new entity, where its creator belongs to none. S6.5 */
  readonly tenant?: string;
}

/** Virtual time starts here: 2026-01-01. */
const START = Date.UTC(2026, 0, 1);
/** How long a client waits for the end of a deleted entity, in milliseconds. */
const ENDS_WITHIN_MS = 5_000;

const worlds = new WeakMap<Simulation, World>();

/** The world of a simulation, for code that looks behind it. */
export function worldOf(simulation: Simulation): World {
  return worlds.get(simulation)!;
}

/**
 * Entities in memory, with virtual time. The kernel and their own code run as they do on Temporal, in an order that a seed
 * chooses, and with the faults that are allowed. After every step the invariants are checked.
 */
export class Simulation {
  readonly #world: World;
  readonly #driving: Driving;
  #requests = 0;

  constructor(implementations: readonly AnyImplementation[], options: SimulationOptions = {}) {
    const { seed = 1, resources = [], faults = {}, order = 'chance', restAfter, crashAt, ledgerSizes } = options;
    const { components, pingEvery } = options;
    const random = new Random(seed);
    this.#world = new World({
      implementations,
      resources,
      seed,
      startsAt: START,
      faults: new Faults(random, faults, START, crashAt),
      random: order === 'chance' ? random : undefined,
      invariants: allInvariants(),
      restAfterMs: restAfter === undefined ? undefined : toMilliseconds(restAfter),
      ledgerSizes,
      trees: treeProgram({
        resources: resources.map(({ resource }) => resource),
        ...(components && { components }),
        ...(pingEvery !== undefined && { pingEvery }),
      }),
    });
    worlds.set(this, this.#world);
    this.#driving = new Driving(
      (until) => this.#world.step(until),
      () => this.#stuck('nothing is left to do, and what is waited for has not come'),
    );
  }

  /** Virtual time, in milliseconds since 1970. */
  get now(): number {
    return this.#world.now;
  }

  /** Steps taken so far. */
  get steps(): number {
    return this.#world.witness.step;
  }

  /** Returns what happened so far, in readable lines. */
  get trace(): readonly string[] {
    return this.#world.trace.lines();
  }

  /** Returns what a store has been told: the newest of each operation, event, transition and entity. S5.1 */
  get records(): readonly StoreRecord[] {
    return this.#world.records();
  }

  /** Every execution of a resource call, in order. A call that was made again has the same idempotency key. */
  get calls(): readonly CallExecution[] {
    return this.#world.executions;
  }

  /**
   * Creates an entity by an event. If it exists, the event goes to it and gets its declared answer.
   * @throws Rejected; then nothing has been created
   */
  async create<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, RaiseOptions & Partial<ConstructOption<E>>>
  ): Promise<AcceptedEvent> {
    const { params, options } = splitArguments<RaiseOptions & ConstructOption<AnyEntity>>(entity, event, rest);
    return this.createAny(entity, key, event, { ...options, params });
  }

  /** The same, for code that treats all types alike. @throws Rejected, also when the event does not take the parameters */
  async createAny(
    entity: AnyEntity,
    key: KeyOf<AnyEntity>,
    event: string,
    given: RaiseOptions & ConstructOption<AnyEntity> & AnyParams = {},
  ): Promise<AcceptedEvent> {
    const { construct } = given;
    return this.#create(entity, key, { ...this.#request(event, given), ...(construct && { construct }) });
  }

  /**
   * Creates an entity without an event: it begins in its initial state, with these values.
   * @throws Rejected; then nothing has been created
   */
  async construct<E extends AnyEntity>(
    entity: E,
    key: KeyOf<E>,
    values: ConstructInput<E>,
    options?: RaiseOptions,
  ): Promise<AcceptedEvent> {
    return this.#create(entity, key, { ...this.#request(CREATED, options), construct: values });
  }

  /**
   * Raises an event, and gives the immediate answer. One that comes while an action runs waits for it: `answer.status` is `waiting`
   * then, and `result` tells whether it was rejected after that.
   * @throws Rejected when the event is not accepted: its `code` is a declared one, or `not_valid`, `absent`, `gone`,
   * `invalid_parameters`, `not_public`, `not_allowed`. Nothing has changed then, and `rejection.validNow` names what is valid
   */
  async raise<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, RaiseOptions>
  ): Promise<AcceptedEvent> {
    const { params, options } = splitArguments<RaiseOptions>(entity, event, rest);
    return this.raiseAny(entity, key, event, { ...options, params });
  }

  /** The same, for code that treats all types alike. @throws Rejected, also when the event does not take the parameters */
  async raiseAny(
    entity: AnyEntity,
    key: KeyOf<AnyEntity>,
    event: string,
    given: RaiseOptions & AnyParams = {},
  ): Promise<AcceptedEvent> {
    return this.#raise(refGiven(entity, key, event), this.#request(event, given));
  }

  /** Raises many events at once: they are taken in order, and each has its own answer (S4.6). */
  async raiseAll(to: EntityRef, requests: readonly RaiseRequest[]): Promise<readonly Answer[]> {
    const plain = requests.map((request) => plainRequest(to, request));
    const ticket = this.#world.tickets.submit(to, plain);
    await this.#driving.until(() => ticket.answers !== undefined);
    return ticket.answers!;
  }

  /** Sends an event as a plain signal, as any Temporal client can. The sender does not hear whether it was taken. */
  async signal<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    params?: ParamsInput<E, Event>,
    options?: SignalOptions,
  ): Promise<void> {
    const to = entityId(refGiven(entity, key));
    const workflow = this.#world.running(to);
    if (!workflow) throw new RangeError(`${to} does not run, so it takes no signal.`);
    const args = options === undefined ? (params === undefined ? [] : [params]) : [params ?? {}, options];
    workflow.inbox.push({ kind: 'signal', name: event, args: JSON.stringify(args) });
    await this.#driving.until(() => workflow.inbox.length === 0);
  }

  /**
   * Answers a call from outside that the entity waits for, or has asked last. A1
   * @throws Rejected: `callback_closed` when it comes too late, `request_conflict` after another answer
   */
  async answer<E extends AnyEntity, C extends Call>(
    entity: E,
    key: KeyOf<E>,
    call: C,
    given: AnswerOf<C>,
  ): Promise<void> {
    const { type, key: text, life, callbacks = [] } = this.read(entity, key);
    const asked = callbacks.filter((each) => each.call === call.activity).at(-1);
    const to = { type, key: text };
    if (!asked) throw new RangeError(`${entityId(to)} has not asked ${call.activity} since it came into its state.`);
    const { id, until } = asked;
    await this.answerRound({ id, until, of: { ...to, life } }, given);
  }

  /** The same of any round, also one of before. */
  async answerRound(question: CallbackQuestion, given: CallbackAnswer): Promise<void> {
    const ticket = this.#world.tickets.submitAnswer(question, given);
    await this.#driving.until(() => ticket.answers !== undefined);
    const [answer] = ticket.answers!;
    if (answer?.status === 'rejected') throw new Rejected(answer.rejection);
  }

  /** Returns whether the entity lives. */
  exists<E extends AnyEntity>(entity: E, key: KeyOf<E>): boolean {
    return this.#living(refGiven(entity, key)) !== undefined;
  }

  /** The entity as it is now, even if it is gone. @throws Rejected `absent` */
  read<E extends AnyEntity>(entity: E, key: KeyOf<E>): Snapshot {
    const id = entityId(refGiven(entity, key));
    const reading = this.#world.workflow(id)?.reading;
    if (reading) return reading as Snapshot;
    const message = `${id} does not exist. Create it first, or check the key.`;
    throw new Rejected({ code: 'absent', message, entity: id, event: '' });
  }

  /** Runs until the operation of an event has ended. */
  async result(taken: AcceptedEvent): Promise<OperationResult> {
    const { answer, entity, requestId } = taken;
    if (answer.status === 'accepted' && answer.outcome) return immediateResult(taken, answer.outcome, this.now);
    const id = operationWorkflowId(answer.operation);
    const outcome = () => {
      const snapshot = this.#world.workflow(entityId(entity))?.reading as Snapshot | undefined;
      return snapshot && immediateOutcome(snapshot.ledger, requestId);
    };
    await this.#driving.until(() => this.#world.workflow(id)?.status === 'closed' || outcome() !== undefined);
    const ended = this.#world.workflow(id);
    if (ended?.status === 'closed') return ended.result as OperationResult;
    return immediateResult(taken, outcome()!, this.now);
  }

  /** Asks to cancel an operation: each entity answers as it declares. S4.7 */
  async cancel(operation: string): Promise<void> {
    const id = operationWorkflowId(operation);
    // The workflow may never exist: an event that settles at once needs none.
    await this.#driving.until(() => this.#world.workflow(id) !== undefined || this.#world.idleUntil(this.now));
    const message: OperationMessage = { kind: 'cancel' };
    this.#world.running(id)?.inbox.push({ kind: 'message', content: JSON.stringify(message) });
  }

  /** Lets virtual time pass, and everything that is due by then happen. */
  async advance(duration: Duration): Promise<void> {
    const until = this.now + toMilliseconds(duration);
    await this.#driving.until(() => this.#world.idleUntil(until), until);
    this.#world.passTo(until);
  }

  /**
   * Runs until nothing is under way. Deadlines are, so time goes on to them, also to those of stable states: `result` and
   * `advance` end before. Where periodic timers never let it be quiet, it goes on until everything that
   * was under way many steps ago has ended.
   * @throws InvariantViolated naming what still waits, when something never comes to rest
   */
  async settle(): Promise<void> {
    const settling = new Settling(this.#world);
    await this.#driving.until(() => settling.done((why) => this.#stuck(why)));
    if (settling.busy) return;
    if (unsettled(this.#world).length > 0) throw this.#stuck('nothing is left to do');
    this.#world.witness.tell({ kind: 'quiet' });
  }

  /** Lets a fault strike at an exact place. */
  inject(injection: Injection): void {
    this.#world.faults.inject(injection);
  }

  /** The worker that runs the entity dies now; another one continues. */
  async crash<E extends AnyEntity>(entity: E, key: KeyOf<E>): Promise<void> {
    const id = entityId(refGiven(entity, key));
    const workflow = this.#world.running(id);
    if (!workflow) throw new RangeError(`${id} does not run, so it cannot crash.`);
    await this.#world.restart(workflow);
  }

  /**
   * Starts workers with newer versions of some types. Entities take them over when they go on in a new run; those of an older
   * schema are migrated then. Q2
   */
  replace(implementations: readonly AnyImplementation[]): void {
    this.#world.replace(implementations);
  }

  /** The worker that makes calls dies now; another one continues. What is to run on the one that died fails. A5 */
  crashCallWorker(): void {
    this.#world.callWorkers.replace();
  }

  /** Ends by force what a state has deployed, as an operator does. Its id is in `read(...).deployments`. W1 */
  terminateDeployment(id: string): void {
    this.#world.terminateDeployment(id);
  }

  /**
   * Ends an entity by force, as an operator does. `untold`: its history is deleted too, as `temporal workflow delete` does, so
   * that the keeper never finds it. Entities that look after it do.
   */
  terminate<E extends AnyEntity>(
    entity: E,
    key: KeyOf<E>,
    { untold = false }: { readonly untold?: boolean } = {},
  ): void {
    this.#world.terminate(refGiven(entity, key), untold);
  }

  async #create(entity: AnyEntity, key: KeyOf<AnyEntity>, given: RaiseRequest): Promise<AcceptedEvent> {
    const { event } = given;
    const to = refGiven(entity, key, event);
    const request = plainRequest(to, given);
    const living = this.#world.running(entityId(to))?.reading ? await this.#raiseUnlessEnding(to, request) : undefined;
    if (living) return living;
    const refusal = checkKey(entity, to, event) ?? refusalAtBirth(entity, to, request);
    const needed = refusal ? undefined : neededBy(entity, to, event);
    const without = needed && refusalWithout(entity, to, request, this.#living(needed));
    const targets = refusal ? [] : targetsAtBirth(entity, to, request);
    const targeted = targets.map((target) => this.#living(target.to));
    const rejection = refusal?.rejection ?? without ?? refusalOfLinks(to, request, targets, targeted);
    if (rejection) throw new Rejected(rejection);
    const creation: Creation = { kind: 'create', key: to.key, request };
    const answer = { status: 'accepted', operation: request.id } as const;
    const taken: AcceptedEvent = { entity: to, event, requestId: request.id, answer };
    if (await this.#start(to, creation, false)) return taken;
    const last = this.#world.lastLife(entityId(to));
    const known = last && repeatedAnswer(last, request);
    if (known?.status === 'rejected') throw new Rejected(known.rejection);
    if (known) return { ...taken, answer: known };
    // The entity was deleted and had not had this request. It is created again, with the request ids of its last life.
    const again = { ...creation, again: true, ...(last && { inherits: last }) };
    return (await this.#start(to, again, true)) ? taken : this.#raise(to, request);
  }

  /** An entity that exists and was not deleted. */
  #living(ref: EntityRef): Snapshot | undefined {
    const snapshot = this.#world.running(entityId(ref))?.reading as Snapshot | undefined;
    const entity = this.#world.entity(ref.type);
    return snapshot && entity && !isGone(entity, snapshot) ? snapshot : undefined;
  }

  /** Starts an entity and goes on until it is created. Tells whether it was started. */
  async #start(to: EntityRef, creation: Creation, again: boolean): Promise<boolean> {
    const id = entityId(to);
    if (this.#world.start(to.type, id, creation, again) === 'exists') return false;
    await this.#driving.until(() => {
      const workflow = this.#world.workflow(id);
      return workflow?.reading !== undefined || workflow?.status !== 'running';
    });
    return true;
  }

  /**
   * Raises an event on a living entity. One that was deleted a moment ago has yet to free its key: as a client does, this waits
   * until it has, and gives nothing then. S1.3
   */
  async #raiseUnlessEnding(to: EntityRef, request: RaiseRequest): Promise<AcceptedEvent | undefined> {
    try {
      return await this.#raise(to, request);
    } catch (thrown) {
      const isEnding = thrown instanceof Rejected && thrown.code === 'gone' && !this.#living(to);
      if (!isEnding) throw thrown;
      const until = this.now + ENDS_WITHIN_MS;
      const hasEnded = () => this.#world.running(entityId(to)) === undefined;
      await this.#driving.until(() => hasEnded() || this.#world.idleUntil(until), until);
      if (!hasEnded()) throw thrown;
      return undefined;
    }
  }

  async #raise(to: EntityRef, request: RaiseRequest): Promise<AcceptedEvent> {
    const answer = (await this.raiseAll(to, [request]))[0]!;
    if (answer.status === 'rejected') throw new Rejected(answer.rejection);
    return { entity: to, event: request.event, requestId: request.id, answer };
  }

  #request(event: string, options: RaiseOptions & AnyParams = {}): RaiseRequest {
    const { params, requestId, holdMs, actor, tenant } = options;
    return {
      ...{ id: requestId ?? `request-${++this.#requests}`, event },
      ...(params !== undefined && { params }),
      ...(holdMs !== undefined && { holdMs }),
      ...(actor && { actor }),
      ...(tenant !== undefined && { tenant }),
    };
  }

  #stuck(why: string): Error {
    const waiting = unsettled(this.#world);
    const what = waiting.length > 0 ? waiting.join('\n  ') : 'everything is at rest';
    return this.#world.witness.violation('everything settles', `${why}:\n  ${what}`);
  }
}
