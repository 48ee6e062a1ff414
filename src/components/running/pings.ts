import type { Kinds } from '../tree/kind.js';
import type { Tree } from '../tree/tree.js';

/** Tells whether anything in the tree answers pings, so that they tell something. W-5 */
export function answersPings(kinds: Kinds, { components, descriptions }: Tree): boolean {
  return Object.values(components).some(({ phase, description }) => {
    if (phase === 'ended') return false;
    const kind = kinds.get(descriptions[description]!.kind);
    return kind?.ping !== undefined || kind?.handlers?.has('ping') === true;
  });
}
