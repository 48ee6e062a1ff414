import {
  allHandlersFinished,
  CancellationScope,
  defineQuery,
  defineUpdate,
  log,
  patched,
  scheduleActivity,
  scheduleLocalActivity,
  setDefaultSignalHandler,
  setHandler,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
  ApplicationFailure,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import { CallFailed } from '../definition/action-errors.js';
import { MOST_MESSAGES, UNSENT_BYTES } from '../definition/limits.js';
import type { DeploymentInput, TreeProgram } from '../components/index.js';
import type { AnyEntity } from '../definition/entity.js';
import type { CallMode } from '../definition/resource.js';
import { asDeclared } from '../definition/duration.js';
import {
  type CallAnswer,
  describeSnapshot,
  type EntityDriver,
  type EntityHandlers,
  type LookDistance,
  migrationHindrance,
  type PlacedCall,
  resumptionOf,
  type TickQuestion,
  type MessageLimits,
} from '../kernel/index.js';
import { isMessageName, refusalOfSignal } from '../protocol/message-names.js';
import type { Answer } from '../protocol/answer.js';
import type { CallbackQuestion, QuestionWithdrawal } from '../protocol/callback.js';
import type { Creation } from '../protocol/creation.js';
import { attributesAtDeployment, memoOf } from '../protocol/deployment-origin.js';
import type { DeploymentMessage } from '../protocol/deployment.js';
import type { DeploymentStart } from '../protocol/state-deployment.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import { BEGUN_MEMO, type OperationStart } from '../protocol/operation-start.js';
import type { EngagementOutcome } from '../protocol/outcome.js';
import type { RaiseRequest } from '../protocol/request.js';
import {
  BATCH_REJECTED,
  DEPLOYMENT_TYPE,
  entityId,
  LAST_LIFE_ACTIVITY,
  NEXT_TICKS_ACTIVITY,
  OPERATION_TYPE,
  OUTCOME_UPDATE,
  operationWorkflowId,
  RAISE_UPDATE,
  RUN_CLOSING,
  SNAPSHOT_QUERY,
  TRANSITIONS_QUERY,
  WORKER_GONE,
  type EntityRef,
} from '../protocol/names.js';
import { timedUuid } from '../protocol/request-id.js';
import type { PendingTransitions } from '../protocol/pending-transitions.js';
import type { LedgerSizes, Snapshot } from '../protocol/snapshot.js';
import type { RecordDriver } from '../recording/driver.js';
import { routeOf, type CallRoutes } from './call-routes.js';
import { CallPlaces } from './call-places.js';
import { CallModes } from './call-modes.js';
import type { CallEnvelope } from './call-envelope.js';
import { failureOfCall, isLate, isSilent, isUntaken, makeCall, makeWithdrawal } from './make-call.js';
import { sendMessage, start, tellDeployment, tellOperation } from './delivery.js';
import { TaskPace } from './task-pace.js';
import { tellResumption } from './record-driver.js';
import { runOfThis, type Run } from './run.js';
import { attributesOfEntity, attributesOfOperation } from './shown-attributes.js';
import { untilHolds } from './until-holds.js';

/**
 * A run with more transitions goes on in a new one. Batches make many transitions with few events of history, and a replay
 * makes them all again.
 */
const MANY_TRANSITIONS = 10_000;

const raiseUpdate = defineUpdate<readonly Answer[], [readonly RaiseRequest[]]>(RAISE_UPDATE);
const outcomeUpdate = defineUpdate<EngagementOutcome | null, [string]>(OUTCOME_UPDATE);
const snapshotQuery = defineQuery<Snapshot>(SNAPSHOT_QUERY);
const transitionsQuery = defineQuery<PendingTransitions, [number]>(TRANSITIONS_QUERY);

/** The times of an entity that can be set. */
export interface EntityTimings {
  /** How long the entity rests before it goes on in a new run. */
  readonly restAfterMs: number;
  readonly lookDistance: LookDistance | undefined;
}

/** The settings of an entity's workflow. */
export interface EntitySettings extends EntityTimings {
  readonly ledgerSizes?: LedgerSizes | undefined;
  readonly records: RecordDriver;
  readonly routes: CallRoutes;
  /** All that states may deploy. */
  readonly trees: TreeProgram;
}

/** The driver on Temporal: one entity, one workflow. */
export class TemporalEntityDriver implements EntityDriver {
  readonly #entity: AnyEntity;
  readonly #run: Run = runOfThis();
  readonly records: RecordDriver;
  #handlers: EntityHandlers | undefined;
  #firstVersion: number | undefined;
  #version = 0;
  /** The functions that cancel the calls that are under way, by their idempotency keys. */
  readonly #calls = new Map<string, () => void>();
  /** The calls that were cancelled and have not ended. */
  readonly #lingering = new Map<string, CancellationScope>();
  readonly #places = new CallPlaces();
  readonly #modes = new CallModes();
  readonly #pace = new TaskPace((ms) => this.until(() => false, ms, 'the rest is sent in the next task'));
  readonly #routes: CallRoutes;
  readonly trees: TreeProgram;
  readonly restAfterMs: number;
  readonly lookDistance: LookDistance | undefined;

  readonly ledgerSizes: LedgerSizes | undefined;

  constructor(entity: AnyEntity, { restAfterMs, lookDistance, records, ledgerSizes, routes, trees }: EntitySettings) {
    this.#routes = routes;
    this.trees = trees;
    this.ledgerSizes = ledgerSizes;
    this.records = records;
    this.lookDistance = lookDistance;
    this.#entity = entity;
    this.restAfterMs = restAfterMs;
  }

  get identity() {
    const { workflowId, firstExecutionRunId } = workflowInfo();
    return { id: workflowId, life: firstExecutionRunId };
  }

  /** A marker in history tells it: an older build has left none. */
  beganAt(schema: number): boolean {
    return patched(`schema ${schema}`);
  }

  /** Runs of earlier builds have others, and no marker. */
  messageLimits(): MessageLimits {
    const isOlder = !patched('fewer messages at once');
    return isOlder ? { atOnce: 500, unsentBytes: 262_144 } : { atOnce: MOST_MESSAGES, unsentBytes: UNSENT_BYTES };
  }

  /** Runs of earlier builds do not, and have no marker. */
  mayEndAmidWaits(): boolean {
    return patched('ends amid waits for entities');
  }

  serve(handlers: EntityHandlers): void {
    this.#handlers = handlers;
    this.#run.whenResumed = () => this.#tellResumption(handlers.snapshot());
    this.#run.details = () => describeSnapshot(this.#entity, handlers.snapshot());
    setHandler(snapshotQuery, () => handlers.snapshot(), { description: 'Everything that the entity is.' });
    setHandler(
      transitionsQuery,
      (version) => {
        const { waits } = handlers;
        return {
          life: this.identity.life,
          transitions: handlers.transitionsAfter(version),
          ...(waits && { waits }),
        };
      },
      { description: 'Transitions that are not persisted in the store yet, and waits.' },
    );
    setHandler(raiseUpdate, (requests) => handlers.raise(requests), {
      description: 'Raises a batch of events and answers each.',
      validator: (requests) => {
        const refusal = handlers.refuse(requests);
        if (refusal?.kind === 'malformed') throw ApplicationFailure.nonRetryable(refusal.problem, 'malformed');
        if (refusal?.kind === 'closing') throw ApplicationFailure.nonRetryable('it continues as new', RUN_CLOSING);
        if (refusal) {
          throw ApplicationFailure.nonRetryable('every event was rejected', BATCH_REJECTED, refusal.answers);
        }
      },
    });
    setHandler(outcomeUpdate, async (event) => (await handlers.outcome(event)) ?? null, {
      description: 'Waits for the outcome of an event that no operation follows yet.',
      validator: (event) => {
        if (!handlers.tells(event))
          throw ApplicationFailure.nonRetryable('an operation reports it, or it is not reported', 'followed');
      },
    });
    setDefaultSignalHandler((name, ...args) => {
      const refusal = refusalOfSignal(name);
      if (refusal) handlers.dropSignal(refusal.signal, refusal.problem);
      else if (isMessageName(name)) handlers.message(args[0], name);
      else handlers.signal(name, ...args);
    });
  }

  /** A call that was under way when a worker died counts by itself. */
  #tellResumption(snapshot: Snapshot): void {
    const resumption = this.#calls.size === 0 && resumptionOf(snapshot, this.identity.life);
    if (resumption) tellResumption(resumption);
  }

  /**
   * The operation and event of the running action: the latest event, or the operation under which the state was entered. S4.8
   */
  get #cause(): Pick<CallEnvelope, 'operation' | 'event'> {
    const snapshot = this.#handlers?.snapshot();
    const engagement = snapshot?.engagements.at(-1);
    if (engagement) return { operation: engagement.operation, event: engagement.id };
    return snapshot?.operation ? { operation: snapshot.operation.id } : {};
  }

  handlersFinished(): boolean {
    return allHandlersFinished();
  }

  now(): number {
    return this.#run.clock.now();
  }

  reach(time: number): void {
    this.#run.clock.reach(time);
  }

  uuid(): string {
    return timedUuid(uuid4(), this.now());
  }

  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean> {
    return this.#run.clock.until(untilHolds(summary), predicate, timeoutMs);
  }

  quiet(): Promise<void> {
    return this.#run.clock.quiet(untilHolds(undefined));
  }

  moment(): number {
    return this.#run.clock.moment;
  }

  modeOf(placed: PlacedCall): CallMode {
    return this.#modes.next(placed.call, this.#queueOf(placed) !== undefined);
  }

  /** The task queue where it is not the entity's own. A5 */
  #queueOf({ call, on }: PlacedCall): string | undefined {
    return on?.worker ?? routeOf(this.#routes, call);
  }

  async call(placed: PlacedCall, question?: CallbackQuestion): Promise<CallAnswer> {
    const { call, input, idempotencyKey, on, limit } = placed;
    const taskQueue = this.#queueOf(placed);
    const envelope: CallEnvelope = { input, idempotencyKey, ...this.#cause, ...(question && { question }) };
    const scope = new CancellationScope();
    this.#lingering.delete(idempotencyKey);
    const make = async () => {
      const turn = this.#places.take();
      if (turn) await turn;
      const room = this.#pace.take(input);
      if (room) await room;
      const answer = await scope.run(() =>
        makeCall(call, envelope, {
          ...{ taskQueue, takenWithinMs: on?.takenWithinMs, untilEnded: true },
          withinMs: limit && Math.max(1, limit.until - this.now()),
        }),
      );
      // The answer of an inline call is sent with the task in which it came.
      if (call.shape.answer === 'inline') this.#pace.add(answer);
      return answer;
    };
    return new Promise<CallAnswer>((resolve, reject) => {
      let cancelled = false;
      const cancel = () => {
        cancelled = true;
        this.#lingering.set(idempotencyKey, scope);
        // An inline call that is cancelled is waited for until its provider has ended it. Its own limit comes sooner.
        if (!limit) scope.cancel();
        reject(new Error('The call was canceled.'));
      };
      this.#calls.set(idempotencyKey, cancel);
      const end = (thrown?: unknown) => {
        this.#places.give();
        if (this.#calls.get(idempotencyKey) === cancel) this.#calls.delete(idempotencyKey);
        if (this.#lingering.get(idempotencyKey) === scope && !isSilent(thrown)) this.#lingering.delete(idempotencyKey);
      };
      make().then(
        (answer) => {
          end();
          resolve(answer);
        },
        (thrown: unknown) => {
          end(thrown);
          if (limit && !cancelled && isLate(thrown)) {
            // Its collector has yet to note that the time is over, and then cancels it.
            this.#calls.set(idempotencyKey, () => reject(new Error('The call was canceled.')));
            return limit.over();
          }
          reject((on && isUntaken(thrown) ? workerGone(placed) : failureOfCall(call, thrown)) as Error);
        },
      );
    });
  }

  cancelCalls(idempotencyKeys: readonly string[] = [...this.#calls.keys()]): void {
    for (const key of idempotencyKeys) {
      this.#calls.get(key)?.();
      this.#calls.delete(key);
    }
  }

  lingers(idempotencyKey: string): boolean {
    return this.#lingering.has(idempotencyKey);
  }

  async withdraw({ id, call: activity, idempotencyKey, input, reason }: QuestionWithdrawal): Promise<void> {
    const resource = activity.slice(0, activity.indexOf('.'));
    const { operation } = this.#cause;
    const envelope: CallEnvelope = {
      ...{ input, idempotencyKey, withdrawn: { id, reason } },
      ...(operation !== undefined && { operation }),
    };
    try {
      await makeWithdrawal(activity, envelope, routeOf(this.#routes, { activity, resource }));
    } catch (thrown) {
      throw failureOfCall({ activity }, thrown);
    }
  }

  async createEntity(to: EntityRef, creation: Creation, again: boolean): Promise<'created' | 'exists'> {
    const room = this.#pace.take(creation);
    if (room) await room;
    const summary = creation.request ? `${creation.request.event} ${entityId(to)}` : entityId(to);
    const reuse = again ? WorkflowIdReusePolicy.ALLOW_DUPLICATE : WorkflowIdReusePolicy.REJECT_DUPLICATE;
    return start(to.type, entityId(to), creation, summary, reuse);
  }

  async lastLife(of: EntityRef): Promise<Snapshot | undefined> {
    // This is not a local activity: its results may be large, and several in one task would be too large.
    const options = {
      startToCloseTimeout: '20s',
      summary: `how ${entityId(of)} ended`,
      retry: { initialInterval: '500ms', maximumInterval: '30s' },
    } as const;
    return scheduleActivity<Snapshot | undefined>(LAST_LIFE_ACTIVITY, [of], options);
  }

  nextTicks(questions: readonly TickQuestion[]): Promise<readonly number[]> {
    return CancellationScope.nonCancellable(() =>
      scheduleLocalActivity<readonly number[]>(NEXT_TICKS_ACTIVITY, [questions], { startToCloseTimeout: '5s' }),
    );
  }

  async openOperation(operation: OperationStart): Promise<void> {
    const { ALLOW_DUPLICATE } = WorkflowIdReusePolicy;
    // It starts with its first search attributes, so that it need not upsert them.
    const attributes = attributesOfOperation(operation);
    await start(OPERATION_TYPE, operationWorkflowId(operation.id), operation, operation.name, ALLOW_DUPLICATE, {
      searchAttributes: attributes,
      memo: { [BEGUN_MEMO]: operation.startedAt },
    });
  }

  sendMessage(to: EntityRef, content: EntityMessage): Promise<'delivered' | 'absent'> {
    const room = this.#pace.take(content);
    // Another promise between would change the order of what comes after it, and histories would not replay.
    return room ? room.then(() => sendMessage(to, content)) : sendMessage(to, content);
  }

  tellOperation(operation: string, content: OperationMessage): Promise<'delivered' | 'absent'> {
    return tellOperation(operation, content);
  }

  async deploy(deployment: DeploymentStart): Promise<void> {
    const { id, owner, tenant, description } = deployment;
    const input: DeploymentInput = { kind: 'owned', ...deployment };
    const room = this.#pace.take(input);
    if (room) await room;
    const origin = { component: description.kind, ...(tenant !== undefined && { tenant }) };
    await start(DEPLOYMENT_TYPE, id, input, `for ${entityId(owner)}`, WorkflowIdReusePolicy.REJECT_DUPLICATE, {
      searchAttributes: attributesAtDeployment(origin),
      memo: memoOf(origin),
    });
  }

  tellDeployment(id: string, message: DeploymentMessage): Promise<'delivered' | 'absent'> {
    return tellDeployment(id, message);
  }

  show(snapshot: Snapshot): void {
    this.#firstVersion ??= snapshot.version;
    this.#version = snapshot.version;
    const attributes = attributesOfEntity(this.#entity, snapshot);
    // Each upsert is an event of history, so only changes are written. The attributes go along into a new run.
    const shown = workflowInfo().searchAttributes;
    const changed = Object.entries(attributes).some(
      ([name, value]) => JSON.stringify(shown[name] ?? []) !== JSON.stringify(value),
    );
    if (changed) upsertSearchAttributes(attributes);
  }

  runIsLong(): boolean {
    if (!this.#run.isOldEnough) return false;
    if (this.#run.isLong || this.#version - (this.#firstVersion ?? this.#version) > MANY_TRANSITIONS) return true;
    const snapshot = this.#handlers?.snapshot();
    if (!this.#run.isWoken || !snapshot) return false;
    return snapshot.rollingOver === true || migrationHindrance(snapshot) === undefined;
  }

  mayEndRun(): boolean {
    return this.#run.isOldEnough && allHandlersFinished();
  }

  get endless() {
    return this.#run.endless;
  }

  warn(text: string, attributes: Readonly<Record<string, unknown>>): void {
    log.warn(text, { ...attributes });
  }
}

function workerGone({ call, on }: PlacedCall): CallFailed {
  const problem = `The worker that was to make the call does not live any more, or has had no time for it within ${asDeclared(on!.takenWithinMs)}`;
  return new CallFailed(call.activity, WORKER_GONE, `${problem}. Begin again with a call that any worker can make.`);
}
