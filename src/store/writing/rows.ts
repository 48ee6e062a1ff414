import type { ErrorRecord } from '../../protocol/error-record.js';
import { endedOperation } from '../../protocol/ended-operation.js';
import type { StoreRecord } from '../../protocol/records.js';
import { AUDIT_ENTRIES, auditRow } from '../rows/audit-row.js';
import { COMPONENTS, componentRow } from '../rows/component-row.js';
import { auditedDecision, rejectedDecision } from '../rows/decision-row.js';
import { DEPLOYMENTS, deploymentRow } from '../rows/deployment-row.js';
import { ENTITIES, entityRow } from '../rows/entity-row.js';
import { ERRORS, errorRow } from '../rows/error-row.js';
import { EVENTS, eventRow } from '../rows/event-row.js';
import { OPERATIONS, operationRow } from '../rows/operation-row.js';
import { REJECTED_EVENTS, rejectionRow } from '../rows/rejection-row.js';
import { TRANSITIONS, transitionRow } from '../rows/transition-row.js';
import { isNewer, nameOf, type Row, type Table } from './table.js';

/** The rows of many records: for each name only the newest. */
export class Rows {
  readonly #tables = new Map<Table, Map<string, Row>>();
  readonly #errors = new Map<string, number>();

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
        return this.#add(OPERATIONS, operationRow(record, kept, this.#error(record.error)));
      case 'event': {
        const operation = endedOperation(record);
        if (operation) this.#add(OPERATIONS, operationRow(operation, kept, this.#error(operation.error)));
        return this.#add(EVENTS, eventRow(record, kept, this.#error(record.error)));
      }
      case 'transition':
        return this.#add(TRANSITIONS, transitionRow(record, this.#error(record.error)));
      case 'entity':
        return this.#add(ENTITIES, entityRow(record, writer));
      case 'deployment':
        return this.#add(DEPLOYMENTS, deploymentRow(record, kept));
      case 'component':
        return this.#add(COMPONENTS, componentRow(record, kept));
      case 'decision': {
        const [audited, rejected] = [auditedDecision(record), rejectedDecision(record)];
        if (audited) this.#add(AUDIT_ENTRIES, auditRow(audited));
        if (rejected) this.#add(REJECTED_EVENTS, rejectionRow(rejected));
      }
    }
  }

  #add(table: Table, row: Row): void {
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    this.#tables.set(table, rows);
    const name = nameOf(table, row);
    const there = rows.get(name);
    if (!there || isNewer(table, row, there)) rows.set(name, row);
  }

  /** The id of an error. Adds a row for it. */
  #error(error: ErrorRecord | undefined): number | null {
    if (!error) return null;
    const name = JSON.stringify(error);
    const known = this.#errors.get(name);
    if (known !== undefined) return known;
    const row = errorRow(error);
    this.#add(ERRORS, { ...row });
    this.#errors.set(name, row.error_id);
    return row.error_id;
  }
}
