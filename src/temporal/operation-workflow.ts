import {
  allHandlersFinished,
  defineQuery,
  log,
  patched,
  setDefaultSignalHandler,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { describeOperation } from '../operations/describe.js';
import type { OperationDriver, OperationHandlers } from '../operations/driver.js';
import { runOperation, type OperationInput } from '../operations/operation-life.js';
import { recordedOutcome } from '../operations/record.js';
import type { OperationResult, OperationStatus } from '../operations/status.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import { OPERATION_QUERY, SEARCH_ATTRIBUTES, type EntityRef } from '../protocol/names.js';
import type { RecordDriver } from '../recording/driver.js';
import { sendMessage } from './delivery.js';
import { goOn } from './go-on.js';
import { runOfThis, type Run } from './run.js';
import { untilHolds } from './until-holds.js';

const statusQuery = defineQuery<OperationStatus>(OPERATION_QUERY);

/** One run of an operation's workflow. It completes with the result when the operation has ended. */
export async function operationWorkflow(input: OperationInput, records: RecordDriver): Promise<OperationResult> {
  const end = await runOperation(new TemporalOperationDriver(records), input);
  if (end.kind === 'ended') return end.result;
  return goOn(end.next);
}

class TemporalOperationDriver implements OperationDriver {
  readonly records: RecordDriver;

  readonly #run: Run = runOfThis();

  constructor(records: RecordDriver) {
    this.records = records;
  }

  now(): number {
    return this.#run.clock.now();
  }

  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean> {
    return this.#run.clock.until(untilHolds(summary), predicate, timeoutMs);
  }

  serve(handlers: OperationHandlers): void {
    setHandler(statusQuery, () => handlers.status(), { description: 'The progress of the operation.' });
    this.#run.details = () => describeOperation(handlers.status());
    // The name of a signal does not matter: only its content counts.
    setDefaultSignalHandler((_name, message) => handlers.message(message));
  }

  sendMessage(to: EntityRef, message: EntityMessage): Promise<'delivered' | 'absent'> {
    return sendMessage(to, message);
  }

  show(status: OperationStatus): void {
    const outcome = recordedOutcome(status);
    if (workflowInfo().searchAttributes[SEARCH_ATTRIBUTES.outcome]?.[0] === outcome) return;
    upsertSearchAttributes({ [SEARCH_ATTRIBUTES.operation]: [status.id], [SEARCH_ATTRIBUTES.outcome]: [outcome] });
  }

  /** A marker in history tells it: an older build has left none. */
  asksAgain(): boolean {
    return patched('ask again to cancel');
  }

  shouldRollOver(): boolean {
    return this.#run.isOver && this.#run.isOldEnough && allHandlersFinished();
  }

  warn(text: string, attributes: Readonly<Record<string, unknown>>): void {
    log.warn(text, { ...attributes });
  }
}
