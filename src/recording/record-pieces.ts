import type { StoreRecord } from '../protocol/records.js';

/** Of JSON: what is brought or handed on at once. With three bytes for each character, it is well below Temporal's limit. */
const PIECE_CHARACTERS = 256 * 1024;

/** Records in pieces that can be sent; one that is larger than a piece is a piece of its own. */
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
