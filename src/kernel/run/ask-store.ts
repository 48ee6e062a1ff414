import type { RaiseRequest } from '../../protocol/request.js';
import type { EntityRef } from '../../protocol/names.js';
import type { PastRequest } from '../../protocol/past-request.js';
import type { Ledger } from '../../protocol/snapshot.js';
import { isDoubtful, mustBeTold, noteLives } from '../ledger/ledger.js';
import type { EntityDriver } from './driver.js';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
export const ASK_AGAIN = 'ask the store about requests again';

/** The store's answer about a request, and what the entity knows from that. */
export interface Told {
  readonly ledger: Ledger;
  readonly past?: PastRequest;
}

/**
 * Gives what the store says of a request on an entity that does not live. Where the key had an earlier life, it waits for the answer
 * however long that takes.
 */
export async function askUntilTold(
  driver: EntityDriver,
  of: EntityRef,
  ledger: Ledger,
  request: RaiseRequest,
): Promise<Told> {
  return (await askUnless(() => false, driver, of, ledger, request))!;
}

/** The same, but it asks no further once `enough` holds: then there may be no answer. */
export async function askUnless(
  enough: () => boolean,
  driver: EntityDriver,
  of: EntityRef,
  ledger: Ledger,
  request: RaiseRequest,
): Promise<Told | undefined> {
  if (!isDoubtful(ledger, request)) return { ledger };
  for (let failures = 1; ; failures++) {
    const { life } = driver.identity;
    const told = await driver.records.recall({ type: of.type, key: of.key, life }, [request.id], failures > 1);
    const [past] = told?.requests ?? [];
    if (told) return { ledger: noteLives(ledger, told.earlierLives), ...(past && { past }) };
    if (!mustBeTold(ledger, request)) return { ledger };
    if (enough() || (await driver.until(enough, retryAfter(failures), ASK_AGAIN))) return undefined;
  }
}

export function retryAfter(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
