import type { ComponentRecord, DeploymentRecord } from './deployment-records.js';
import type { InstanceRecord } from './instance-record.js';
import type { JobsRecord } from './jobs-record.js';
import type {
  DecisionRecord,
  EntityRecord,
  EventRecord,
  OperationRecord,
  StoreRecord,
  TransitionRecord,
} from './records.js';

/*
 * Names that tell records apart without their contents. They are short, so that the store can be asked which of many records it
 * lacks. S5.2
 *
 * A task that was lost may have offered records of what never happened. The task in its place comes later, so the times tell
 * which records are true.
 */

/** A question to the store about the records of one life of an entity. All times are milliseconds since 1970. */
export interface RecordNames {
  readonly life: string;
  /** Versions in a row that came at the same time: the first, the last, and the time. */
  readonly transitions: readonly (readonly [first: number, last: number, at: number])[];
  readonly events: readonly (readonly [id: string, startedAt: number, endedAt?: number])[];
  /** The operations that have ended. */
  readonly operations: readonly (readonly [id: string, endedAt: number])[];
  readonly entity?: { readonly type: string; readonly key: string; readonly at: number };
  /** Tells whether no other record of this life has yet to be kept: then an older record that is not kept never happened. */
  readonly complete: boolean;
}

type Named =
  | Pick<TransitionRecord, 'kind' | 'version'>
  | Pick<EntityRecord | DeploymentRecord | InstanceRecord, 'kind'>
  | Pick<ComponentRecord, 'kind' | 'incarnation'>
  | Pick<EventRecord | OperationRecord | DecisionRecord | JobsRecord, 'kind' | 'id'>;

/** The name of a record within its life. A newer record of the same name replaces an older one. */
export function recordName(record: Named): string {
  switch (record.kind) {
    case 'transition':
      return `transition/${record.version}`;
    case 'entity':
    case 'deployment':
    case 'instance':
      return record.kind;
    case 'component':
      return `component/${record.incarnation}`;
    default:
      return `${record.kind}/${record.id}`;
  }
}

/**
 * Tells whether a record has a short name. One that may still change while its times stay the same has none, and neither have rare
 * ones, nor those of deployments and distributed operations: they are sent as they are.
 */
export function hasShortName(record: StoreRecord): boolean {
  if (record.kind === 'operation') return record.endedAt !== undefined;
  return record.kind === 'transition' || record.kind === 'event' || record.kind === 'entity';
}

/** The short names of those of these records that have one. All are of one life. */
export function namesOf(life: string, records: readonly StoreRecord[], complete: boolean): RecordNames {
  const transitions: [first: number, last: number, at: number][] = [];
  const events: RecordNames['events'][number][] = [];
  const operations: RecordNames['operations'][number][] = [];
  let entity: RecordNames['entity'];
  for (const record of records) {
    switch (record.kind) {
      case 'transition': {
        const run = transitions.at(-1);
        if (run && run[1] + 1 === record.version && run[2] === record.at) run[1] = record.version;
        else transitions.push([record.version, record.version, record.at]);
        break;
      }
      case 'event': {
        const { id, startedAt, endedAt } = record;
        events.push(endedAt === undefined ? [id, startedAt] : [id, startedAt, endedAt]);
        break;
      }
      case 'operation':
        if (record.endedAt !== undefined) operations.push([record.id, record.endedAt]);
        break;
      case 'entity':
        entity = { type: record.entity.type, key: record.entity.key, at: record.at };
        break;
      case 'decision':
      case 'deployment':
      case 'component':
      case 'instance':
      case 'jobs':
        // Other records have no short name.
        break;
    }
  }
  return { life, transitions, events, operations, ...(entity && { entity }), complete };
}

/** How many records are named. */
export function countOf({ transitions, events, operations, entity }: RecordNames): number {
  const versions = transitions.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return versions + events.length + operations.length + (entity ? 1 : 0);
}
