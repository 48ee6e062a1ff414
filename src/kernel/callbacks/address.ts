/*
 * Addresses by which events are raised from outside. A2
 *
 * address.1. An address opens when the action that has made it ends well. What comes to it before that waits, also between attempts.
 * address.2. Leaving the state that was entered then, or entering it anew, closes it. An event that stays leaves it open.
 * address.3. The end of one action says nothing of addresses that another one has made: between two attempts of the automatic action,
 *     events run actions of their own.
 */
import type { CallbackRound, EventAddress } from '../../protocol/callback.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** The address of this id: the one that an earlier attempt has made, or a new one. */
export function makeAddress(
  snapshot: Snapshot,
  { id, event, withinMs }: { readonly id: string; readonly event: string; readonly withinMs: number },
  now: number,
): { readonly snapshot: Snapshot; readonly made: CallbackRound } {
  const { addresses = [], running } = snapshot;
  const known = addresses.find((each) => each.id === id);
  if (known) return { snapshot, made: known };
  const made: EventAddress = {
    id,
    event,
    madeAt: now,
    until: now + withinMs,
    open: false,
    ...(running && { by: running.action }),
  };
  return { snapshot: { ...snapshot, addresses: [...addresses, made] }, made };
}

/** The addresses of the state that an action enters when it ends. `well`: whether what it has done takes effect. address.2 */
export function openedAddresses(snapshot: Snapshot, well: boolean): Pick<Snapshot, 'addresses'> {
  const { addresses = [] } = snapshot;
  const made = addresses.filter((each) => well && isPending(snapshot, each));
  return made.length > 0 ? { addresses: made.map(opened) } : {};
}

/** The addresses after the end of an action that stays in the state. */
export function keptAddresses(snapshot: Snapshot, well: boolean): Pick<Snapshot, 'addresses'> {
  const { addresses = [] } = snapshot;
  const kept = addresses.flatMap((each) => (!isPending(snapshot, each) ? each : well ? opened(each) : []));
  return kept.length > 0 ? { addresses: kept } : {};
}

/** Says whether the running action has made the address, in this attempt or in an earlier one. address.3 */
function isPending({ running }: Snapshot, { open, by }: EventAddress): boolean {
  return !open && (by === undefined || by === running?.action);
}

function opened(address: EventAddress): EventAddress {
  return { ...address, open: true };
}
