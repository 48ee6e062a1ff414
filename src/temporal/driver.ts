import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  log,
  ParentClosePolicy,
  scheduleActivity,
  scheduleLocalActivity,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  startChild,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
  ActivityFailure,
  ApplicationFailure,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { AnyEntity } from '../definition/entity.js';
import { summarise, type Call } from '../definition/resource.js';
import { describeSnapshot } from '../kernel/describe.js';
import type { EntityDriver } from '../kernel/driver.js';
import type { EntityHandlers } from '../kernel/entity-life.js';
import type { LookDistance } from '../kernel/look.js';
import { isAtRest, stateOf } from '../kernel/step.js';
import { CallFailed } from '../protocol/errors.js';
import type {
  Answer,
  Creation,
  EntityMessage,
  OperationMessage,
  OperationStart,
  RaiseRequest,
} from '../protocol/messages.js';
import {
  BATCH_REJECTED,
  entityId,
  MESSAGE_SIGNAL,
  OPERATION_SIGNAL,
  OPERATION_TYPE,
  operationWorkflowId,
  RAISE_UPDATE,
  SEARCH_ATTRIBUTES,
  SNAPSHOT_QUERY,
  type EntityRef,
} from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { DEFAULT_HEARTBEAT, DEFAULT_TIMEOUT, type CallEnvelope } from './call-envelope.js';

const message = defineSignal<[EntityMessage]>(MESSAGE_SIGNAL);
const operationMessage = defineSignal<[OperationMessage]>(OPERATION_SIGNAL);

/**
 * A run with more events goes on in a new one when nothing is under way, long before the server suggests it: a worker
 * that takes an entity over replays its run.
 */
const LONG_HISTORY = 500;
/** The server lets the successor of a younger run wait for the rest of this time. */
const YOUNGEST_RUN_MS = 1_000;

const raiseUpdate = defineUpdate<readonly Answer[], [readonly RaiseRequest[]]>(RAISE_UPDATE);
const snapshotQuery = defineQuery<Snapshot>(SNAPSHOT_QUERY);

/** The driver on Temporal: one entity, one workflow. */
export class TemporalEntityDriver implements EntityDriver {
  readonly #entity: AnyEntity;
  #shown: string | undefined;

  constructor(
    entity: AnyEntity,
    readonly lookDistance?: LookDistance,
  ) {
    this.#entity = entity;
  }

  get identity() {
    const { workflowId, firstExecutionRunId } = workflowInfo();
    return { id: workflowId, life: firstExecutionRunId };
  }

  serve(handlers: EntityHandlers): void {
    setHandler(snapshotQuery, () => handlers.snapshot(), { description: 'Everything that the entity is.' });
    setHandler(raiseUpdate, (requests) => handlers.raise(requests), {
      description: 'Raises a batch of events and answers each.',
      validator: (requests) => {
        const refusal = handlers.refuse(requests);
        if (refusal?.kind === 'malformed') throw ApplicationFailure.nonRetryable(refusal.problem, 'malformed');
        if (refusal) {
          throw ApplicationFailure.nonRetryable('every event was rejected', BATCH_REJECTED, refusal.answers);
        }
      },
    });
    setHandler(message, (content) => handlers.message(content), { description: 'Messages between entities.' });
    setDefaultSignalHandler((name, ...args) => handlers.signal(name, args[0]));
  }

  handlersFinished(): boolean {
    return allHandlersFinished();
  }

  now(): number {
    return Date.now();
  }

  uuid(): string {
    return uuid4();
  }

  async until(predicate: () => boolean, timeoutMs?: number): Promise<boolean> {
    if (timeoutMs === undefined) {
      await condition(predicate);
      return true;
    }
    return timeoutMs <= 0 ? predicate() : condition(predicate, timeoutMs);
  }

  abortable<T>(run: () => Promise<T>): { readonly ended: Promise<T>; abort(): void } {
    const scope = new CancellationScope();
    return { ended: scope.run(run), abort: () => scope.cancel() };
  }

  async call(call: Call, input: unknown, idempotencyKey: string): Promise<unknown> {
    const envelope: CallEnvelope = { input, idempotencyKey };
    const { shape } = call;
    const startToCloseTimeout = shape.timeout ?? DEFAULT_TIMEOUT;
    try {
      if (shape.inline) return await scheduleLocalActivity(call.activity, [envelope], { startToCloseTimeout });
      return await scheduleActivity(call.activity, [envelope], {
        startToCloseTimeout,
        heartbeatTimeout: shape.heartbeat ?? DEFAULT_HEARTBEAT,
        summary: summarise(call, input),
        // Only a lost worker is made good here: failures of the resource are not retried by Temporal.
        retry: { initialInterval: '500ms', maximumInterval: '30s' },
      });
    } catch (thrown) {
      const cause = thrown instanceof ActivityFailure ? thrown.cause : undefined;
      if (!(cause instanceof ApplicationFailure)) throw thrown;
      throw new CallFailed(call.activity, cause.type ?? 'call_failed', cause.message);
    }
  }

  async createEntity(to: EntityRef, creation: Creation): Promise<'created' | 'exists'> {
    return start(
      to.type,
      entityId(to),
      creation,
      creation.request ? `${creation.request.event} ${entityId(to)}` : entityId(to),
    );
  }

  async openOperation(operation: OperationStart): Promise<void> {
    await start(OPERATION_TYPE, operationWorkflowId(operation.id), operation, operation.name);
  }

  sendMessage(to: EntityRef, content: EntityMessage): Promise<'delivered' | 'absent'> {
    return sendMessage(to, content);
  }

  async tellOperation(operation: string, content: OperationMessage): Promise<void> {
    await delivered(() => getExternalWorkflowHandle(operationWorkflowId(operation)).signal(operationMessage, content));
  }

  show(snapshot: Snapshot): void {
    setCurrentDetails(describeSnapshot(this.#entity, snapshot));
    const { health } = stateOf(this.#entity, snapshot);
    const settled = isAtRest(this.#entity, snapshot) && !stateOf(this.#entity, snapshot).waiting;
    const attributes = {
      [SEARCH_ATTRIBUTES.state]: [snapshot.state],
      [SEARCH_ATTRIBUTES.health]: [snapshot.exhausted ? 'error' : health],
      [SEARCH_ATTRIBUTES.settled]: [settled],
      [SEARCH_ATTRIBUTES.operation]: snapshot.operation?.open ? [snapshot.operation.id] : [],
    };
    // Each upsert is an event of history: only what has changed is worth one.
    const text = JSON.stringify(attributes);
    if (text === this.#shown) return;
    this.#shown = text;
    upsertSearchAttributes(attributes);
  }

  shouldRollOver(): boolean {
    const { continueAsNewSuggested, historyLength, runStartTime } = workflowInfo();
    const long = continueAsNewSuggested || historyLength > LONG_HISTORY;
    return long && Date.now() - runStartTime.getTime() >= YOUNGEST_RUN_MS && allHandlersFinished();
  }

  warn(text: string, attributes: Readonly<Record<string, unknown>>): void {
    log.warn(text, { ...attributes });
  }
}

async function start(
  type: string,
  workflowId: string,
  argument: Creation | OperationStart,
  staticSummary: string,
): Promise<'created' | 'exists'> {
  try {
    await startChild(type, {
      workflowId,
      args: [argument],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      staticSummary,
    });
    return 'created';
  } catch (thrown) {
    if (thrown instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
    throw thrown;
  }
}

/** Sends a message to an entity, from wherever a workflow is. */
export function sendMessage(to: EntityRef, content: EntityMessage): Promise<'delivered' | 'absent'> {
  return delivered(() => getExternalWorkflowHandle(entityId(to)).signal(message, content));
}

async function delivered(signal: () => Promise<void>): Promise<'delivered' | 'absent'> {
  try {
    await signal();
    return 'delivered';
  } catch (thrown) {
    if (thrown instanceof ApplicationFailure && thrown.type === 'ExternalWorkflowExecutionNotFound') return 'absent';
    throw thrown;
  }
}
