import type { Logger } from 'pino';
import type { AuditEntry as AuditRow, StoreWriter } from '../store/index.js';
import { auditRowOf } from './audit-row-of.js';
import type { AuditEntry, AuditTrail } from './audit-trail.js';

const TRY_AGAIN_MS = 5_000;
const MOST_WAITING = 10_000;
const MOST_AT_ONCE = 500;

/**
 * The audit trail in the store. Nobody waits for it: decisions are in the log at once, and are written to the store one batch
 * after the other. While the store is unavailable, the latest 10,000 wait until it is back. S5.2, S6.5
 */
export class StoreAuditTrail implements AuditTrail {
  readonly #writer: Pick<StoreWriter, 'audit'>;
  readonly #log: Logger;
  #waiting: AuditRow[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(writer: Pick<StoreWriter, 'audit'>, log: Logger) {
    this.#writer = writer;
    this.#log = log;
  }

  record(entry: AuditEntry): void {
    const { requestId, ...audit } = entry;
    this.#log.info({ requestId, audit }, 'decided');
    this.#waiting.push(auditRowOf(entry));
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    if (!this.#timer) this.#write();
  }

  /** Writes what waits, if the store is there, and then writes no more. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
    clearTimeout(this.#timer);
  }

  #write(): void {
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const rows = this.#waiting.splice(0, MOST_AT_ONCE);
      try {
        await this.#writer.audit(rows);
      } catch (thrown) {
        this.#waiting = [...rows, ...this.#waiting].slice(-MOST_WAITING);
        this.#log.warn({ err: thrown, waiting: this.#waiting.length }, 'the audit trail cannot be written');
        this.#timer = setTimeout(() => this.#write(), TRY_AGAIN_MS).unref();
        return;
      }
    }
  }
}
