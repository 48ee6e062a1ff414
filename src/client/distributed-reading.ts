import { nameOf, operationOutcome, stateOf, type InstanceReading, type InstanceRef } from '../distributed/index.js';
import { DISTRIBUTED, distributedWorkflowId } from '../protocol/distributed-names.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { OperationReading } from './operation-reading.js';

/** The instance that an operation is, and how far it is. */
export interface FoundInstance {
  readonly ref: InstanceRef;
  readonly reading: InstanceReading;
}

/** On what a start is made: the target, which stands for its coordinator. */
export function startedOn(target: string): EntityRef {
  return { type: DISTRIBUTED, key: target };
}

/** An instance as the operation that it is. Its one participant is the instance. S4.7 */
export function asOperation(id: string, { ref, reading }: FoundInstance): OperationReading {
  const { type, target } = ref;
  const { outcome, reason, startedAt, endedAt } = reading;
  const root = { ...startedOn(target), engagement: id, event: type };
  const named = { id, name: `${type} ${entityId(root)}`, root, dimensions: {}, startedAt };
  const participant = {
    ...{
      type: DISTRIBUTED,
      key: nameOf(ref),
      life: '',
      state: stateOf(reading),
      version: ref.instance,
      waiting: false,
    },
    health: outcome === 'failed' ? 'error' : 'normal',
  } as const;
  const failure = { kind: 'needs_operator', code: 'operation_failed', message: reason ?? 'It has failed.' } as const;
  const of = { entity: distributedWorkflowId(nameOf(ref)), event: type, engagement: id };
  const errors = outcome === 'failed' ? [{ ...failure, ...of }] : [];
  if (endedAt !== undefined) {
    const result = { ...named, outcome: operationOutcome(outcome), endedAt, participants: [participant], errors };
    return { state: 'ended', result };
  }
  const cancel = outcome === 'cancelled' ? 'honoured' : 'none';
  const nothing = { items: [], waiting: {}, awaits: [], interruptions: [], reservations: [], madeGood: [] };
  const status = { ...named, ...nothing, restarts: 0, outcome: 'running', hung: false, cancel } as const;
  return { state: 'running', status: { ...status, participants: { [participant.key]: participant }, errors } };
}
