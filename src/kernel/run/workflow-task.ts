/*
 * Keeps a workflow the same, however its history is cut into tasks. The SDK cuts history as it likes: a replay gets other
 * pieces than the run that made it. L7, S4.1a
 *
 * workflow-task.1. Nothing is done ahead of history. On a worker that does not have the run, a read can bring what has happened
 *     since the last task before the task itself. It can also bring a task that another worker has begun and may never finish;
 *     a later task then brings the same once more, with what has come since. Both are refused, and the run is made anew from
 *     its history.
 * workflow-task.2. No task is empty. When a task took something in and asked for nothing, a replay joins it with the next task,
 *     with one time for both. So such a task asks for a mark. It asks for none while an inline call is under way: that leaves
 *     an event of its own when it is answered, and a replay brings the answer sooner than the run did.
 * workflow-task.3. Time never lags behind a timer that has ended, in this run or the one before it, whatever the clock says.
 *     It stands still in a task that brings nothing but updates, until one of them is accepted: a refused one is in no history.
 * workflow-task.4. A read that comes with a task waits for the answers to its inline calls. An answer to the read would
 *     complete the task at once, when the answers to the calls are recorded and the code does not have them yet. A replay would
 *     give them to the code one task too soon, and the answer of an update that depends on them would be lost for ever.
 */

/** The place in a history that the code has reached. */
export interface HistoryPlace {
  /** The time of the latest task, as the SDK tells it. */
  readonly time: string;
  /** Events that have been handed over. */
  readonly events: number;
  /** The size of the history at the latest task. */
  readonly bytes: number;
}

/** Lets in only what belongs to a task. */
export class TaskGate {
  #place: HistoryPlace | undefined;
  /** Tasks that were done here since the latest one that was done elsewhere. */
  #done = 0;
  /** Tells whether a read has seen that what was done here is in history. */
  #sure = false;
  #took = false;
  #answered = false;
  /** Inline calls that are under way. */
  #inline = 0;

  /** Tells whether something comes before the task to which it belongs: then it must not be let in. workflow-task.1 */
  isAhead(place: HistoryPlace): boolean {
    const before = this.#place;
    // A task that begins has a new time and size. Both are compared, since only one of them changes when the service's clock
    // was set back.
    return (
      before !== undefined && place.events > before.events && place.time === before.time && place.bytes === before.bytes
    );
  }

  /**
   * Notes that something comes in. `took`: it leaves a trace in history. `replayed`: it was done before, here or elsewhere.
   * `answers`: how many answers to inline calls come.
   */
  enter(
    place: HistoryPlace,
    came: { readonly took: boolean; readonly answers: number; readonly replayed: boolean },
  ): void {
    if (came.replayed) {
      this.#done = 0;
      this.#sure = false;
    } else if (place.events !== this.#place?.events) {
      this.#done++;
      // Anything that was seen of the tasks before says nothing of this one.
      if (this.#done === 1) this.#sure = false;
    }
    this.#place = place;
    this.#took ||= came.took;
    this.#answered ||= came.answers > 0;
    this.#inline -= came.answers;
  }

  /**
   * Tells whether a read that comes by itself may have brought the latest task with it: only that task was done here, and the read
   * shows nothing that a finished task leaves in history. `events` is how many have been handed over with the read.
   * workflow-task.1
   *
   * Such a read is also refused once where the task was really done here, after the run was taken over from another worker: the
   * two cases look the same.
   */
  mayBeUnfinished(events: number): boolean {
    const unsure = !this.#sure && this.#done === 1 && events === this.#place?.events;
    if (!unsure) this.#sure = true;
    return unsure;
  }

  /** Tells whether a read that came with the task may be answered now. Otherwise the service asks again after the task. workflow-task.4 */
  get mayBeRead(): boolean {
    return this.#inline === 0;
  }

  /**
   * Tells whether the task has to ask for a mark. `asked`: the code asks for something by itself. `inline`: how many inline calls it
   * asks for. workflow-task.2
   */
  leave(asked: boolean, inline: number): boolean {
    this.#inline += inline;
    if (this.#inline > 0) return false;
    const marks = this.#took && !this.#answered && !asked;
    this.#took = false;
    this.#answered = false;
    return marks;
  }
}

/**
 * Holds what the service says with the latest task, such as its time: as far as a replay is told it, too. In a task that brings nothing but
 * updates, that is what came with the task before, until one of them is accepted. workflow-task.3
 */
export class LatestTask<Info> {
  #present: Info;
  #known: Info;
  #judges = false;

  constructor(before: Info) {
    this.#present = before;
    this.#known = before;
  }

  /** A task comes. `inHistory`: it brings something that is in history for certain. */
  enter(info: Info, inHistory: boolean): void {
    this.#present = info;
    if (inHistory) this.accept();
  }

  /** The present task is in history: an update was accepted, or something else came. */
  accept(): void {
    this.#known = this.#present;
  }

  /** Lets an update be judged by the present task. It is judged once, and a replay has only those that were accepted. */
  judge<Verdict>(judge: () => Verdict): Verdict {
    this.#judges = true;
    try {
      return judge();
    } finally {
      this.#judges = false;
    }
  }

  /** Gives what the run itself goes by. */
  get known(): Info {
    return this.#known;
  }

  /** The same; for whoever judges an update, what came with the present task. */
  get seen(): Info {
    return this.#judges ? this.#present : this.#known;
  }

  /** Tells whether an update is being judged. */
  get judges(): boolean {
    return this.#judges;
  }
}

/** Milliseconds since 1970. workflow-task.3 */
export class Clock {
  readonly #read: () => number;
  #reached = 0;
  /** How many waits have ended. */
  #ended = 0;
  #moment = 0;

  constructor(read: () => number) {
    this.#read = read;
  }

  now(): number {
    return Math.max(this.#read(), this.#reached);
  }

  /** Something comes in from outside. */
  enter(): void {
    this.#moment++;
  }

  /** How often something has come in: each time, all that could go on by itself has done so. */
  get moment(): number {
    return this.#moment;
  }

  /** Makes the time at least this. */
  reach(time: number): void {
    this.#reached = Math.max(this.#reached, time);
  }

  /**
   * Waits until the predicate holds (true), or the time is over (false). In the latter case the clock has reached that time.
   */
  async until(
    wait: (predicate: () => boolean, timeoutMs?: number) => Promise<boolean>,
    predicate: () => boolean,
    timeoutMs?: number,
  ): Promise<boolean> {
    if (timeoutMs !== undefined && timeoutMs <= 0) return predicate();
    const due = this.now() + (timeoutMs ?? 0);
    const met = await wait(predicate, timeoutMs);
    this.#ended++;
    if (!met) this.reach(due);
    return met;
  }

  /**
   * Waits until all that can go on by itself has done so: every promise has been followed, and no other wait has ended
   * meanwhile. It needs no timer, which would last a second on a small service.
   */
  async quiet(wait: (predicate: () => boolean) => Promise<boolean>): Promise<void> {
    let ended: number;
    do {
      ended = this.#ended;
      // Anything that has ended together with the first wait is counted before the second one ends.
      await promisesFollowed(wait);
      await promisesFollowed(wait);
    } while (ended !== this.#ended);
  }
}

/** A predicate is looked at again only when no promise is left to follow. */
async function promisesFollowed(wait: (predicate: () => boolean) => Promise<boolean>): Promise<void> {
  let followed = false;
  void Promise.resolve().then(() => (followed = true));
  await wait(() => followed);
}
