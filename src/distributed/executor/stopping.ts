import type { StopSignal } from '../declaration/implementation.js';

/** Thrown into a job that has to stop. It says nothing about the job: its progress is kept as the type says. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';

  constructor() {
    super('The job has to stop here. Let this error pass.');
  }
}

/** Tells those who listen, once, that something has to stop. */
export class Stopping implements StopSignal {
  stopped = false;
  readonly #listeners: (() => void)[] = [];

  onStop(listener: () => void): void {
    if (this.stopped) listener();
    else this.#listeners.push(listener);
  }

  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
