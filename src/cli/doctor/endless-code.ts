import { entityId } from '../../protocol/names.js';
import { readEndlessCode, type Store } from '../../store/index.js';
import { problem, type Finding } from './finding.js';

/** How many entities are shown; more examples of the same mistake would not help. */
const MOST_SHOWN = 5;

/** The entities whose code has ended a worker's thread; nothing where there are none. */
export async function findEndlessCode(store: Store): Promise<readonly Finding[]> {
  return (await readEndlessCode(store, MOST_SHOWN)).map(({ type, key, message }) => {
    const entity = entityId({ type, key });
    return problem(
      'code of actions',
      `${entity}: ${message}`,
      `Then run: reeve retry ${entity}, or raise another event on it.`,
    );
  });
}
