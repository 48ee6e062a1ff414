import type { StoreRecord } from '../protocol/records.js';

/** How much is brought or handed on at once, in characters of JSON. With three bytes each, it is well below Temporal's limit. */
const PIECE_CHARACTERS = 256 * 1024;

/** Cuts records into pieces that can be sent. A record that is larger than a piece is a piece of its own. */
export function inPieces(records: readonly StoreRecord[]): readonly (readonly StoreRecord[])[] {
  const pieces: StoreRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const size = JSON.stringify(record).length;
    if (pieces.length === 0 || size > room) {
      pieces.push([]);
      room = PIECE_CHARACTERS;
    }
    pieces.at(-1)!.push(record);
    room -= size;
  }
  return pieces;
}
