import type { EngagementOutcome, RaiseRequest } from '../protocol/messages.js';
import type { Engagement, LedgerEntry } from '../protocol/snapshot.js';

/** How many requests an entity remembers. */
const LEDGER_SIZE = 200;

/** A short value that differs when event or parameters do. */
export function fingerprint({
  event,
  params,
  construct,
}: Pick<RaiseRequest, 'event' | 'params' | 'construct'>): string {
  const text = JSON.stringify([event, sorted(params ?? null), ...(construct ? [sorted(construct)] : [])]);
  // FNV-1a in 64 bits: not for secrets, only to tell a repeated request from another one.
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    hash = ((hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return hash.toString(36);
}

/** The order of an object's members is no difference. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

export function remember(ledger: readonly LedgerEntry[], entry: LedgerEntry): readonly LedgerEntry[] {
  return [...ledger, entry].slice(-LEDGER_SIZE);
}

export function recordOutcome(
  ledger: readonly LedgerEntry[],
  { id, opened }: Pick<Engagement, 'id' | 'opened'>,
  outcome: EngagementOutcome,
): readonly LedgerEntry[] {
  return ledger.map((entry) => (entry.id === id ? { ...entry, outcome, ...(opened && { followed: true }) } : entry));
}

/** The whole outcome of a request, when it has ended and no operation had to follow it. */
export function immediateOutcome(ledger: readonly LedgerEntry[], id: string): EngagementOutcome | undefined {
  const entry = ledger.find((each) => each.id === id);
  return entry?.followed ? undefined : entry?.outcome;
}
