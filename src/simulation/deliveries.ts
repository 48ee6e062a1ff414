/** Something that is to happen, not before its time. */
export interface Delivery {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** For people: `report to Room/a`. */
  readonly what: string;
  /** A workflow wants to be woken: nobody else has a part in it. */
  readonly timer?: boolean;
  readonly perform: () => void | Promise<void>;
}

/** What is to happen: messages, answers, timers. Those that are due may happen in any order. */
export class Deliveries {
  #pending: Delivery[] = [];

  add(delivery: Delivery): void {
    this.#pending.push(delivery);
  }

  remove(delivery: Delivery): void {
    this.#pending = this.#pending.filter((each) => each !== delivery);
  }

  due(now: number): readonly Delivery[] {
    return this.#pending.filter(({ at }) => at <= now);
  }

  /** When the next one is due; none: nothing is to happen. */
  nextAt(): number | undefined {
    if (this.#pending.length === 0) return undefined;
    return this.#pending.reduce((earliest, { at }) => Math.min(earliest, at), Infinity);
  }

  all(): readonly Delivery[] {
    return this.#pending;
  }
}
