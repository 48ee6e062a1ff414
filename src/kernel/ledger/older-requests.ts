/*
 * Requests of long ago, as fingerprints of 12 characters each: 8 of the id, 4 of the content. They are kept in blocks, the
 * newest last. A block is a string of sorted fingerprints: it is small as JSON and searched without unpacking, and the oldest
 * block can be dropped as a whole. Each block knows the latest time of its ids.
 */
import { timeOfId } from '../../protocol/request-id.js';
import type { Horizon, LedgerSizes, OlderRequests } from '../../protocol/snapshot.js';
import { idFingerprint } from './fingerprint.js';

/** The length of one fingerprint, and of the part of it that is the id's. */
const WIDTH = 12;
const ID_WIDTH = 8;

/** A request that becomes one of the older ones. */
export interface Aged {
  readonly id: string;
  readonly fingerprint: string;
}

interface Moved {
  readonly blocks: readonly OlderRequests[];
  readonly forgotten: number;
  /** The horizon of all that was forgotten, now and before. */
  readonly horizon: Horizon | undefined;
}

/** Adds requests to the newest block; with too many blocks, the oldest is dropped and its requests are counted. */
export function addOlder(
  blocks: readonly OlderRequests[],
  added: readonly Aged[],
  { block: size, blocks: most }: Pick<LedgerSizes, 'block' | 'blocks'>,
  before: Horizon | undefined,
): Moved {
  const next = [...blocks];
  for (let start = 0; start < added.length;) {
    const last = next.at(-1);
    const open = last && countOf(last) < size ? next.pop() : undefined;
    const room = size - (open ? countOf(open) : 0);
    next.push(withMore(open, added.slice(start, start + room)));
    start += room;
  }
  const gone = next.slice(0, Math.max(0, next.length - most));
  return {
    blocks: next.slice(gone.length),
    forgotten: gone.reduce((sum, block) => sum + countOf(block), 0),
    horizon: gone.reduce(widest, before),
  };
}

/** The fingerprint of the content under which an id (its fingerprint) is known, or `undefined`. */
export function findOlder(blocks: readonly OlderRequests[], id: string): string | undefined {
  for (let index = blocks.length - 1; index >= 0; index--) {
    const found = search(blocks[index]!.fingerprints, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The horizon that covers the ids of both. */
export function widest(one: Horizon | undefined, { time = -Infinity, untimed }: Horizon): Horizon {
  const latest = Math.max(time, one?.time ?? -Infinity);
  return {
    ...(latest > -Infinity && { time: latest }),
    ...((untimed ?? one?.untimed) && { untimed: true }),
  };
}

function withMore(block: OlderRequests | undefined, added: readonly Aged[]): OlderRequests {
  const there = block ? split(block.fingerprints) : [];
  const all = [...there, ...added.map(({ id, fingerprint }) => idFingerprint(id) + fingerprint)];
  const horizon = added.map(({ id }) => horizonOf(id)).reduce<Horizon | undefined>(widest, block);
  return { fingerprints: all.sort().join(''), ...(horizon && widest(undefined, horizon)) };
}

function horizonOf(id: string): Horizon {
  const time = timeOfId(id);
  return time === undefined ? { untimed: true } : { time };
}

function countOf({ fingerprints }: OlderRequests): number {
  return fingerprints.length / WIDTH;
}

function search(block: string, id: string): string | undefined {
  let low = 0;
  let high = block.length / WIDTH;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (block.slice(middle * WIDTH, middle * WIDTH + ID_WIDTH) < id) low = middle + 1;
    else high = middle;
  }
  const at = low * WIDTH;
  return block.startsWith(id, at) ? block.slice(at + ID_WIDTH, at + WIDTH) : undefined;
}

function split(block: string): readonly string[] {
  return Array.from({ length: block.length / WIDTH }, (_, index) => block.slice(index * WIDTH, (index + 1) * WIDTH));
}
