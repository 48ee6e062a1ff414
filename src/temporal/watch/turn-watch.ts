/*
 * Tells that a turn of a thread has taken too long.
 *
 * turn-watch.1. What counts is how long the thread has computed in this turn. On a busy machine it computes later, not longer.
 * turn-watch.2. One that waits without computing is found too: it has been looked at too often.
 */

/** Every task has to end within 10 s, or Temporal gives it to another worker. */
const LONGEST_MS = 4_000;
/** How often a turn is seen, at an interval of `LOOK_EVERY_MS`. A process that stands still looks at nothing. */
const MOST_LOOKS = 240;
export const LOOK_EVERY_MS = 250;

export class TurnWatch {
  #turn = 0;
  #beganAt = 0;
  #looks = 0;

  /**
   * Looks at the thread.
   * @param turn which turn it is; 0 for none
   * @param computed how long the thread has computed in its life, in milliseconds
   * @returns whether the turn has taken too long
   */
  look(turn: number, computed: () => number): boolean {
    if (turn === 0 || turn !== this.#turn) {
      this.#turn = turn;
      this.#looks = 0;
      if (turn !== 0) this.#beganAt = computed();
      return false;
    }
    return ++this.#looks >= MOST_LOOKS || computed() - this.#beganAt >= LONGEST_MS;
  }
}
