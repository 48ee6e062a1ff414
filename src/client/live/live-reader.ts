import type { Client } from '@temporalio/client';
import { operationOf, OPERATION_TYPE, parseEntityId, SEARCH_ATTRIBUTES } from '../../protocol/names.js';
import { listVisible, type PageRequest, type Visible } from './visibility.js';
import { quoted } from './quoted.js';

/** An operation that runs, as Temporal shows it. The members have the names of the store's columns. */
export interface LiveOperation {
  readonly request_id: string;
  /** The first 255 characters. */
  readonly name: string;
  readonly workflow_start_time: Date;
  readonly workflow_end_time: null;
  readonly outcome: 'hung' | null;
  readonly tenant: string | null;
}

/** An entity that lives, as Temporal shows it. The members have the names of the store's columns. */
export interface LiveEntity {
  readonly type: string;
  readonly key: string;
  readonly life: string;
  readonly state: string;
  readonly health: string;
  readonly settled: boolean;
  readonly deleted: false;
  readonly operation: string | null;
  readonly tenant: string | null;
}

export interface LivePage<Row> {
  readonly rows: readonly Row[];
  /** Begins the next page; none on the last one. */
  readonly next?: string;
}

/** Finds workflows that run. An operation that has ended may still wait for the store. */
const RUNS = `ExecutionStatus = "Running"`;
const OPERATIONS = [
  `WorkflowType = ${quoted(OPERATION_TYPE)}`,
  RUNS,
  `${SEARCH_ATTRIBUTES.outcome} IN ("running", "hung")`,
];

function ofTypes(types: readonly string[]): string {
  return `WorkflowType IN (${types.map(quoted).join(', ')})`;
}

/** The query of Temporal that finds the live entities of these types. */
export function liveQuery(types: readonly string[], where: readonly string[]): string {
  return joined([ofTypes(types), RUNS, ...where]);
}

function joined(conditions: readonly string[]): string {
  return conditions.map((condition) => `(${condition})`).join(' AND ');
}

/**
 * Lists what runs, from Temporal's search attributes: without a worker and without the store, a moment late, in no order.
 * `where` are conditions of Temporal's queries that all have to hold. A page may have fewer rows than were asked for. S5.2
 */
export class LiveReader {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Lists the latest operations of the page first. @throws Rejected `no_answer` when Temporal does not answer */
  async operations(where: readonly string[], page: PageRequest): Promise<LivePage<LiveOperation>> {
    const { rows, ...more } = await this.#list([...OPERATIONS, ...where], page, operationRow);
    const began = ({ workflow_start_time: time }: LiveOperation) => time.getTime();
    return { ...more, rows: rows.toSorted((one, other) => began(other) - began(one)) };
  }

  /** The entities of these types. @throws Rejected `no_answer` when Temporal does not answer */
  async entities(types: readonly string[], where: readonly string[], page: PageRequest): Promise<LivePage<LiveEntity>> {
    if (types.length === 0) return { rows: [] };
    return this.#list([ofTypes(types), RUNS, ...where], page, entityRow);
  }

  /** The entities of these types that were started before, and have shown no state yet. @throws Rejected, as `entities` does */
  async unborn(types: readonly string[], before: Date, page: PageRequest): Promise<readonly Visible[]> {
    if (types.length === 0) return [];
    const conditions = [`${SEARCH_ATTRIBUTES.state} IS NULL`, `StartTime < ${quoted(before.toISOString())}`];
    return (await this.workflows([ofTypes(types), ...conditions], page)).rows;
  }

  /** All that runs, of whatever type. @throws Rejected `no_answer` when Temporal does not answer */
  async workflows(where: readonly string[], page: PageRequest): Promise<LivePage<Visible>> {
    return this.#list([RUNS, ...where], page, (visible) => visible);
  }

  async #list<Row>(
    conditions: readonly string[],
    page: PageRequest,
    toRow: (visible: Visible) => Row | undefined,
  ): Promise<LivePage<Row>> {
    const { found, next } = await listVisible(this.#client, joined(conditions), page);
    return { rows: found.flatMap((each) => toRow(each) ?? []), ...(next !== undefined && { next }) };
  }
}

function operationRow({ id, startedAt, attribute }: Visible): LiveOperation | undefined {
  const request = operationOf(id);
  if (request === undefined) return undefined;
  return {
    request_id: request,
    name: text(attribute(SEARCH_ATTRIBUTES.name)) ?? '',
    workflow_start_time: startedAt,
    workflow_end_time: null,
    outcome: attribute(SEARCH_ATTRIBUTES.outcome) === 'hung' ? 'hung' : null,
    tenant: text(attribute(SEARCH_ATTRIBUTES.tenant)) ?? null,
  };
}

/** The row of an entity; nothing for one that has not been created yet. */
function entityRow({ id, life, attribute }: Visible): LiveEntity | undefined {
  const ref = parseEntityId(id);
  const state = text(attribute(SEARCH_ATTRIBUTES.state));
  if (!ref || state === undefined) return undefined;
  return {
    ...ref,
    life,
    state,
    health: text(attribute(SEARCH_ATTRIBUTES.health)) ?? 'normal',
    settled: attribute(SEARCH_ATTRIBUTES.settled) === true,
    deleted: false,
    operation: text(attribute(SEARCH_ATTRIBUTES.operation)) ?? null,
    tenant: text(attribute(SEARCH_ATTRIBUTES.tenant)) ?? null,
  };
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
