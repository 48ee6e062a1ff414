import { randomUUID } from 'node:crypto';
import { ALL_TENANTS } from '../protocol/actor.js';
import type { RejectedEvent, StoreWriter } from '../store/index.js';
import type { AuditEntry, AuditTrail } from './audit-trail.js';

/** Of these nobody has decided anything, or whose entity it is must not be told. */
const NO_REJECTIONS = ['no_worker', 'try_again', 'outcome_unknown', 'another_tenant'];
/** What is the same within this time becomes one row. */
const GATHER_MS = 1_000;
const TRY_AGAIN_MS = 5_000;
const MOST_WAITING = 10_000;
const MOST_AT_ONCE = 500;

/**
 * Which events were rejected at once, in the store. Nobody waits for it: they are written once a second, those that are alike as
 * one row, so that who raises the same in vain fills no disk; while the store is away, the first 10,000 wait until it is back. S2.2
 */
export class StoreRejections implements AuditTrail {
  readonly #writer: Pick<StoreWriter, 'reject'>;
  readonly #warn: (message: string) => void;
  #waiting = new Map<string, RejectedEvent>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(writer: Pick<StoreWriter, 'reject'>, warn: (message: string) => void) {
    this.#writer = writer;
    this.#warn = warn;
  }

  record(entry: AuditEntry): void {
    const rejected = rejectedOf(entry);
    if (!rejected) return;
    const { entity, event, code, subject, tenant } = rejected;
    const name = JSON.stringify([entity.type, entity.key, event, code, subject, tenant]);
    const alike = this.#waiting.get(name);
    if (!alike && this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.set(name, alike ? { ...rejected, id: alike.id, at: alike.at, times: alike.times + 1 } : rejected);
    this.#timer ??= setTimeout(() => void this.#write(), GATHER_MS).unref();
  }

  /** Writes what waits, if the store is there, and tries no more. */
  async close(): Promise<void> {
    await this.#write();
    clearTimeout(this.#timer);
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const rows = [...this.#waiting].slice(0, MOST_AT_ONCE);
      for (const [name] of rows) this.#waiting.delete(name);
      try {
        await this.#writer.reject(rows.map(([, row]) => row));
      } catch (thrown) {
        // A later one that is alike has an id of its own by now.
        for (const [name, row] of rows) if (!this.#waiting.has(name)) this.#waiting.set(name, row);
        this.#warn(`What was rejected cannot be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        this.#timer ??= setTimeout(() => void this.#write(), TRY_AGAIN_MS).unref();
        return;
      }
    }
  }
}

function rejectedOf({ at, actor, access, rejection }: AuditEntry): RejectedEvent | undefined {
  if (!rejection || NO_REJECTIONS.includes(rejection.code) || !('entity' in access) || !access.entity) return undefined;
  const { code, message, event, state } = rejection;
  const { type, key } = access.entity;
  return {
    ...{ id: randomUUID(), at, lastAt: at, times: 1, entity: { type, key }, event, code, message },
    ...(access.operation !== undefined && { requestId: access.operation }),
    ...(state !== undefined && { state }),
    ...(actor && { subject: actor.subject }),
    // Who acts for one tenant reaches nobody else's. Whose it is that one for all tenants asked for, nobody has said.
    ...(actor?.tenant !== undefined && actor.tenant !== ALL_TENANTS && { tenant: actor.tenant }),
  };
}
