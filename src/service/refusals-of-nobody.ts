import type { AuditEntry, AuditTrail } from './audit-trail.js';

const WINDOW_MS = 60_000;
/** How many addresses are told apart; what comes from more of them is counted together. */
const MOST_ADDRESSES = 10_000;

interface Counted {
  more: number;
  /** The latest that was counted and has no row of its own. */
  latest?: AuditEntry;
  readonly timer: NodeJS.Timeout;
}

/**
 * The refusals of requests that do not show who asks: the first from an address is in the audit trail at once, and then one
 * entry a minute counts the others, so that nobody fills the trail who may not even ask. S6.5
 */
export class RefusalsOfNobody {
  readonly #audit: AuditTrail;
  readonly #counted = new Map<string, Counted>();

  constructor(audit: AuditTrail) {
    this.#audit = audit;
  }

  record(entry: AuditEntry): void {
    const address = this.#addressOf(entry);
    const counted = this.#counted.get(address);
    if (!counted) {
      this.#audit.record(entry);
      this.#begin(address);
      return;
    }
    counted.more++;
    counted.latest = entry;
  }

  /** Tells what has been counted so far. */
  close(): void {
    for (const [address, { timer }] of [...this.#counted]) {
      clearTimeout(timer);
      this.#end(address);
    }
  }

  #begin(address: string): void {
    const timer = setTimeout(() => {
      // Whoever goes on is counted on: one entry a minute.
      if (this.#end(address)) this.#begin(address);
    }, WINDOW_MS);
    this.#counted.set(address, { more: 0, timer: timer.unref() });
  }

  /** Whether there was something to tell. */
  #end(address: string): boolean {
    const { more = 0, latest } = this.#counted.get(address) ?? {};
    this.#counted.delete(address);
    if (!latest) return false;
    this.#audit.record({ ...latest, reason: `${more} more requests within a minute; the last: ${latest.reason}` });
    return true;
  }

  #addressOf({ remoteAddress = '' }: AuditEntry): string {
    return this.#counted.has(remoteAddress) || this.#counted.size < MOST_ADDRESSES ? remoteAddress : '';
  }
}
