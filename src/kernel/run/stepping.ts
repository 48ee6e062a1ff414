/*
 * One series of steps at a time. S2.4
 *
 * stepping.1. A caller that asks for steps while others are taken waits for these.
 * stepping.2. Nothing that a step throws is lost: the code that runs the entity throws it.
 * stepping.3. Who waits for the steps can be called away in the middle of an action.
 */
import type { Pause } from '../turns/next.js';

/** The code that takes the steps. */
interface SteppingHost {
  /** Tells whether an action has been started. */
  running(): boolean;
  /** Takes the next step, or says that there is nothing to do but wait. */
  step(): Pause | undefined | Promise<undefined>;
}

/** Takes steps until there is nothing to do but wait. */
export class Stepping {
  readonly #host: SteppingHost;
  #advancing = false;
  /** The end of the series of steps that was begun last. */
  #pause!: Promise<Pause>;
  /** How many calls and waits of the running action outlast the present task. */
  #blocked = 0;
  /** Those that go on when nothing is passing any more. */
  #passers: (() => void)[] = [];
  #failure: { readonly thrown: unknown } | undefined;
  #callAway: () => void = () => undefined;

  constructor(host: SteppingHost) {
    this.#host = host;
  }

  /** Tells whether an error was thrown that no decision can throw. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
  }

  /** Begins to take steps, unless some are taken already. Never throws. */
  begin(): void {
    if (!this.#advancing) this.#pause = this.#takeSteps();
  }

  /** Waits until there is nothing to do but wait; nothing, when it was called away. @throws what a step has thrown */
  async advance(): Promise<Pause | undefined> {
    let pause: Pause | undefined;
    do {
      this.begin();
      pause = await this.#paused();
    } while (pause && this.#advancing);
    if (this.#failure) throw this.#failure.thrown;
    return pause;
  }

  /** Ends the present `advance`, though an action goes on. stepping.3 */
  callAway(): void {
    this.#callAway();
  }

  #paused(): Promise<Pause | undefined> {
    return new Promise((resolve) => {
      this.#callAway = () => resolve(undefined);
      void this.#pause.then(resolve);
    });
  }

  /** Waits for something that outlasts the present task. */
  async outlast<T>(wait: () => Promise<T>): Promise<T> {
    this.#blocked++;
    this.#wakePassers();
    try {
      return await wait();
    } finally {
      this.#blocked--;
    }
  }

  /** Tells whether steps are under way that wait for nothing that outlasts the present task. */
  get passing(): boolean {
    return this.#blocked === 0 && (this.#advancing || this.#host.running());
  }

  /** Waits until `passing` may have changed. */
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
