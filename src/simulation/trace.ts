/** Records what happened, in readable lines: virtual time since the start, who, what. */
export class Trace {
  readonly #startedAt: number;
  readonly #entries: { readonly at: number; readonly who: string; readonly what: () => string }[] = [];

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** The words are put together only when someone reads them. Snapshots and histories that they name would be kept until then. */
  add(at: number, who: string, what: () => string): void {
    this.#entries.push({ at, who, what });
  }

  lines(last = Infinity): readonly string[] {
    const from = Math.max(0, this.#entries.length - last);
    return this.#entries
      .slice(from)
      .map(({ at, who, what }) => `${clock(at - this.#startedAt)}  ${who.padEnd(24)}  ${what()}`);
  }
}

function clock(milliseconds: number): string {
  const seconds = (milliseconds / 1_000).toFixed(3);
  return `${seconds.padStart(12)} s`;
}
