const MULTIPLIER = 0x5deece66dn;
const MASK = (1n << 48n) - 1n;

/** The numbers of `java.util.Random`: the same seed gives the same numbers as in Java. */
export class JavaRandom {
  #seed: bigint;

  /** @param seed a whole number */
  constructor(seed: number) {
    this.#seed = (BigInt(seed) ^ MULTIPLIER) & MASK;
  }

  /** A number from 0 up to, and without, the bound. */
  nextInt(bound: number): number {
    let bits = this.#next();
    if ((bound & -bound) === bound) return Number((BigInt(bound) * BigInt(bits)) >> 31n);
    let value = bits % bound;
    // Numbers at the upper end would make the lower ones more frequent: Java finds them by an overflow.
    while (bits - value + (bound - 1) > 0x7fffffff) {
      bits = this.#next();
      value = bits % bound;
    }
    return value;
  }

  #next(): number {
    this.#seed = (this.#seed * MULTIPLIER + 0xbn) & MASK;
    return Number(this.#seed >> 17n);
  }
}
