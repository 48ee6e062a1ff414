import { randomUUID } from 'node:crypto';
import { ALL_TENANTS } from '../protocol/actor.js';
import type { RejectedEvent, StoreWriter } from '../store/index.js';
import type { AuditEntry, AuditTrail } from './audit-trail.js';
import { messageOf } from '../definition/thrown.js';

/** These are not recorded: either nobody has decided anything, or it must not be told whose the entity is. */
const NO_REJECTIONS = ['no_answer', 'try_again', 'outcome_unknown', 'another_tenant'];
/** Rejections that are alike and come within this time become one row. */
const GATHER_MS = 1_000;
const TRY_AGAIN_MS = 5_000;
const MOST_WAITING = 10_000;
const MOST_AT_ONCE = 500;

/**
 * Records in the store which events were rejected at once. Nobody waits for it. They are written once a second, and those that
 * are alike as one row, so that a caller who raises the same in vain does not fill the disk. While the store is unavailable, the first
 * 10,000 wait until it is back. S2.2
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

  /** Writes what waits, if the store is there, and then writes no more. */
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
        // Nobody knows whether the store has taken it, so it stays a row of its own beside a later rejection that is alike.
        for (const [name, row] of rows) this.#waiting.set(this.#waiting.has(name) ? row.id : name, row);
        this.#warn(`The rejected events cannot be written to the store: ${messageOf(thrown)}`);
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
  // An actor for one tenant reaches only entities of that tenant. For an actor for all tenants, and for a signed address, nobody has
  // said whose the entity is.
  const isOfTenant = actor?.tenant !== ALL_TENANTS && access.action !== 'answer';
  return {
    ...{ id: randomUUID(), at, lastAt: at, times: 1, entity: { type, key }, event, code, message },
    ...(access.operation !== undefined && { requestId: access.operation }),
    ...(state !== undefined && { state }),
    ...(actor && { subject: actor.subject }),
    ...(actor?.tenant !== undefined && isOfTenant && { tenant: actor.tenant }),
  };
}
