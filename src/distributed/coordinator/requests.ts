/*
 * The requests that have started something on a target: the same id again gives the first answer, and with other content it is refused. S2.5
 *
 * requests.1. Each instance was started by one request, and instances of a type are numbered in order. So the fingerprints of their
 *     requests in that order are all that is kept: 12 characters each, 8 of the id and 4 of the content.
 * requests.2. The store knows those that are forgotten here.
 * requests.3. The last 10,000 are known, which takes less than 128 KB. Past that, the oldest of the type that has most are forgotten.
 */
import { fingerprint, shortFingerprint } from '../../protocol/fingerprint.js';
import { sorted } from '../../protocol/sorted.js';
import type { StartedRequests, StartRequest } from './coordinator.js';

const ID_WIDTH = 8;
const WIDTH = 12;
/** How many requests are known, of all types, and how many are forgotten at once. */
const MOST = 10_000;
const GROUP = 500;
/** In place of a request where an instance has none, as its number was taken. No fingerprint has dots. */
const NONE = '.'.repeat(WIDTH);

type ByType = Readonly<Record<string, StartedRequests>>;

/** The fingerprint of what a request starts. The order of an object's members does not matter. */
export function contentOf({ type, argument, partitions, atOnce }: Omit<StartRequest, 'request'>): string {
  return shortFingerprint(JSON.stringify([type, sorted(argument ?? null), partitions ?? null, atOnce ?? null]));
}

/** Finds the instance that a request has started, and tells whether that had the same content; nothing for a new request. */
export function recallRequest(
  requests: ByType,
  wanted: StartRequest,
): { readonly instance: number; readonly same: boolean } | undefined {
  const id = fingerprint(wanted.request);
  for (const { first, fingerprints } of Object.values(requests))
    for (let at = fingerprints.indexOf(id); at >= 0; at = fingerprints.indexOf(id, at + 1)) {
      if (at % WIDTH !== 0) continue;
      const same = fingerprints.slice(at + ID_WIDTH, at + WIDTH) === contentOf(wanted);
      return { instance: first + at / WIDTH, same };
    }
  return undefined;
}

/** Says whether a request may have been forgotten, so that the store has to be asked. requests.2 */
export function mayHaveForgotten(requests: ByType): boolean {
  return Object.values(requests).some(({ first }) => first > 1);
}

/** The instance that a request has started, whatever its content; nothing where it is not known here. */
export function startedBy(
  requests: ByType,
  request: string,
): { readonly type: string; readonly instance: number } | undefined {
  const id = fingerprint(request);
  for (const [type, { first, fingerprints }] of Object.entries(requests))
    for (let at = fingerprints.indexOf(id); at >= 0; at = fingerprints.indexOf(id, at + 1))
      if (at % WIDTH === 0) return { type, instance: first + at / WIDTH };
  return undefined;
}

/** Remembers the request that has started an instance, the last one of its type. */
export function rememberRequest(requests: ByType, wanted: StartRequest, instance: number): ByType {
  return append(requests, wanted.type, instance, fingerprint(wanted.request) + contentOf(wanted));
}

/** The instance that a request has started has another number, which is now the last one of its type. */
export function renumberRequest(requests: ByType, type: string, before: number, after: number): ByType {
  const known = requests[type];
  if (!known || before < known.first) return requests;
  const at = (before - known.first) * WIDTH;
  const { fingerprints } = known;
  const left = fingerprints.slice(0, at) + NONE + fingerprints.slice(at + WIDTH);
  const moved = { ...requests, [type]: { ...known, fingerprints: left } };
  return append(moved, type, after, fingerprints.slice(at, at + WIDTH));
}

function append(requests: ByType, type: string, instance: number, request: string): ByType {
  const { first, fingerprints } = requests[type] ?? { first: instance, fingerprints: '' };
  const missing = instance - first - fingerprints.length / WIDTH;
  const last = { first, fingerprints: fingerprints + NONE.repeat(missing) + request };
  return bounded({ ...requests, [type]: last });
}

/** requests.3 */
function bounded(requests: ByType): ByType {
  const all = Object.entries(requests);
  const count = all.reduce((sum, [, { fingerprints }]) => sum + fingerprints.length / WIDTH, 0);
  if (count <= MOST) return requests;
  const [type, longest] = all.reduce((one, other) =>
    other[1].fingerprints.length > one[1].fingerprints.length ? other : one,
  );
  const fingerprints = longest.fingerprints.slice(GROUP * WIDTH);
  return { ...requests, [type]: { first: longest.first + GROUP, fingerprints } };
}
