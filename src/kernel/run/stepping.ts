/*
 * One series of steps at a time. S2.4
 *
 * stepping.1. Whoever asks for steps while some are taken waits for the same.
 * stepping.2. Nothing that a step throws is lost: whoever runs the entity throws it.
 */
import type { Pause } from '../turns/next.js';

/** Whoever takes the steps. */
interface SteppingHost {
  /** Whether an action has been started. */
  running(): boolean;
  /** Takes the next step, or tells that there is nothing to do but wait. */
  step(): Pause | undefined | Promise<undefined>;
}

/** Takes steps until there is nothing to do but wait. */
export class Stepping {
  readonly #host: SteppingHost;
  #advancing = false;
  /** To what the steps come that were begun last. */
  #pause!: Promise<Pause>;
  /** Calls and waits of the running action that outlast the task at hand. */
  #blocked = 0;
  /** Go on when nothing is passing any more. */
  #passers: (() => void)[] = [];
  #failure: { readonly thrown: unknown } | undefined;

  constructor(host: SteppingHost) {
    this.#host = host;
  }

  /** Something has been thrown that no decision can throw. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
  }

  /** Takes steps, unless that is under way. Never throws. */
  begin(): void {
    if (!this.#advancing) this.#pause = this.#takeSteps();
  }

  /** Until there is nothing to do but wait. @throws what a step has thrown */
  async advance(): Promise<Pause> {
    let pause: Pause;
    do {
      this.begin();
      pause = await this.#pause;
    } while (this.#advancing);
    if (this.#failure) throw this.#failure.thrown;
    return pause;
  }

  /** Waits for something that outlasts the task at hand. */
  async outlast<T>(wait: () => Promise<T>): Promise<T> {
    this.#blocked++;
    this.#wakePassers();
    try {
      return await wait();
    } finally {
      this.#blocked--;
    }
  }

  /** Something is done that has not yet come to anything which outlasts the task at hand. */
  get passing(): boolean {
    return this.#blocked === 0 && (this.#advancing || this.#host.running());
  }

  /** Until that may have changed. */
  passed(): Promise<void> {
    return new Promise((passed) => this.#passers.push(passed));
  }

  async #takeSteps(): Promise<Pause> {
    this.#advancing = true;
    try {
      for (;;) {
        const taken = this.#host.step();
        const pause = taken instanceof Promise ? await taken : taken;
        if (pause) return pause;
      }
    } catch (thrown) {
      this.fail(thrown);
      return { kind: 'rest' };
    } finally {
      this.#advancing = false;
      this.#wakePassers();
    }
  }

  #wakePassers(): void {
    const passers = this.#passers;
    this.#passers = [];
    for (const passed of passers) passed();
  }
}
