import type { EngagementOutcome } from './outcome.js';
import type { EventRecord } from './records.js';
import type { LedgerEntry } from './snapshot.js';

/** A request that was accepted, as the store knows it. S2.5 */
export interface PastRequest extends LedgerEntry {
  readonly life: string;
  readonly outcome: EngagementOutcome;
  /** Milliseconds since 1970. A request that was cut off has the time of its start as its end, since nobody knows better. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** All that the store says of the requests about which an entity has asked it. */
export interface Recollection {
  /** The requests that it knows; the others have never been accepted. */
  readonly requests: readonly PastRequest[];
  /** Tells whether the key has had other lives than this one. */
  readonly earlierLives: boolean;
}

/** The answer where there is no store. */
export const NOTHING_KNOWN: Recollection = { requests: [], earlierLives: false };

/** The request of an event, from its record; nothing when nobody can repeat the request, or the event was rejected. */
export function pastRequest(record: EventRecord): PastRequest | undefined {
  const { id, event, fingerprint, operation, entity, startState, startVersion, endState, endHealth } = record;
  const { startedAt, endedAt = startedAt } = record;
  if (fingerprint === undefined) return undefined;
  const outcome: EngagementOutcome =
    endState === undefined
      ? endedWithoutWord(startState, startVersion)
      : {
          state: endState,
          version: record.endVersion ?? startVersion,
          health: endHealth ?? 'normal',
          waiting: false,
          ...record.endDetails,
        };
  return {
    ...{ id, event, fingerprint, operation, outcome, startedAt, endedAt, life: entity.life },
    ...(!record.ends && { followed: true }),
  };
}

/**
 * The outcome of a request of which the store knows no end. Its own life would remember it, so another life asks, and the
 * earlier life was ended by hand.
 */
export function endedWithoutWord(state: string, version: number): EngagementOutcome {
  return { state, version, health: 'error', waiting: false, lost: true };
}
