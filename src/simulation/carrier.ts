import type { DeploymentInput } from '../components/index.js';
import type { AnswerAddress } from '../definition/answer-address.js';
import type { Affinity } from '../definition/affinity.js';
import { nextTick } from '../definition/calendar/next-tick.js';
import { timeoutOf } from '../definition/call-times.js';
import { withdrawalOf } from '../definition/resource.js';
import type { CallAnswer, PlacedCall, TickQuestion } from '../kernel/index.js';
import type { CallbackAnswer, CallbackQuestion, QuestionWithdrawal } from '../protocol/callback.js';
import type { Creation } from '../protocol/creation.js';
import type { DeploymentMessage } from '../protocol/deployment.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import type { OperationStart } from '../protocol/operation-start.js';
import type { LivingRef } from '../protocol/refs.js';
import {
  DEPLOYMENT_TYPE,
  entityId,
  OPERATION_TYPE,
  operationWorkflowId,
  WORKER_GONE,
  type EntityRef,
} from '../protocol/names.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { Delivery } from './deliveries.js';
import type { Fault, Point } from './fault.js';
import type { Command, CommandAnswer } from './history.js';
import type { Asker } from './asker.js';
import { nobodyAnswers } from './resources.js';
import type { Surroundings } from './surroundings.js';
import type { Workflow } from './workflow.js';

interface CallArgument {
  readonly call: string;
  readonly input: unknown;
  readonly idempotencyKey: string;
  readonly question?: CallbackQuestion;
  readonly on?: NonNullable<PlacedCall['on']>;
  readonly asker: Asker;
}

/** A call that is made again when nothing is heard of it, perhaps after the action that asked for it has ended. */
interface AskedCall {
  readonly run: string;
  readonly argument: CallArgument;
  /** The entity as it was at the end of the task in which it asked. */
  readonly reading: unknown;
}

interface NewEntity {
  readonly to: EntityRef;
  readonly creation: Creation;
  /** Tells whether to create even when one of this key has existed before. */
  readonly again: boolean;
}

/** A worker that is silent for so long is considered dead, and its call is made again. */
const TAKEN_FOR_DEAD_MS = 10_000;
/** How late an injected effect comes at most, in milliseconds. It is within the time limit of its call. */
const LATE_EFFECT_MS = 30_000;
/** Nobody waits for what it says. */
const CANCELLED: CommandAnswer = {};
/** How often a provider is tried that cannot be told of a question that was closed. */
const TOLD_TIMES = 360;

/** Carries out the commands of recorded tasks, with the faults that strike meanwhile. */
export class Carrier {
  readonly #world: Surroundings;
  readonly #timers = new Map<string, Delivery>();
  /** The calls that were cancelled, each by its run and number. */
  readonly #cancelled = new Set<string>();
  /** How many carriers of an entity are under way. */
  readonly #handedOn = new Map<string, number>();

  constructor(world: Surroundings) {
    this.#world = world;
  }

  carryOut(from: Workflow, command: Command): void {
    const argument: unknown = JSON.parse(command.argument);
    const { run } = from;
    switch (command.kind) {
      case 'timer':
        return this.#setTimer(from, command, (argument as { readonly ms: number }).ms);
      case 'cancel timer':
        return this.#cancelTimer(`${run}/${(argument as { readonly command: number }).command}`);
      case 'mark':
        return;
      case 'cancel call':
        // The call may be carried out all the same, but only its end is waited for, and it is not made again.
        return void this.#cancelled.add(`${run}/${(argument as { readonly command: number }).command}`);
      case 'call':
        return this.#call(from, command, { run, argument: argument as CallArgument, reading: from.reading });
      case 'withdraw':
        return this.#withdraw(from, run, command, argument as QuestionWithdrawal);
      case 'create':
        return this.#create(from, run, command, argument as NewEntity);
      case 'last life':
        return this.#readLastLife(from, run, command, argument as EntityRef);
      case 'next ticks':
        return this.#decideTicks(from, run, command, argument as readonly TickQuestion[]);
      case 'open':
        return this.#open(from, run, command, argument as OperationStart);
      case 'send':
        return this.#send(from, run, command, argument as { to: EntityRef; message: EntityMessage });
      case 'offer':
        return this.#offer(argument as readonly StoreRecord[]);
      case 'confirm':
        return this.#confirm(from, run, command, argument as RecordNames);
      case 'keep':
        return this.#keep(from, run, command, argument as readonly StoreRecord[]);
      case 'recall':
        return this.#recall(from, run, command, argument as { of: LivingRef; ids: readonly string[] });
      case 'hand on':
        return this.#handOn(from, run, command, argument as readonly StoreRecord[]);
      case 'tell':
        return this.#tell(from, run, command, argument as { operation: string; message: OperationMessage });
      case 'deploy':
        return this.#deploy(from, run, command, argument as { id: string; input: DeploymentInput });
      case 'tell deployment':
        return this.#tellDeployment(from, run, command, argument as { id: string; message: DeploymentMessage });
    }
  }

  /** Makes a call within the present task. When the task is lost, the call is made again. */
  async callInline(from: Workflow, command: Command): Promise<CommandAnswer> {
    const argument = JSON.parse(command.argument) as CallArgument;
    const { call, asker } = argument;
    const fault = this.#world.faults.at({ kind: 'call', entity: from.id, action: asker.action, call }, this.#world.now);
    const worker = this.#world.callWorkers.present;
    return this.#execute(from, argument, { attempt: 1, cancelled: false, fault, worker }, from.current);
  }

  #setTimer(from: Workflow, { number }: Command, ms: number): void {
    const name = `${from.run}/${number}`;
    const { run } = from;
    const delivery: Delivery = {
      at: this.#world.now + ms,
      what: `timer of ${from.id}`,
      timer: true,
      perform: () => {
        this.#timers.delete(name);
        this.#answer(from, run, number, {});
      },
    };
    this.#timers.set(name, delivery);
    this.#world.deliveries.add(delivery);
  }

  #cancelTimer(name: string): void {
    const delivery = this.#timers.get(name);
    if (delivery) this.#world.deliveries.remove(delivery);
    this.#timers.delete(name);
  }

  #call(from: Workflow, command: Command, asked: AskedCall, attempt = 1, at = this.#world.now): void {
    const { run, argument, reading } = asked;
    this.#add(at, `call ${argument.call} of ${from.id}`, async () => {
      if (from.status !== 'running' || from.run !== run) return;
      const { on, call, asker } = argument;
      const { faults, resources, callWorkers } = this.#world;
      if (on && !callWorkers.lives(on.worker)) {
        const gone = `${on.worker} does not live any more`;
        const answer = { failure: { call, code: WORKER_GONE, message: gone } };
        this.#world.trace.add(this.#world.now, from.id, () => `nobody takes ${call}: ${gone}`);
        this.#add(this.#world.now + on.takenWithinMs, `${WORKER_GONE} to ${from.id}`, () =>
          this.#answer(from, run, command.number, answer),
        );
        return;
      }
      const isCancelled = () => this.#cancelled.has(`${run}/${command.number}`);
      // As on Temporal, what was lost is not made again.
      if (attempt > 1 && isCancelled()) return;
      // A call that takes effect late runs on the worker that has taken it, even if that has died since.
      const worker = callWorkers.present;
      const perform = async (fault: Fault | undefined) => {
        const execution = { attempt, cancelled: isCancelled(), fault, worker };
        return this.#execute(from, argument, execution, reading);
      };
      const what = `answer of ${call} to ${from.id}`;
      const bring = (answer: CommandAnswer, after: number) =>
        this.#add(this.#world.now + after, what, () => this.#answer(from, run, command.number, answer));
      const fault = faults.at({ kind: 'call', entity: from.id, action: asker.action, call }, this.#world.now);
      const lateBy =
        fault === 'late-effect'
          ? Math.min(LATE_EFFECT_MS, timeoutOf(resources.shapeOf(call)) / 2)
          : fault === 'slow'
            ? faults.slowness()
            : 0;
      if (fault === 'late-effect' || (fault === 'slow' && faults.isEffectLate())) {
        // The worker has begun, and goes on whatever becomes of the entity.
        return this.#add(this.#world.now + lateBy, `effect of ${call} of ${from.id}`, async () => {
          if (fault === 'slow' && isCancelled() && faults.isCancelHonoured()) return bring(CANCELLED, 0);
          return bring(await perform(fault), 0);
        });
      }
      const answer = await perform(fault);
      if (fault === 'crash' || fault === 'lose-answer') {
        this.#world.trace.add(this.#world.now, from.id, () => `the answer of ${call} is lost`);
        if (!isCancelled()) this.#call(from, command, asked, attempt + 1, this.#world.now + TAKEN_FOR_DEAD_MS);
        if (fault === 'crash') {
          callWorkers.replace();
          await this.#world.restart(from);
        }
        return;
      }
      // It comes in two deliveries, as after a crash, so that what is due at the same time comes in the same order.
      if (fault === 'late') this.#add(this.#world.now + TAKEN_FOR_DEAD_MS, what, () => bring(answer, 0));
      else bring(answer, lateBy);
    });
  }

  /** Tells a provider of a question that was closed, until it has heard of it. A3 */
  #withdraw(
    from: Workflow,
    run: string,
    command: Command,
    withdrawal: QuestionWithdrawal,
    attempt = 1,
    at = this.#world.now,
  ): void {
    const { id: question, call: asked, idempotencyKey, input, reason } = withdrawal;
    const call = withdrawalOf(asked);
    this.#add(at, `${call} of ${from.id}`, async () => {
      if (from.status !== 'running' || from.run !== run) return;
      const { faults, now, resources, executions, callWorkers, trace } = this.#world;
      const fault = faults.at({ kind: 'call', entity: from.id, call }, now);
      const affinity = () => callWorkers.present;
      const context = { idempotencyKey, attempt, question, reason, affinity, answerAt: nobodyAnswers };
      const error = fault === 'fail' ? 'fault' : await resources.withdraw(asked, input, context);
      trace.add(now, from.id, () => `call ${call} ${JSON.stringify(input)}: ${error ?? 'done'}`);
      executions.push({
        ...{ call, entity: from.id, action: undefined, input, idempotencyKey, attempt, at: now },
        ...{ worker: callWorkers.present.worker, ...(error !== undefined && { error }) },
      });
      const lost = fault === 'crash' || fault === 'lose-answer';
      if (error === undefined && !lost) this.#answer(from, run, command.number, {});
      else if (attempt < TOLD_TIMES)
        this.#withdraw(from, run, command, withdrawal, attempt + 1, now + TAKEN_FOR_DEAD_MS);
      else {
        const failure = { call, code: error ?? 'lost', message: 'The provider could not be told.' };
        this.#answer(from, run, command.number, { failure });
      }
      if (fault !== 'crash') return;
      callWorkers.replace();
      await this.#world.restart(from);
    });
  }

  async #execute(
    from: Workflow,
    argument: CallArgument,
    {
      attempt,
      cancelled,
      fault,
      worker,
    }: {
      readonly attempt: number;
      readonly cancelled: boolean;
      readonly fault: Fault | undefined;
      readonly worker: Affinity;
    },
    reading: unknown,
  ): Promise<CommandAnswer> {
    const { call, input, idempotencyKey, asker } = argument;
    const { now, resources, trace, executions, witness } = this.#world;
    const snapshot = reading as Snapshot | undefined;
    const { action } = asker;
    const answerLater = (given: CallbackAnswer, afterMs = 0) => {
      if (argument.question) this.#world.answerOutside(argument.question, given, now + afterMs);
    };
    const answerAt = (address: AnswerAddress, given: CallbackAnswer, afterMs = 0) =>
      this.#world.answerOutside(address, given, now + afterMs);
    const context = { idempotencyKey, attempt, answerAt, affinity: () => worker };
    const answer: CommandAnswer =
      fault === 'fail'
        ? { failure: { call, code: 'fault', message: 'The simulation let this call fail.' } }
        : made(await resources.perform(call, input, context, answerLater), attempt);
    const error = 'failure' in answer ? answer.failure.code : undefined;
    trace.add(now, from.id, () => `call ${call} ${JSON.stringify(input)}: ${error ?? 'done'}`);
    const execution = {
      ...{ call, entity: from.id, action, input, idempotencyKey, attempt, at: now, worker: worker.worker },
      ...(cancelled && { cancelled }),
      ...(error !== undefined && { error }),
    };
    executions.push(execution);
    const by = this.#world.subject(from);
    if (by && snapshot) {
      witness.tell({ kind: 'called', by, execution, asker, snapshot, shape: resources.shapeOf(call) });
    }
    return answer;
  }

  #create(from: Workflow, run: string, { number }: Command, { to, creation, again }: NewEntity) {
    this.#bring(
      { kind: 'message', entity: from.id, message: creation.request?.event ?? 'create' },
      entityId(to),
      () => {
        const value = this.#world.start(to.type, entityId(to), creation, again);
        if (value === 'created') this.#world.witness.tell({ kind: 'created', to, creation });
        this.#answer(from, run, number, { value: JSON.stringify(value) });
      },
    );
  }

  #readLastLife(from: Workflow, run: string, { number }: Command, of: EntityRef): void {
    this.#add(this.#world.now, `last life of ${entityId(of)}`, () => {
      const last = this.#world.lastLife(entityId(of));
      this.#answer(from, run, number, last ? { value: JSON.stringify(last) } : {});
    });
  }

  #decideTicks(from: Workflow, run: string, { number }: Command, questions: readonly TickQuestion[]): void {
    this.#add(this.#world.now, `next ticks of ${from.id}`, () => {
      const ticks = questions.map(({ after, ...calendar }) => nextTick(calendar, after));
      this.#answer(from, run, number, { value: JSON.stringify(ticks) });
    });
  }

  #open(from: Workflow, run: string, { number }: Command, operation: OperationStart): void {
    const id = operationWorkflowId(operation.id);
    this.#add(this.#world.now, `start of ${id}`, () => {
      if (this.#world.start(OPERATION_TYPE, id, operation, true) === 'created') {
        this.#world.witness.tell({ kind: 'opened', operation });
      }
      this.#answer(from, run, number, {});
    });
  }

  #send(from: Workflow, run: string, { number }: Command, { to, message }: { to: EntityRef; message: EntityMessage }) {
    const name = message.kind === 'raise' ? message.request.event : message.kind;
    const content = JSON.stringify(message);
    const by = this.#world.subject(from);
    if (by) this.#world.witness.tell({ kind: 'sent', by, run, message });
    let life: string | undefined;
    const deliver = (): 'delivered' | 'absent' => {
      const target = this.#world.running(entityId(to));
      if (!target) return 'absent';
      life = target.life;
      target.inbox.push({ kind: 'message', content });
      this.#world.witness.tell({ kind: 'delivered', to, life, message });
      return 'delivered';
    };
    // A copy reaches the life that the message itself has reached, and no later one of the same key.
    const deliverCopy = () => {
      if (life !== undefined && life === this.#world.running(entityId(to))?.life) deliver();
    };
    this.#bring(
      { kind: 'message', entity: from.id, message: name },
      entityId(to),
      () => this.#answer(from, run, number, { value: JSON.stringify(deliver()) }),
      message.kind === 'raise' ? undefined : deliverCopy,
    );
  }

  #tell(
    from: Workflow,
    run: string,
    { number }: Command,
    { operation, message }: { operation: string; message: OperationMessage },
  ): void {
    const by = this.#world.subject(from);
    if (by) this.#world.witness.tell({ kind: 'told', by, operation, message });
    const id = operationWorkflowId(operation);
    const content = JSON.stringify(message);
    const deliver = (): 'delivered' | 'absent' => {
      const target = this.#world.running(id);
      target?.inbox.push({ kind: 'message', content });
      return target ? 'delivered' : 'absent';
    };
    this.#bring(
      { kind: 'message', entity: from.id, message: message.kind },
      id,
      () => this.#answer(from, run, number, { value: JSON.stringify(deliver()) }),
      deliver,
    );
  }

  #deploy(from: Workflow, run: string, { number }: Command, { id, input }: { id: string; input: DeploymentInput }) {
    this.#bring({ kind: 'message', entity: from.id, message: 'deploy' }, id, () => {
      const value = this.#world.start(DEPLOYMENT_TYPE, id, input, false);
      this.#answer(from, run, number, { value: JSON.stringify(value) });
    });
  }

  #tellDeployment(
    from: Workflow,
    run: string,
    { number }: Command,
    { id, message }: { id: string; message: DeploymentMessage },
  ): void {
    const content = JSON.stringify(message);
    this.#bring({ kind: 'message', entity: from.id, message: message.kind }, id, () => {
      const target = this.#world.running(id);
      target?.inbox.push({ kind: 'message', content });
      this.#answer(from, run, number, { value: JSON.stringify(target ? 'delivered' : 'absent') });
    });
  }

  /** Offers records to the store. While it is away, they wait in the memory of a worker. */
  #offer(records: readonly StoreRecord[]): void {
    const { shelf, now } = this.#world;
    if (shelf.awayUntil <= now) shelf.take(records);
    else this.#add(shelf.awayUntil, 'records', () => this.#offer(records));
  }

  #confirm(from: Workflow, run: string, { number }: Command, names: RecordNames): void {
    this.#add(this.#world.now, `records of ${from.id}, by name`, () => {
      const { shelf, now } = this.#world;
      const answer = shelf.awayUntil <= now ? { value: JSON.stringify(shelf.lacking(names)) } : {};
      this.#answer(from, run, number, answer);
    });
  }

  #keep(from: Workflow, run: string, { number }: Command, records: readonly StoreRecord[]): void {
    this.#add(this.#world.now, `records of ${from.id}`, () => {
      const { shelf, now } = this.#world;
      const there = shelf.awayUntil <= now;
      if (there) shelf.take(records);
      this.#answer(from, run, number, { value: JSON.stringify(there) });
    });
  }

  /** Asks the store, which answers late, and may be away by then. */
  #recall(
    from: Workflow,
    run: string,
    { number }: Command,
    { of, ids }: { of: LivingRef; ids: readonly string[] },
  ): void {
    const { shelf, faults, now } = this.#world;
    const fault = faults.at({ kind: 'question', entity: from.id }, now);
    if (fault === 'away') shelf.awayUntil = Math.max(shelf.awayUntil, now + faults.absence());
    const late = fault === 'slow' ? faults.lateness() : 0;
    this.#add(now + late, `requests of ${from.id}, from the store`, () => {
      // Records that were left to carriers are in the store when these have ended.
      const there = shelf.awayUntil <= this.#world.now && !this.#handedOn.has(from.id);
      this.#answer(from, run, number, there ? { value: JSON.stringify(shelf.recall(of, ids)) } : {});
    });
  }

  #handOn(from: Workflow, run: string, { number }: Command, records: readonly StoreRecord[]): void {
    const { shelf, now } = this.#world;
    if (shelf.awayUntil <= now) shelf.take(records);
    else {
      this.#handedOn.set(from.id, (this.#handedOn.get(from.id) ?? 0) + 1);
      this.#bringHandedOn(from.id, records);
    }
    this.#answer(from, run, number, {});
  }

  #bringHandedOn(id: string, records: readonly StoreRecord[]): void {
    const { shelf } = this.#world;
    this.#add(shelf.awayUntil, `records that ${id} has handed on`, () => {
      if (shelf.awayUntil > this.#world.now) return this.#bringHandedOn(id, records);
      shelf.take(records);
      const left = this.#handedOn.get(id)! - 1;
      if (left > 0) this.#handedOn.set(id, left);
      else this.#handedOn.delete(id);
    });
  }

  /** Brings a message to its target: at once, late, or twice. A second copy may come much later than the first. */
  #bring(point: Point, to: string, deliver: () => void, deliverCopy?: () => void): void {
    const { faults, now } = this.#world;
    const fault = faults.at(point, now);
    const what = `${point.message} to ${to}`;
    this.#add(fault === 'delay' ? now + faults.lateness() : now, what, deliver);
    if (fault !== 'double' || !deliverCopy) return;
    this.#world.trace.add(now, point.entity, () => `its message '${point.message}' to ${to} will come twice`);
    this.#add(now + faults.lateness(), `copy of ${what}`, deliverCopy);
  }

  #answer(to: Workflow, run: string, command: number, answer: CommandAnswer): void {
    if (to.status === 'running' && to.run === run) to.inbox.push({ kind: 'answer', command, answer });
  }

  #add(at: number, what: string, perform: () => void | Promise<void>): void {
    this.#world.deliveries.add({ at, what, perform });
  }
}

/** The answer of a call, with how often a worker was lost in its course. */
function made(answer: CommandAnswer, attempt: number): CommandAnswer {
  const restarts = attempt - 1;
  if ('failure' in answer) return restarts > 0 ? { failure: { ...answer.failure, restarts } } : answer;
  const output: unknown = answer.value === undefined ? undefined : JSON.parse(answer.value);
  return { value: JSON.stringify({ output, restarts } satisfies CallAnswer) };
}
