/** Something that is to happen, not before its time. */
export interface Delivery {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Names what is delivered, for people: `report to Room/a`. */
  readonly what: string;
  /** Tells whether it only wakes a workflow, so that nobody else takes part in it. */
  readonly timer?: boolean;
  readonly perform: () => void | Promise<void>;
}

/** All that is to happen: messages, answers, timers. Those that are due may happen in any order. */
export class Deliveries {
  /** In the order in which they were added. */
  #due: Delivery[] = [];
  /** In the order of their times. */
  readonly #later: Delivery[] = [];
  readonly #numbers = new Map<Delivery, number>();
  #added = 0;

  add(delivery: Delivery): void {
    this.#numbers.set(delivery, this.#added++);
    this.#later.splice(this.#placeAfter(delivery.at), 0, delivery);
  }

  remove(delivery: Delivery): void {
    if (!this.#numbers.delete(delivery)) return;
    const place = this.#later.indexOf(delivery, this.#placeAfter(delivery.at - 1));
    if (place >= 0) this.#later.splice(place, 1);
    else this.#due = this.#due.filter((each) => each !== delivery);
  }

  due(now: number): readonly Delivery[] {
    const more = this.#later.splice(0, this.#placeAfter(now));
    if (more.length === 0) return this.#due;
    const number = (delivery: Delivery) => this.#numbers.get(delivery)!;
    this.#due = [...this.#due, ...more].sort((one, other) => number(one) - number(other));
    return this.#due;
  }

  /** When the next one is due; nothing when there is none. */
  nextAt(): number | undefined {
    const [next] = this.#due.length > 0 ? this.#due : this.#later;
    return next?.at;
  }

  all(): readonly Delivery[] {
    return [...this.#due, ...this.#later];
  }

  /** The place in `#later` behind all that are due at this time or before. */
  #placeAfter(at: number): number {
    let [low, high] = [0, this.#later.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#later[middle]!.at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
