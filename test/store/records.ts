import type { EntityRecord, EventRecord, OperationRecord, TransitionRecord } from '../../src/protocol/records.js';

/** When the stories of these tests begin. */
export const START = Date.UTC(2026, 0, 1);

export function entity(key = 'orders', life = `life of ${key}`) {
  return { type: 'LogicalServer', key, life };
}

export function operation(id: string, values: Partial<OperationRecord> = {}): OperationRecord {
  return {
    kind: 'operation',
    id,
    name: 'create LogicalServer/orders',
    startedAt: START,
    answeredAt: START + 5,
    outcome: 'running',
    restarts: 0,
    dimensions: {},
    ...values,
  };
}

export function event(id: string, values: Partial<EventRecord> = {}): EventRecord {
  return {
    kind: 'event',
    id,
    entity: entity(),
    operation: 'create-orders',
    position: '1',
    event: 'create',
    eventType: 'raised',
    startState: 'Absent',
    startVersion: 0,
    startedAt: START,
    restarts: 0,
    dimensions: {},
    ...values,
  };
}

export function transition(version: number, values: Partial<TransitionRecord> = {}): TransitionRecord {
  return {
    kind: 'transition',
    entity: entity(),
    version,
    operation: 'create-orders',
    event: 'create-orders',
    ordinal: version,
    type: 'AutoAction',
    action: 'install',
    startState: 'Creating',
    startHealth: 'normal',
    startEnteredAt: START + version - 1,
    startedAt: START + version - 1,
    retries: 0,
    endState: 'Ready',
    endHealth: 'normal',
    at: START + version,
    outcome: 'success',
    ...values,
  };
}

export function standing(version: number, values: Partial<EntityRecord> = {}): EntityRecord {
  return {
    kind: 'entity',
    entity: entity(),
    bornAt: START,
    version,
    state: 'Ready',
    health: 'normal',
    settled: true,
    deleted: false,
    enteredAt: START + version,
    properties: {},
    links: {},
    subordinates: {},
    dimensions: {},
    at: START + version,
    ...values,
  };
}
