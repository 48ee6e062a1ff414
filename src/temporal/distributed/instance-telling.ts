import { patched, workflowInfo } from '@temporalio/workflow';
import {
  jobFailed,
  membersOf,
  nameOf,
  operationOutcome,
  readInstance,
  refOf,
  stateOf,
  type Instance,
  type JobsTold,
} from '../../distributed/index.js';
import { DISTRIBUTED } from '../../protocol/distributed-names.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { EventRecord, OperationRecord } from '../../protocol/records.js';
import type { RecordDriver } from '../../recording/driver.js';
import type { CarriedRecords } from '../../recording/record-outbox.js';
import { Telling } from '../telling.js';

/*
 * The report of an instance to the store. S5.1, S5.2
 *
 * instance-telling.1. Nothing in the instance waits for the store. Its run ends only when all that was told is stored, goes along, or was
 *     handed on.
 * instance-telling.2. Jobs are told by the answer of their lane, all together.
 * instance-telling.3. An instance that was started by an older build has no request, and tells nothing.
 */

/** How many records are brought at once while jobs run: each may tell of a hundred jobs. */
const AMOUNTS = { few: 64, many: 100, asked: 4_000, most: 2_000 };

export class InstanceTelling extends Telling {
  readonly #life = workflowInfo().firstExecutionRunId;

  constructor(driver: RecordDriver, carried: CarriedRecords | undefined) {
    super({ ...driver, amounts: AMOUNTS }, carried);
  }

  /** Tells that the instance has begun. */
  begin(instance: Instance): void {
    this.#putOperation(instance);
    this.#putInstance(instance);
  }

  /** Tells what a step has come to. */
  note(before: Instance, after: Instance, told: JobsTold | undefined): void {
    const { request, target, type, instance } = after.start;
    if (!request) return;
    const hasEnded = after.phase === 'ended' && before.phase !== 'ended';
    if (told) {
      const { cancelled, ...jobs } = told;
      this.outbox.put({
        ...{ kind: 'jobs', life: this.#life, operation: request.id, target, type, instance },
        ...(before.rounds > 0 && { round: before.rounds }),
        ...{ from: after.startedAt, at: after.now, ...jobs },
        ...(cancelled.length > 0 && { cancelled }),
      });
    }
    if (hasEnded) this.#putOperation(after);
    const wasShown = stateOf({ paused: before.pausedAt !== undefined, phase: before.phase });
    const isShown = stateOf({ paused: after.pausedAt !== undefined, phase: after.phase });
    const isOther = told || hasEnded || wasShown !== isShown || before.outcome !== after.outcome;
    if (isOther || (attemptsIn(before) !== attemptsIn(after) && patched('tell of failed calls')))
      this.#putInstance(after);
  }

  /** For the next run. */
  carried(): CarriedRecords | undefined {
    return this.outbox.carried();
  }

  #putOperation(instance: Instance): void {
    const { start, startedAt, endedAt, outcome, restarts } = instance;
    const { request, target, type } = start;
    if (!request) return;
    const on: EntityRef = { type: DISTRIBUTED, key: target };
    const error = endedAt !== undefined && outcome === 'failed' ? errorOf(instance) : undefined;
    const common = { id: request.id, startedAt, dimensions: {}, restarts };
    const operation: OperationRecord = {
      ...{ kind: 'operation', ...common, name: `${type} ${entityId(on)}`, answeredAt: startedAt },
      outcome: endedAt === undefined ? 'running' : operationOutcome(outcome),
      ...(endedAt !== undefined && { endedAt }),
      ...(error && { error, ...(instance.reason !== undefined && { summary: instance.reason }) }),
      settledOn: workflowInfo().workflowId,
    };
    const event: EventRecord = {
      ...{ kind: 'event', ...common, entity: { ...on, life: this.#life }, operation: request.id, position: '1' },
      ...{ event: type, eventType: 'raised', startState: 'running', startVersion: start.instance },
      fingerprint: request.content,
      ...(endedAt !== undefined && {
        ...{ endState: outcome ?? 'failed', endHealth: outcome === 'failed' ? 'error' : 'normal' },
        ...{ endVersion: start.instance, endedAt },
        ...(outcome === 'cancelled' && { endDetails: { canceled: true } }),
      }),
      ...(error && { error }),
    };
    this.outbox.put(operation);
    this.outbox.put(event);
  }

  #putInstance(instance: Instance): void {
    const { start, startedAt, endedAt, outcome, now } = instance;
    const { request, target, type, object } = start;
    if (!request) return;
    const reading = readInstance(instance);
    this.outbox.put({
      ...{ kind: 'instance', life: this.#life, name: nameOf(refOf(instance)), target, type, instance: start.instance },
      ...(object !== undefined && { object }),
      ...{ operation: request.id, state: stateOf(reading), startedAt, reading, at: now },
      ...(outcome && { outcome }),
      ...(endedAt !== undefined && { endedAt }),
    });
  }
}

/** The calls that have failed, with their attempts, to be compared. */
function attemptsIn({ retries }: Instance): string {
  return JSON.stringify(Object.entries(retries).map(([call, { attempts }]) => [call, attempts]));
}

/** The cause by which its failure is counted: that of its first failed job, or that of its completion. S5.5 */
function errorOf({ failed, results, reason = 'It has failed.' }: Instance): ErrorRecord {
  const [first] = membersOf(failed);
  const { message } = (first === undefined ? {} : (results[first] ?? {})) as { readonly message?: string };
  return message === undefined || !reason.endsWith(message)
    ? { kind: 'needs_operator', code: 'operation_failed', message: reason }
    : jobFailed(message);
}
