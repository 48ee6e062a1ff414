/*
 * One series of steps at a time. S2.4
 *
 * stepping.1. A caller that asks for steps while others are taken waits for these.
 * stepping.2. Nothing that a step throws is lost: the code that runs the entity throws it.
 * stepping.3. Who waits for the steps can be called away in the middle of an action.
 */
import type { Pause } from '../turns/next.js';
import type { LiveEntity } from '../run/live-entity.js';

/** The code that takes the steps. */
export interface Steps {
  /** Takes the next step, or says that there is nothing to do but wait. */
  step(): Pause | undefined | Promise<undefined>;
}

/** Takes steps until there is nothing to do but wait. */
export class Stepping {
  readonly #live: LiveEntity;
  readonly #steps: Steps;
  #advancing = false;
  /** The end of the series of steps that was begun last. */
  #pause!: Promise<Pause>;

  constructor(live: LiveEntity, steps: Steps) {
    this.#live = live;
    this.#steps = steps;
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
    this.#live.throwFailure();
    return pause;
  }

  #paused(): Promise<Pause | undefined> {
    return new Promise((resolve) => {
      this.#live.onCallAway(() => resolve(undefined));
      void this.#pause.then(resolve);
    });
  }

  /** Tells whether steps are under way that wait for nothing that outlasts the present task. */
  get passing(): boolean {
    return this.#live.passes && (this.#advancing || this.#live.snapshot.running !== undefined);
  }

  async #takeSteps(): Promise<Pause> {
    this.#advancing = true;
    try {
      for (;;) {
        const taken = this.#steps.step();
        const pause = taken instanceof Promise ? await taken : taken;
        if (pause) return pause;
      }
    } catch (thrown) {
      this.#live.fail(thrown);
      return { kind: 'rest' };
    } finally {
      this.#advancing = false;
      this.#live.wakePassers();
    }
  }
}
