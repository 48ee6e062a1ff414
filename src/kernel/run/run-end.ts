/*
 * When a run ends, though the entity goes on.
 *
 * run-end.1. A run that has become long ends whatever comes: after the running action, nothing begins in it and nothing is sent any
 *     more. It ends when what is under way has ended. The next run takes over what has come and what is to be sent.
 */
import { schemaVersionOf } from '../../protocol/snapshot.js';
import { openOperations } from '../engagements/open.js';
import { migrationHindrance } from '../migration/hindrance.js';
import { unmatchedSubscriptions } from '../rules/due-subscription.js';
import { isGone } from '../rules/step.js';
import type { LiveEntity } from './live-entity.js';
import type { Questions } from './questions.js';
import type { Rest } from './rest.js';

export class RunEnd {
  readonly #live: LiveEntity;
  readonly #rest: Rest;
  readonly #questions: Questions;

  constructor(live: LiveEntity, rest: Rest, questions: Questions) {
    this.#live = live;
    this.#rest = rest;
    this.#questions = questions;
  }

  /** Tells whether the entity should go on in a new run, and nothing is under way that keeps this one from ending. */
  get isPossible(): boolean {
    const { outbox, records, driver } = this.#live;
    const idle = outbox.empty && records.idle && this.#questions.idle;
    return idle && (this.#rest.over || this.#isDue) && driver.mayEndRun();
  }

  /** Tells whether the run has become long and no batch of events has yet to be decided in it. */
  get hasToBegin(): boolean {
    const live = this.#live;
    return this.isNear && !live.snapshot.rollingOver && live.undecided === 0 && live.outbox.mayBeKept;
  }

  /**
   * Tells whether new events have to wait for the next run: what waits goes along into it, and has to stay small. A deleted entity
   * ends in this run.
   */
  get isNear(): boolean {
    const { entity, snapshot } = this.#live;
    if (snapshot.rollingOver) return true;
    if (snapshot.running || !this.#isDue) return false;
    return !isGone(entity, snapshot);
  }

  /** From now on nothing begins in this run. run-end.1 */
  begin(): void {
    const live = this.#live;
    // From now on callers do not wait here for the outcome of their events.
    live.apply(openOperations(live.entity, live.snapshot));
    const leaving = { since: live.now(), unmatched: unmatchedSubscriptions(live.entity, live.snapshot) };
    live.change((snapshot) => ({ ...snapshot, rollingOver: true, leaving }));
    live.outbox.keep();
  }

  /** Tells whether the run has become long, or is one of an older schema, which the next run can leave behind. Q2 */
  get #isDue(): boolean {
    const { entity, snapshot, driver } = this.#live;
    const isBehind = schemaVersionOf(snapshot) < entity.schema && migrationHindrance(snapshot) === undefined;
    return isBehind || driver.runIsLong();
  }
}
