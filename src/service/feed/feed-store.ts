import {
  readChanges,
  readFeed,
  readListeners,
  type ChangesQuestion,
  type ChangesRead,
  type FeedState,
  type Listener,
  type Store,
  type StoreViews,
} from '../../store/index.js';
import { readStore } from '../lists/store-problem.js';

/** All that the service asks of the feed. A6 */
export interface FeedStore {
  /** Where it begins and ends now. @throws ProblemError 503 */
  state(): Promise<FeedState>;
  /** Reads on in it. @throws ProblemError 503 */
  changes(question: ChangesQuestion): Promise<ChangesRead>;
  /** Notes how far somebody has read it. L4 @throws StoreAway */
  note(listener: Listener): Promise<void>;
  /** Those who read it. L4 @throws ProblemError 503 */
  listeners(): Promise<readonly StoreViews['feed_listeners'][]>;
}

/** The remedy where a read takes too long, though it never reads much. */
const LATER = 'Ask again later.';

export function feedStore({ reader, writer }: Pick<Store, 'reader' | 'writer'>): FeedStore {
  return {
    state: () => readStore(LATER, () => readFeed(reader)),
    changes: (question) => readStore(LATER, () => readChanges(reader, question)),
    note: (listener) => writer.noteListener(listener),
    listeners: () => readStore(LATER, () => readListeners(reader)),
  };
}
