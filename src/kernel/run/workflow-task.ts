/*
 * What keeps a workflow the same whichever way its history is cut into tasks. The service's SDK hands history over as it likes:
 * a replay gets other pieces than the run that made it. L7, S4.1a
 *
 * workflow-task.1. Nothing is done ahead of history. A read on a worker that has not got the run can bring what has happened
 *     since the last task before the task itself, and also a task that another worker has begun and may never finish: then a
 *     later task brings the same once more, with what has come since. Both are refused, and the run is made anew from its
 *     history.
 * workflow-task.2. No task is empty. Of a task that took something in and asked for nothing, and the next one, a replay makes
 *     one, with one time. So such a task asks for a mark. Not so while an inline call is under way: that leaves an event of its
 *     own when it has been answered, and a replay brings the answer sooner than the run that made it.
 * workflow-task.3. Time never lags behind a timer that has ended, in this run or the one before it, whatever the clock says.
 * workflow-task.4. A read that comes with a task waits for the answers to its inline calls. With an answer to it the task would
 *     be completed at once, the answers to the calls recorded and not yet told: a replay would tell them one task too soon, and
 *     what an update answers by them would be lost for ever.
 */

/** Where in a history the code stands. */
export interface HistoryPlace {
  /** The time of the latest task, as it is told. */
  readonly time: string;
  /** Events that have been handed over. */
  readonly events: number;
  /** The size of the history at the latest task. */
  readonly bytes: number;
}

/** Lets in what belongs to tasks. */
export class TaskGate {
  #place: HistoryPlace | undefined;
  /** Tasks that were done here since the latest one that was done elsewhere. */
  #done = 0;
  /** A read has seen that what was done here is in history. */
  #sure = false;
  #took = false;
  #answered = false;
  /** Inline calls that are under way. */
  #inline = 0;

  /** Whether something comes before the task that it belongs to: then it must not be let in. workflow-task.1 */
  isAhead(place: HistoryPlace): boolean {
    const before = this.#place;
    // A task that begins tells its time and size; a clock of the service that was set back changes only one of them.
    return (
      before !== undefined && place.events > before.events && place.time === before.time && place.bytes === before.bytes
    );
  }

  /**
   * Something comes in: `took`, unless it leaves no trace in history, and so many answers to inline calls; `replayed` when it was
   * done before, here or elsewhere.
   */
  enter(
    place: HistoryPlace,
    came: { readonly took: boolean; readonly answers: number; readonly replayed: boolean },
  ): void {
    if (came.replayed) {
      this.#done = 0;
      this.#sure = false;
    } else if (place.events !== this.#place?.events) this.#done++;
    this.#place = place;
    this.#took ||= came.took;
    this.#answered ||= came.answers > 0;
    this.#inline -= came.answers;
  }

  /**
   * Whether a read that comes by itself may have brought the latest task with it: nothing was done here but that task, and the read
   * has nothing of what a finished task leaves in history. `events` is how many have been handed over with the read. workflow-task.1
   *
   * It is refused once after another worker has taken the run over, also where the task was really done here: the two cannot be
   * told apart.
   */
  mayBeUnfinished(events: number): boolean {
    const unsure = !this.#sure && this.#done === 1 && events === this.#place?.events;
    if (!unsure) this.#sure = true;
    return unsure;
  }

  /** Whether a read that came with the task may be answered now. Otherwise the service asks again after the task. workflow-task.4 */
  get mayBeRead(): boolean {
    return this.#inline === 0;
  }

  /** Whether a mark has to be asked for; `asked` when the code asks for something by itself, and for so many inline calls. workflow-task.2 */
  leave(asked: boolean, inline: number): boolean {
    this.#inline += inline;
    if (this.#inline > 0) return false;
    const marks = this.#took && !this.#answered && !asked;
    this.#took = false;
    this.#answered = false;
    return marks;
  }
}

/** Milliseconds since 1970. workflow-task.3 */
export class Clock {
  readonly #read: () => number;
  #reached = 0;

  constructor(read: () => number) {
    this.#read = read;
  }

  now(): number {
    return Math.max(this.#read(), this.#reached);
  }

  /** It is at least this time from now on. */
  reach(time: number): void {
    this.#reached = Math.max(this.#reached, time);
  }

  /** Waits until the predicate holds (true), or the time is over (false): then it is at least the time that was waited for. */
  async until(
    wait: (predicate: () => boolean, timeoutMs?: number) => Promise<boolean>,
    predicate: () => boolean,
    timeoutMs?: number,
  ): Promise<boolean> {
    if (timeoutMs === undefined) return wait(predicate);
    if (timeoutMs <= 0) return predicate();
    const due = this.now() + timeoutMs;
    const met = await wait(predicate, timeoutMs);
    if (!met) this.reach(due);
    return met;
  }
}
