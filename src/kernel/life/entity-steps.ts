/*
 * The next thing that an entity does by itself.
 *
 * entity-steps.1. However many events wait, only some begin in one workflow task: a task that takes longer than its time limit is begun
 *     again, for ever. A timer ends the task. Events are counted over the whole run, since the core cuts tasks as it likes. L7
 */
import type { Snapshot } from '../../protocol/snapshot.js';
import { nextStep, takeStep, type Pause } from '../turns/next.js';
import type { Author } from '../author/author.js';
import type { LiveEntity } from '../run/live-entity.js';
import type { RunEnd } from '../run/run-end.js';
import type { Steps } from './stepping.js';

/** How many events that have waited begin one after the other. */
const MOST_IN_A_ROW = 50;
/** The shortest timer, in milliseconds. */
const BREATH_MS = 1;

export class EntitySteps implements Steps {
  readonly #live: LiveEntity;
  readonly #author: Author;
  readonly #end: RunEnd;
  /** How many events that have waited have begun since a task was last made to end. */
  #inARow = 0;
  /** The snapshot in which there was nothing to do but wait. */
  paused: Snapshot | undefined;

  constructor(live: LiveEntity, author: Author, end: RunEnd) {
    this.#live = live;
    this.#author = author;
    this.#end = end;
  }

  step(): Pause | undefined | Promise<undefined> {
    const { entity, driver } = this.#live;
    if (this.#end.hasToBegin) this.#end.begin();
    const { snapshot } = this.#live;
    const step = nextStep(entity, snapshot, driver.now(), driver.lookDistance);
    if (step.kind === 'rest' || step.kind === 'closed') {
      this.paused = snapshot;
      return step;
    }
    if (step.kind === 'action') return this.#author.execute();
    if (step.kind === 'event' && ++this.#inARow > (driver.eventsInARow ?? MOST_IN_A_ROW)) return this.#breathe();
    this.#live.apply(takeStep(entity, snapshot, step.kind, driver.now()));
    return undefined;
  }

  /** Lets the task end before the next event begins. entity-steps.1 */
  async #breathe(): Promise<undefined> {
    const live = this.#live;
    this.#inARow = 0;
    live.change((snapshot) => ({ ...snapshot, yielding: true }));
    const summary = `the next of ${live.snapshot.waiting.length} events that wait`;
    await live.outlast(() => live.driver.until(() => false, BREATH_MS, summary));
    live.change(({ yielding: _, ...snapshot }) => snapshot);
    return undefined;
  }
}
