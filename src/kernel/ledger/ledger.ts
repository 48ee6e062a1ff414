/*
 * The requests that an entity remembers: the same id again gives the first outcome and runs nothing. S2.5
 *
 * ledger.1. Accepted requests are remembered, and none is forgotten before it has ended. Rejected requests are remembered only
 *     when they come from other entities or operations, and only while they are among the latest: their messages may come
 *     twice, and an action that runs again must not get a request accepted whose id was rejected before. S2.2
 * ledger.2. The latest requests keep their outcome. Older ones are only fingerprints: they are known, but their outcome is in
 *     the store.
 * ledger.3. The ledger has a budget of 192 KB of JSON; past it, the oldest are forgotten and counted. The store knows them.
 * ledger.4. The horizon is the latest time among the forgotten ids, as the ids themselves say it. So an id that is not
 *     remembered and is later than the horizon is new, whatever the clocks of the clients said. An id is in doubt until the
 *     store has been asked when it is not later, or when it carries no time and such ids were forgotten.
 * ledger.5. A life without the ledger of the life before it may get requests that the earlier life has had. Until the store has
 *     said that the key had no earlier life, all ids that can be older than this life are in doubt.
 */
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { PastRequest } from '../../protocol/past-request.js';
import { timeOfId } from '../../protocol/request-id.js';
import type { Engagement, Ledger, LedgerEntry, LedgerSizes, Snapshot } from '../../protocol/snapshot.js';
import { hasContent, idFingerprint, requestFingerprint } from './fingerprint.js';
import { addOlder, findOlder, widest } from './older-requests.js';

/**
 * How many requests keep their outcome, at most, and how many older ones are fingerprints (16,000). They become fingerprints in
 * groups, which is cheaper than one by one.
 */
const SIZES: LedgerSizes = { recent: 64, group: 32, block: 1_000, blocks: 16 };
/** The largest JSON of the requests that keep their outcome, since errors can be long. */
const RECENT_CHARACTERS = 24_000;

export const EMPTY_LEDGER: Ledger = { recent: [], older: [], forgotten: 0 };

/** Clocks differ by less than this. A day is also the least for which Temporal keeps how a life has ended. */
const CLOCKS_MS = 86_400_000;

/**
 * The ledger of a life that inherits none. `again`: the key is known to have had an earlier life, which left no ledger.
 * ledger.5
 */
export function firstLedger(bornAt: number, sizes: LedgerSizes | undefined, again = false): Ledger {
  const ledger: Ledger = { ...EMPTY_LEDGER, unasked: bornAt - CLOCKS_MS, ...(sizes && { sizes }) };
  return again ? noteLives(ledger, true) : ledger;
}

type Repeatable = Pick<RaiseRequest, 'id' | 'event' | 'params' | 'construct' | 'formerly'>;

/** All that is known of a request. */
interface Recalled {
  /** It came with the same event and parameters. */
  readonly same: boolean;
  /** Missing when only its fingerprint is left and the store has not been asked. */
  readonly entry?: LedgerEntry;
}

/** Tells whether only the store can say whether a request is new (ledger.4, ledger.5), or how it ended (ledger.2). */
export function isDoubtful(ledger: Ledger, request: Repeatable): boolean {
  if (placeOf(ledger, request.id) >= 0) return false;
  const known = older(ledger, request.id);
  return known === undefined ? mayHaveBeen(ledger, request.id) : hasContent(request, known);
}

/**
 * Tells whether a doubtful request has to wait for the store even while that is away. Where no earlier life is known, it need not:
 * the store could only know of a life that ended longer ago than Temporal remembers. S5.2
 */
export function mustBeTold(ledger: Ledger, request: Repeatable): boolean {
  const { unasked: _, ...known } = ledger;
  return isDoubtful(known, request);
}

function mayHaveBeen({ horizon, unasked }: Ledger, id: string): boolean {
  if (!horizon && unasked === undefined) return false;
  const time = timeOfId(id);
  if (time === undefined) return horizon?.untimed === true || unasked !== undefined;
  return time <= (horizon?.time ?? -Infinity) || time < (unasked ?? -Infinity);
}

/** Notes what the store has said: if the key had earlier lives, their ids count as forgotten. ledger.5 */
export function noteLives({ unasked, ...ledger }: Ledger, earlier: boolean): Ledger {
  if (unasked === undefined || !earlier) return ledger;
  return { ...ledger, horizon: widest(ledger.horizon, { time: unasked, untimed: true }) };
}

/** Tells whether a request id is remembered, with whatever content. */
export function isKnown(ledger: Ledger, id: string): boolean {
  return placeOf(ledger, id) >= 0 || older(ledger, id) !== undefined;
}

/** Gives what the ledger knows of a request, or else what the store has answered. */
export function recall(ledger: Ledger, request: Repeatable, past?: PastRequest): Recalled | undefined {
  const entry = ledger.recent[placeOf(ledger, request.id)] ?? past;
  const known = entry?.fingerprint ?? older(ledger, request.id);
  if (known === undefined) return undefined;
  return { same: hasContent(request, known), ...(entry && { entry }) };
}

/**
 * The place of a request among those that keep their outcome, or -1. The search begins with the newest, since each event looks
 * several times.
 */
function placeOf({ recent }: Ledger, id: string): number {
  let place = recent.length - 1;
  while (place >= 0 && recent[place]!.id !== id) place--;
  return place;
}

function older({ older: blocks }: Ledger, id: string): string | undefined {
  return blocks.length === 0 ? undefined : findOlder(blocks, idFingerprint(id));
}

/** Remembers a request that has been accepted, or waits to be. */
export function remember(ledger: Ledger, request: RaiseRequest): Ledger {
  if (placeOf(ledger, request.id) >= 0) return ledger;
  const { id, event, operation = id } = request;
  const entry: LedgerEntry = { id, event, fingerprint: requestFingerprint(request), operation };
  return { ...ledger, recent: [...ledger.recent, entry] };
}

/** The fingerprint of a request that has not ended. */
export function fingerprintOf(ledger: Ledger, id: string): string | undefined {
  return ledger.recent[placeOf(ledger, id)]?.fingerprint;
}

/** Remembers a rejected request of another entity. ledger.1 */
export function rememberRejected(ledger: Ledger, request: RaiseRequest, outcome: EngagementOutcome): Ledger {
  return recordOutcome(remember(ledger, request), { id: request.id, opened: false }, outcome);
}

/** Forgets a request that had waited and was rejected. */
export function forget(ledger: Ledger, request: string): Ledger {
  return { ...ledger, recent: ledger.recent.filter(({ id }) => id !== request) };
}

export function recordOutcome(
  ledger: Ledger,
  { id, opened }: Pick<Engagement, 'id' | 'opened'>,
  outcome: EngagementOutcome,
): Ledger {
  const place = placeOf(ledger, id);
  const recent = [...ledger.recent];
  if (place >= 0) recent[place] = ended(recent[place]!, outcome, opened);
  return condense({ ...ledger, recent }, outcome.error !== undefined || outcome.rejection !== undefined);
}

/**
 * Copies field by field. With a spread and an added field, V8 in Node 20 gives each copy a hidden class of its own, which makes
 * the search through all entries slow, and each event searches.
 */
function ended(
  { id, event, fingerprint, operation, followed, life }: LedgerEntry,
  outcome: EngagementOutcome,
  opened: boolean,
): LedgerEntry {
  return {
    ...{ id, event, fingerprint, operation, outcome },
    ...((opened || followed) && { followed: true }),
    ...(life !== undefined && { life }),
  };
}

/** The whole outcome of a request, when it has ended and no operation had to follow it. */
export function immediateOutcome(ledger: Ledger, id: string): EngagementOutcome | undefined {
  const entry = ledger.recent[placeOf(ledger, id)];
  return entry?.followed ? undefined : entry?.outcome;
}

/** The ledger with which the next life of the key begins. S1.3 */
export function inheritLedger({ ledger, life }: Pick<Snapshot, 'ledger' | 'life'>): Ledger {
  return { ...ledger, recent: ledger.recent.map((entry) => ({ life, ...entry })) };
}

/** Turns the oldest requests that have ended into fingerprints, once there are too many or they are too large. */
function condense(ledger: Ledger, long: boolean): Ledger {
  const { sizes = SIZES } = ledger;
  const most = sizes.recent + sizes.group;
  if (ledger.recent.length <= most && !long) return ledger;
  const ended = ledger.recent.filter(({ outcome }) => outcome !== undefined);
  if (ended.length <= most && !long) return ledger;
  let characters = JSON.stringify(ended).length;
  let count = ended.length;
  const older = new Set<LedgerEntry>();
  for (const entry of ended.slice(0, -1)) {
    if (count <= sizes.recent && characters <= RECENT_CHARACTERS) break;
    older.add(entry);
    count--;
    characters -= JSON.stringify(entry).length;
  }
  if (older.size === 0) return ledger;
  const accepted = [...older].filter(({ outcome }) => !outcome?.rejection);
  const { blocks, forgotten, horizon } = addOlder(ledger.older, accepted, sizes, ledger.horizon);
  return {
    ...ledger,
    recent: ledger.recent.filter((entry) => !older.has(entry)),
    older: blocks,
    forgotten: ledger.forgotten + forgotten,
    ...(horizon && { horizon }),
  };
}
