import type { AuditEntry, AuditTrail } from '../../../service/audit-trail.js';
import { auditRowOf } from '../../../service/audit-row-of.js';
import type { StoreWriter } from '../../../store/index.js';
import { messageOf } from '../../../definition/thrown.js';

/** Requests that change nothing are not recorded: the operator may read as much as they like. */
const READING = new Set(['read', 'list']);

/** The audit trail of one command: each event that it raises, and whether that was allowed. S6.5 */
export class CommandAuditTrail implements AuditTrail {
  readonly #writer: Pick<StoreWriter, 'audit'>;
  readonly #warn: (message: string) => void;
  readonly #writing: Promise<void>[] = [];

  constructor(writer: Pick<StoreWriter, 'audit'>, warn: (message: string) => void) {
    this.#writer = writer;
    this.#warn = warn;
  }

  record(entry: AuditEntry): void {
    if (READING.has(entry.access.action)) return;
    // It is written at once, since the command may follow its operation for hours.
    this.#writing.push(this.#write(entry));
  }

  /** Waits until all of it is written, or cannot be. */
  async close(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(entry: AuditEntry): Promise<void> {
    try {
      await this.#writer.audit([auditRowOf(entry)]);
    } catch (thrown) {
      this.#warn(`This '${entry.access.action}' is missing in the audit trail: ${messageOf(thrown)}`);
    }
  }
}
