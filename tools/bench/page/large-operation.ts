import type { StoreRecord } from '../../../src/protocol/records.js';

const TRANSITION_MS = 40;
const APART_MS = 15;

/** The records of an operation on a server that has reached so many entities, one after the other. */
export function largeOperation(id: string, entities: number, startedAt: number): readonly StoreRecord[] {
  const key = 'large';
  const end = startedAt + entities * APART_MS + 2 * TRANSITION_MS;
  const operation: StoreRecord = {
    ...{ kind: 'operation', id, name: `create LogicalServer/${key}`, startedAt, answeredAt: startedAt + 5 },
    ...{ endedAt: end, outcome: 'success', restarts: 0, dimensions: {} },
  };
  return [operation, ...Array.from({ length: entities }, (_, index) => recordsOf(id, index, key, startedAt)).flat()];
}

function recordsOf(operation: string, index: number, key: string, startedAt: number): readonly StoreRecord[] {
  const at = startedAt + index * APART_MS;
  const type = index === 0 ? 'LogicalServer' : 'SqlApplication';
  const entity = { type, key: index === 0 ? key : `${key}-${index}`, life: `${operation}-${index}` };
  const event = index === 0 ? operation : `${operation}/${index}`;
  const states = ['Absent', 'Creating', 'Ready'];
  const transitions = states.slice(1).map((endState, step): StoreRecord => ({
    ...{ kind: 'transition', entity, version: step + 1, operation, event, ordinal: step + 1 },
    ...{ type: step === 0 ? 'EventAction' : 'AutoAction', action: step === 0 ? 'begin' : 'create' },
    ...{ startState: states[step]!, startHealth: 'normal', startEnteredAt: at, startedAt: at + step * TRANSITION_MS },
    ...{ retries: 0, endState, endHealth: 'normal', at: at + (step + 1) * TRANSITION_MS, outcome: 'success' },
  }));
  return [
    ...transitions,
    {
      ...{ kind: 'event', id: event, entity, operation, position: index === 0 ? '1' : `1.${index}`, event: 'create' },
      ...{ eventType: index === 0 ? 'raised' : 'subscription', startState: 'Absent', startVersion: 0, startedAt: at },
      ...{ endState: 'Ready', endHealth: 'normal', endedAt: at + 2 * TRANSITION_MS, restarts: 0, dimensions: {} },
    },
  ];
}
