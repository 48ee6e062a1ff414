import type { AuditEntry, AuditTrail } from './audit-trail.js';

const WINDOW_MS = 60_000;
/** How many addresses are counted separately. Requests from further addresses are counted together. */
const MOST_ADDRESSES = 10_000;

interface Counted {
  more: number;
  /** The latest that was counted. It has no row of its own. */
  latest?: AuditEntry;
  readonly timer: NodeJS.Timeout;
}

/**
 * Records the refusals of requests that do not show who asks. The first from an address is in the audit trail at once. After
 * that, one entry a minute counts the others, so that those who may not even ask cannot fill the trail. S6.5
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

  /** Records what has been counted so far. */
  close(): void {
    for (const [address, { timer }] of [...this.#counted]) {
      clearTimeout(timer);
      this.#end(address);
    }
  }

  #begin(address: string): void {
    const timer = setTimeout(() => {
      // An address that goes on is counted again, with one entry a minute.
      if (this.#end(address)) this.#begin(address);
    }, WINDOW_MS);
    this.#counted.set(address, { more: 0, timer: timer.unref() });
  }

  /** Records what was counted from an address. Gives whether there was anything. */
  #end(address: string): boolean {
    const { more = 0, latest } = this.#counted.get(address) ?? {};
    this.#counted.delete(address);
    if (!latest) return false;
    this.#audit.record({
      ...latest,
      reason: `${more} more requests were refused within a minute. The last one: ${latest.reason}`,
    });
    return true;
  }

  #addressOf({ remoteAddress = '' }: AuditEntry): string {
    return this.#counted.has(remoteAddress) || this.#counted.size < MOST_ADDRESSES ? remoteAddress : '';
  }
}
