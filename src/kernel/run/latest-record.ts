/*
 * The record of the entity that the store was told last. A6
 */
import type { AnyEntity } from '../../definition/entity.js';
import { toldWaits, type EntityRecord, type ToldWaits } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { awaitedCallbacks } from '../callbacks/awaited-callbacks.js';
import { entityRecord } from '../explain/entity-record.js';
import { recordedWaits } from '../explain/recorded-waits.js';
import { stuckEntity } from '../explain/stuck.js';
import { isSettled } from '../rules/standing.js';

export class LatestRecord {
  readonly #entity: AnyEntity;
  #snapshot: Snapshot | undefined;
  /** The time of the record, as the store was told it, in milliseconds since 1970. */
  #at = 0;
  #waits: ToldWaits | undefined;
  /** The waits of the entity as JSON text. */
  #waitsText = '';

  /** @param known the snapshot that the store knows when the run begins */
  constructor(entity: AnyEntity, known: Snapshot | undefined) {
    this.#entity = entity;
    this.#snapshot = known;
    if (known) this.#waitsText = JSON.stringify(recordedWaits(entity, known));
  }

  /** Its waits; nothing where none was told in this run. */
  get waits(): ToldWaits | undefined {
    return this.#waits;
  }

  /** The record of a snapshot, where the store has to be told again. */
  next(snapshot: Snapshot, now: number): EntityRecord | undefined {
    const entity = this.#entity;
    const waits = JSON.stringify(recordedWaits(entity, snapshot));
    if (this.#snapshot && waits === this.#waitsText && !differs(entity, this.#snapshot, snapshot)) return undefined;
    this.#snapshot = snapshot;
    this.#waitsText = waits;
    // A record that is told later in the same task is newer.
    this.#at = Math.max(now, this.#at + 1);
    const record = entityRecord(entity, snapshot, this.#at);
    this.#waits = toldWaits(record);
    return record;
  }
}

/** Tells whether the store has to be told of the entity again. */
function differs(entity: AnyEntity, before: Snapshot, after: Snapshot): boolean {
  return (
    before.version !== after.version ||
    isSettled(entity, before) !== isSettled(entity, after) ||
    before.operation?.id !== after.operation?.id ||
    before.operation?.open !== after.operation?.open ||
    stuckEntity(entity, before)?.since !== stuckEntity(entity, after)?.since ||
    awaitsOtherwise(before, after)
  );
}

/** Tells whether other answers from outside are awaited, or for another time. */
function awaitsOtherwise(before: Snapshot, after: Snapshot): boolean {
  const [one, other] = [awaitedCallbacks(before), awaitedCallbacks(after)];
  return one.length !== other.length || one.some(({ id, until }, n) => id !== other[n]?.id || until !== other[n].until);
}
