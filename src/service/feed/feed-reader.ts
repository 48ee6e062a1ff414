import { readPosition, writePosition, type ChangesQuestion, type FeedState } from '../../store/index.js';
import type { Changes } from '../../protocol/change.js';
import { ProblemError } from '../problem.js';
import type { FeedStore } from './feed-store.js';
import { representChange } from './represent-change.js';

export type Asked = Pick<ChangesQuestion, 'types' | 'kinds' | 'tenant'>;

/** Reads the feed on from a position, for one listener. A6 */
export class FeedReader {
  readonly #store: FeedStore;
  readonly #asked: Asked;
  readonly #name: string;
  #number: number;

  private constructor(store: FeedStore, asked: Asked, name: string, number: number) {
    this.#store = store;
    this.#asked = asked;
    this.#name = name;
    this.#number = number;
  }

  /**
   * @param after a position, or `now`, whose form the route has checked; without it, the feed is read from its beginning
   * @throws ProblemError 410 for one that the feed does not reach any more, 503
   */
  static async open(store: FeedStore, asked: Asked & { readonly after: string | undefined }): Promise<FeedReader> {
    const feed = await store.state();
    return new FeedReader(store, asked, feed.store, numberIn(feed, asked.after));
  }

  /** The last change that was read, or skipped. */
  get number(): number {
    return this.#number;
  }

  get position(): string {
    return writePosition({ store: this.#name, number: this.#number });
  }

  /** @throws ProblemError 410 where the feed does not reach so far back any more, 503 */
  async read(most: number): Promise<Changes> {
    const after = this.#number;
    const { changes, upTo } = await this.#store.changes({ ...this.#asked, after, most });
    // Looked at afterwards: what was deleted meanwhile would be missing without a word.
    const feed = await this.#store.state();
    if (feed.store !== this.#name || feed.trimmed > after) throw gone(feed);
    this.#number = upTo;
    const items = changes.map((change) => representChange(this.#name, change));
    return { items, position: this.position, more: feed.position > upTo };
  }
}

function numberIn(feed: FeedState, after: string | undefined): number {
  if (after === undefined) return feed.trimmed;
  if (after === 'now') return feed.position;
  const { store, number } = readPosition(after)!;
  if (store !== feed.store || number < feed.trimmed || number > feed.position) throw gone(feed);
  return number;
}

function gone({ store, trimmed }: FeedState): ProblemError {
  const begin = writePosition({ store, number: trimmed });
  return new ProblemError(
    'position_gone',
    `The feed no longer has this position: later changes were deleted, or the store was restored. ` +
      `Read the entities that you need, and continue after ${begin}, where the feed begins now.`,
    { begin },
  );
}
