/** More marks than this are thinned out. */
const MOST_MARKS = 64;

/**
 * How fast something goes, from looks at it. It starts slower than it goes on, since workers and databases are cold: so the rate is that
 * of the second half of its time, as soon as somebody has looked before that.
 */
export class Pace {
  #marks: { readonly ms: number; readonly done: number }[] = [{ ms: 0, done: 0 }];

  /** Notes how much is done, from 0 to 1, after so many milliseconds of work. Gives how much is done in a millisecond. */
  note(ms: number, done: number): number {
    const half = this.#marks.findLast((mark) => mark.ms <= ms / 2);
    this.#marks.push({ ms, done });
    if (this.#marks.length > MOST_MARKS) this.#marks = this.#marks.filter((_, index) => index % 2 === 0);
    const recent = half ? (done - half.done) / (ms - half.ms) : 0;
    // Work that is taken away from where it was done counts no longer.
    return recent > 0 ? recent : done / ms;
  }
}
