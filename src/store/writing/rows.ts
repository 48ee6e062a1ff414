import type { ErrorRecord } from '../../protocol/error-record.js';
import { endedOperation } from '../../protocol/ended-operation.js';
import { rowsOfJobs } from '../../protocol/job-rows.js';
import { entityId } from '../../protocol/names.js';
import type { OperationRecord, StoreRecord } from '../../protocol/records.js';
import { AUDIT_ENTRIES, auditRow } from '../rows/audit-row.js';
import { COMPONENTS, componentRow } from '../rows/component-row.js';
import { auditedDecision, rejectedDecision } from '../rows/decision-row.js';
import { DEPLOYMENTS, deploymentRow } from '../rows/deployment-row.js';
import { ENTITIES, entityRow } from '../rows/entity-row.js';
import { ERRORS, NO_ERROR, errorRow, type RowError } from '../rows/error-row.js';
import { EVENTS, eventRow } from '../rows/event-row.js';
import { INSTANCES, instanceRow } from '../rows/instance-row.js';
import { OPERATIONS, operationRow } from '../rows/operation-row.js';
import { REJECTED_EVENTS, rejectionRow } from '../rows/rejection-row.js';
import { TRANSITIONS, transitionRow } from '../rows/transition-row.js';
import { isNewer, nameOf, type Row, type Table } from './table.js';

/** The rows of many records: for each name only the newest. */
export class Rows {
  readonly #tables = new Map<Table, Map<string, Row>>();
  readonly #errors = new Map<string, RowError>();

  /** `writer` is whoever offers them, from whose process they come. Others may keep them. */
  static of(records: readonly StoreRecord[], kept: boolean, writer?: string): Rows {
    const rows = new Rows();
    for (const record of records) rows.#addRecord(record, kept, writer);
    return rows;
  }

  get(table: Table): readonly Row[] {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }

  #addRecord(record: StoreRecord, kept: boolean, writer: string | undefined): void {
    switch (record.kind) {
      case 'operation':
        return this.#addOperation(record, kept, undefined);
      case 'event': {
        const operation = endedOperation(record);
        if (operation) this.#addOperation(operation, kept, entityId(record.entity));
        return this.#add(EVENTS, eventRow(record, kept, this.#error(record.error, entityId(record.entity))));
      }
      case 'transition':
        return this.#add(TRANSITIONS, transitionRow(record, this.#error(record.error, entityId(record.entity))));
      case 'entity':
        return this.#add(ENTITIES, entityRow(record, writer));
      case 'deployment':
        return this.#add(DEPLOYMENTS, deploymentRow(record, kept));
      case 'component':
        return this.#add(COMPONENTS, componentRow(record, kept));
      case 'instance':
        return this.#add(INSTANCES, instanceRow(record, kept));
      case 'jobs':
        return rowsOfJobs(record).forEach((each) => this.#addRecord(each, kept, writer));
      case 'decision': {
        const [audited, rejected] = [auditedDecision(record), rejectedDecision(record)];
        if (audited) this.#add(AUDIT_ENTRIES, auditRow(audited));
        if (rejected) this.#add(REJECTED_EVENTS, rejectionRow(rejected));
      }
    }
  }

  #addOperation(record: OperationRecord, kept: boolean, entity: string | undefined): void {
    this.#add(OPERATIONS, operationRow(record, kept, this.#error(record.error, entity, record.summary)));
  }

  #add(table: Table, row: Row): void {
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    this.#tables.set(table, rows);
    const name = nameOf(table, row);
    const there = rows.get(name);
    if (!there || isNewer(table, row, there)) rows.set(name, row);
  }

  /** An error, which adds a row for its cause. It came on `entity`; `summary` says more than its message. */
  #error(error: ErrorRecord | undefined, entity?: string, summary?: string): RowError {
    if (!error) return NO_ERROR;
    const name = JSON.stringify([error, entity, summary]);
    const known = this.#errors.get(name);
    if (known !== undefined) return known;
    const { row, text } = errorRow(error, entity, summary);
    this.#add(ERRORS, { ...row });
    const told = { id: row.error_id, text };
    this.#errors.set(name, told);
    return told;
  }
}
