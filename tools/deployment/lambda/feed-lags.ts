import type { Change } from '../../../src/protocol/change.js';

/** Half of the transitions have to be in the feed within so much time, in milliseconds: an entity at rest brings them after 30 s. A6 */
const HALF_WITHIN_MS = 5_000;

/** How long transitions take to the feed, and whether all come. */
export class FeedLags {
  readonly #lags: number[] = [];
  readonly #versions = new Map<string, Set<number>>();

  hear(change: Change): void {
    if (change.kind !== 'transition') return;
    const of = `${change.entity_type}/${change.entity_key} ${change.life}`;
    const versions = this.#versions.get(of) ?? new Set();
    this.#versions.set(of, versions.add(change.version));
    if (change.transition_time) this.#lags.push(Date.parse(change.time) - Date.parse(change.transition_time));
  }

  /** The versions that are left out, each as `Site/home LIFE version`. */
  missing(): readonly string[] {
    return [...this.#versions].flatMap(([of, versions]) =>
      Array.from({ length: Math.max(...versions) }, (_, index) => index + 1)
        .filter((version) => !versions.has(version))
        .map((version) => `${of} ${version}`),
    );
  }

  problems(): readonly string[] {
    const half = this.#quantile(0.5);
    if (half === undefined) return ['the feed has told nothing'];
    return half > HALF_WITHIN_MS ? [`half of the transitions came to the feed after ${half} ms only`] : [];
  }

  describe(): string {
    const [half, most] = [0.5, 0.95].map((part) => ((this.#quantile(part) ?? 0) / 1_000).toFixed(1));
    return `feed: ${this.#lags.length} transitions, half of them within ${half} s, 95 % within ${most} s`;
  }

  #quantile(part: number): number | undefined {
    return this.#lags.toSorted((one, other) => one - other)[Math.floor((this.#lags.length - 1) * part)];
  }
}
