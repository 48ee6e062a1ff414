import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { AuditEntry as AuditRow, StoreWriter } from '../store/index.js';
import type { AuditEntry, AuditTrail } from './audit-trail.js';

const TRY_AGAIN_MS = 5_000;
const MOST_WAITING = 10_000;

/**
 * The audit trail in the store. While the store is away nothing stops: decisions are in the log, and are written when it is
 * back. S5.2, S6.5
 */
export class StoreAuditTrail implements AuditTrail {
  readonly #writer: Pick<StoreWriter, 'audit'>;
  readonly #log: Logger;
  #waiting: AuditRow[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(writer: Pick<StoreWriter, 'audit'>, log: Logger) {
    this.#writer = writer;
    this.#log = log;
  }

  async record(entry: AuditEntry): Promise<void> {
    const { requestId, ...audit } = entry;
    this.#log.info({ requestId, audit }, 'decided');
    await this.#write([rowOf(entry)]);
  }

  /** Writes what waits, if the store is there, and tries no more. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write([]);
    clearTimeout(this.#timer);
  }

  async #write(rows: readonly AuditRow[]): Promise<void> {
    const all = [...this.#waiting.splice(0), ...rows];
    if (all.length === 0) return;
    try {
      await this.#writer.audit(all);
    } catch (thrown) {
      this.#log.warn({ err: thrown, waiting: all.length }, 'the audit trail cannot be written');
      this.#waiting = [...all, ...this.#waiting].slice(-MOST_WAITING);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#write([]), TRY_AGAIN_MS).unref();
    }
  }
}

function rowOf({ at, actor, access, decision, reason, requestId }: AuditEntry): AuditRow {
  const { subject, tenant, roles } = actor;
  const { action, event, entity, operation } = access;
  return {
    ...{ id: randomUUID(), at, subject, roles, decision, requestId },
    action: event === undefined ? action : `${action} ${event}`,
    ...(tenant !== undefined && { tenant }),
    ...(entity && { entity }),
    ...(operation !== undefined && { operation }),
    ...(reason !== undefined && { reason }),
  };
}
