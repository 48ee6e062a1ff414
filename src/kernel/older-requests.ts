/*
 * Requests of long ago, as fingerprints of 12 characters each: 8 of the id, 4 of the content. They lie in blocks, the
 * newest last, each a string of sorted fingerprints: small as JSON, searched without unpacking, and the oldest block
 * can go as a whole.
 */

/** The characters of one fingerprint, and those of them that are the id's. */
const WIDTH = 12;
const ID_WIDTH = 8;
/** Fingerprints in a block, and blocks: 16,000 requests in 192,000 characters. */
const BLOCK = 1_000;
const BLOCKS = 16;

/** Adds fingerprints to the newest block; with too many blocks, the oldest goes and is counted. */
export function addOlder(
  blocks: readonly string[],
  added: readonly string[],
): { readonly blocks: readonly string[]; readonly forgotten: number } {
  const full = blocks.filter((block) => block.length >= BLOCK * WIDTH);
  const open = blocks.slice(full.length).flatMap(split);
  const all = [...open, ...added];
  const next = [...full];
  for (let at = 0; at < all.length; at += BLOCK) {
    next.push(
      all
        .slice(at, at + BLOCK)
        .sort()
        .join(''),
    );
  }
  const gone = next.slice(0, Math.max(0, next.length - BLOCKS));
  return { blocks: next.slice(gone.length), forgotten: gone.length * BLOCK };
}

/** The fingerprint of the content under which an id (its fingerprint) is known, or `undefined`. */
export function findOlder(blocks: readonly string[], id: string): string | undefined {
  for (let index = blocks.length - 1; index >= 0; index--) {
    const found = search(blocks[index]!, id);
    if (found !== undefined) return found;
  }
  return undefined;
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
