/*
 * Addresses by which events are raised from outside. A2
 *
 * address.1. An address opens when the action that has made it ends well. What comes to it before that waits, also between attempts.
 * address.2. Leaving the state that was entered then, or entering it anew, closes it. An event that stays leaves it open.
 */
import type { CallbackRound, EventAddress } from '../../protocol/callback.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** The address of this id: the one that an earlier attempt has made, or a new one. */
export function makeAddress(
  snapshot: Snapshot,
  { id, event, withinMs }: { readonly id: string; readonly event: string; readonly withinMs: number },
  now: number,
): { readonly snapshot: Snapshot; readonly made: CallbackRound } {
  const { addresses = [] } = snapshot;
  const known = addresses.find((each) => each.id === id);
  if (known) return { snapshot, made: known };
  const made: EventAddress = { id, event, madeAt: now, until: now + withinMs, open: false };
  return { snapshot: { ...snapshot, addresses: [...addresses, made] }, made };
}

/** The addresses of the state that an action enters when it ends. `well`: whether what it has done takes effect. address.2 */
export function openedAddresses({ addresses = [] }: Snapshot, well: boolean): Pick<Snapshot, 'addresses'> {
  const opened = well ? addresses.filter(({ open }) => !open).map((each) => ({ ...each, open: true })) : [];
  return opened.length > 0 ? { addresses: opened } : {};
}

/** The addresses after the end of an action of an event that stays in the state. */
export function keptAddresses({ addresses = [] }: Snapshot, well: boolean): Pick<Snapshot, 'addresses'> {
  const kept = well ? addresses.map((each) => ({ ...each, open: true })) : addresses.filter(({ open }) => open);
  return kept.length > 0 ? { addresses: kept } : {};
}
