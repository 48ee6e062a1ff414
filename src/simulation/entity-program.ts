import type { DeploymentInput, TreeProgram } from '../components/index.js';
import type { AnyImplementation } from '../definition/actions.js';
import type { AnyEntity } from '../definition/entity.js';
import { modeOf, type Call, type CallMode } from '../definition/resource.js';
import {
  type BatchRefusal,
  type CallAnswer,
  type EntityDriver,
  type EntityHandlers,
  type EntityInput,
  type PlacedCall,
  runEntity,
  type TickQuestion,
} from '../kernel/index.js';
import type { Answer } from '../protocol/answer.js';
import type { CallbackQuestion, QuestionWithdrawal } from '../protocol/callback.js';
import type { Creation } from '../protocol/creation.js';
import type { DeploymentMessage } from '../protocol/deployment.js';
import type { DeploymentStart } from '../protocol/state-deployment.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import type { OperationStart } from '../protocol/operation-start.js';
import type { RaiseRequest } from '../protocol/request.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import { schemaVersionOf, type LedgerSizes, type Snapshot } from '../protocol/snapshot.js';
import type { RecordDriver } from '../recording/driver.js';
import type { Asker } from './asker.js';
import type { Instance, Program, RunEnd } from './instance.js';
import { recordDriver } from './record-driver.js';

interface EntitySurroundings {
  /** Hears of each call that an action makes. */
  readonly learn: (call: Call) => void;
  readonly ledgerSizes: LedgerSizes | undefined;
  /** All that states may deploy. */
  readonly trees: TreeProgram;
}

/** The workflow code of an entity type: the kernel and the type's own actions, as they run on Temporal. */
export function entityProgram(implementation: AnyImplementation, surroundings: EntitySurroundings): Program {
  return async (instance, argument): Promise<RunEnd> => {
    const input = argument as EntityInput;
    const driver = new SimulatedEntityDriver(
      instance,
      surroundings,
      input.kind === 'continue' ? input.snapshot : undefined,
    );
    const end = await runEntity(watched(implementation, driver), driver, input);
    switch (end.kind) {
      case 'closed':
        return { kind: 'closed', result: end.snapshot };
      case 'rollover':
        return { kind: 'rollover', argument: end.next, build: end.build };
      case 'refused':
        if (end.inherits) return { kind: 'closed', result: { ...end.inherits, refused: end.birth } };
        return { kind: 'refused', code: end.birth.rejection.code, message: end.birth.rejection.message };
    }
  };
}

/** The driver in memory. */
class SimulatedEntityDriver implements EntityDriver {
  readonly records: RecordDriver;
  readonly #instance: Instance;
  readonly #learn: (call: Call) => void;
  readonly trees: TreeProgram;
  readonly #last: Snapshot | undefined;
  #snapshot: () => Snapshot | undefined = () => undefined;

  readonly ledgerSizes: LedgerSizes | undefined;
  /** A few, so that it happens in stories of a few events. */
  readonly eventsInARow = 3;

  /** @param last the snapshot with which the run before it has ended */
  constructor(instance: Instance, { learn, ledgerSizes, trees }: EntitySurroundings, last: Snapshot | undefined) {
    this.#last = last;
    this.ledgerSizes = ledgerSizes;
    this.trees = trees;
    this.records = recordDriver(instance);
    this.#instance = instance;
    this.#learn = learn;
  }

  get identity() {
    return { id: this.#instance.id, life: this.#instance.life };
  }

  /** A run keeps the implementation with which it has begun, as a pinned one on Temporal does. */
  beganAt(): boolean {
    return true;
  }

  serve(handlers: EntityHandlers): void {
    this.#snapshot = () => handlers.snapshot();
    const begun = handlers.snapshot();
    const before = this.#last;
    if (before && schemaVersionOf(begun) !== schemaVersionOf(before)) {
      this.#instance.see({ kind: 'migrated', before, after: begun });
    }
    this.#instance.serve({
      reading: () => handlers.snapshot(),
      message: (content) => handlers.message(content),
      signal: (name, ...args) => handlers.signal(name, ...args),
      refuse: (requests) => {
        const answers = answersOf(handlers.refuse(requests), requests);
        if (answers && answers !== 'closing') this.#decided(handlers.snapshot(), requests, answers);
        return answers;
      },
      raise: (requests) => {
        const before = handlers.snapshot();
        const raised = handlers.raise(requests);
        void raised.then(
          (answers) => this.#decided(before, requests, answers),
          () => undefined,
        );
        return raised;
      },
    });
  }

  #decided(before: Snapshot, requests: readonly RaiseRequest[], answers: readonly Answer[]): void {
    this.#instance.see({ kind: 'decided', before, after: this.#snapshot() ?? before, requests, answers });
  }

  handlersFinished(): boolean {
    return this.#instance.handlersFinished();
  }

  now(): number {
    return this.#instance.clock.now();
  }

  reach(time: number): void {
    this.#instance.clock.reach(time);
  }

  uuid(): string {
    return this.#instance.uuid();
  }

  until(predicate: () => boolean, timeoutMs?: number): Promise<boolean> {
    return this.#instance.until(predicate, timeoutMs);
  }

  quiet(): Promise<void> {
    return this.#instance.quiet();
  }

  moment(): number {
    return this.#instance.clock.moment;
  }

  get restAfterMs(): number | undefined {
    return this.#instance.restAfterMs;
  }

  modeOf({ call, on }: PlacedCall): CallMode {
    return modeOf(call.shape, on !== undefined);
  }

  async call({ call, input, idempotencyKey, on }: PlacedCall, question?: CallbackQuestion): Promise<CallAnswer> {
    this.#learn(call);
    const { activity, shape } = call;
    const { entry, attempt, running, engagements } = this.#snapshot()!;
    const event = running?.kind === 'event' ? engagements.at(-1)?.id : undefined;
    const asker: Asker = {
      ...{ entry, attempt },
      ...(running && { action: running.action }),
      ...(event !== undefined && { event }),
    };
    const argument = {
      asker,
      call: activity,
      input,
      idempotencyKey,
      inline: shape.answer === 'inline',
      ...(question && { question }),
      ...(on && { on }),
    };
    return (await this.#instance.command('call', argument)) as CallAnswer;
  }

  cancelCalls(idempotencyKeys?: readonly string[]): void {
    // An entity runs one action at a time, so all calls that are under way are the action's.
    this.#instance.cancelCalls(idempotencyKeys);
  }

  lingers(idempotencyKey: string): boolean {
    return this.#instance.lingers(idempotencyKey);
  }

  async withdraw(withdrawal: QuestionWithdrawal): Promise<void> {
    await this.#instance.command('withdraw', withdrawal);
  }

  async createEntity(to: EntityRef, creation: Creation, again: boolean): Promise<'created' | 'exists'> {
    return (await this.#instance.command('create', { to, creation, again })) as 'created' | 'exists';
  }

  async lastLife(of: EntityRef): Promise<Snapshot | undefined> {
    return (await this.#instance.command('last life', of)) as Snapshot | undefined;
  }

  async nextTicks(questions: readonly TickQuestion[]): Promise<readonly number[]> {
    return (await this.#instance.command('next ticks', questions)) as readonly number[];
  }

  async openOperation(operation: OperationStart): Promise<void> {
    await this.#instance.command('open', operation);
  }

  async sendMessage(to: EntityRef, message: EntityMessage): Promise<'delivered' | 'absent'> {
    return (await this.#instance.command('send', { to, message })) as 'delivered' | 'absent';
  }

  async tellOperation(operation: string, message: OperationMessage): Promise<'delivered' | 'absent'> {
    return (await this.#instance.command('tell', { operation, message })) as 'delivered' | 'absent';
  }

  async deploy(deployment: DeploymentStart): Promise<void> {
    const input: DeploymentInput = { kind: 'owned', ...deployment };
    await this.#instance.command('deploy', { id: deployment.id, input });
  }

  async tellDeployment(id: string, message: DeploymentMessage): Promise<'delivered' | 'absent'> {
    return (await this.#instance.command('tell deployment', { id, message })) as 'delivered' | 'absent';
  }

  show(): void {
    // The simulation looks at the snapshot itself.
  }

  runIsLong(): boolean {
    return this.#instance.rollOver;
  }

  mayEndAmidWaits(): boolean {
    return true;
  }

  mayEndRun(): boolean {
    return this.#instance.handlersFinished();
  }

  warn(): void {
    // The snapshot shows what was dropped.
  }

  /** Notes that an action starts. One that starts before the entity lets anything in cannot be seen. */
  started(action: string): void {
    const snapshot = this.#snapshot();
    if (!snapshot) return;
    this.#instance.see({ kind: 'started', action, snapshot, properties: JSON.stringify(snapshot.properties) });
  }

  /** Tells whether actions follow each other in one task without end, so that a worker would hang. */
  get goesRound(): boolean {
    return this.#instance.thrown !== undefined;
  }

  ended(action: string, threw: boolean): void {
    const successors = (this.#snapshot()?.successors ?? []).map(entityId);
    this.#instance.see({ kind: 'ended', action, threw, successors });
  }
}

/** The same actions, which also note when they start and end. */
function watched(implementation: AnyImplementation, driver: SimulatedEntityDriver): AnyImplementation {
  const entity: AnyEntity = implementation.entity;
  const actions = Object.entries(implementation.actions).map(([name, action]) => {
    const watchedAction = async (app: never, input: never): Promise<unknown> => {
      driver.started(name);
      if (driver.goesRound) return new Promise(() => undefined);
      try {
        const transition = await action(app, input);
        driver.ended(name, false);
        return transition;
      } catch (thrown) {
        driver.ended(name, true);
        throw thrown;
      }
    };
    return [name, watchedAction] as const;
  });
  return { ...implementation, entity, actions: Object.fromEntries(actions) };
}

function answersOf(
  refusal: BatchRefusal | undefined,
  requests: readonly RaiseRequest[],
): readonly Answer[] | 'closing' | undefined {
  if (refusal?.kind === 'closing') return 'closing';
  if (refusal?.kind !== 'malformed') return refusal?.answers;
  return requests.map(({ event }) => ({
    status: 'rejected',
    rejection: { code: 'malformed', message: refusal.problem, entity: '', event },
  }));
}
