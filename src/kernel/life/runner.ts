/*
 * How one entity runs: the loop around the pure decisions.
 *
 * runner.1. The entity is shown, and recorded in the store, only when there is nothing to do but wait.
 */
import type { AnyImplementation } from '../../definition/actions.js';
import type { Answer } from '../../protocol/answer.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { CarriedRecords } from '../../recording/record-outbox.js';
import { LOOK_DISTANCE } from '../rules/look-distance.js';
import type { Step } from '../rules/step.js';
import { keepTicks, undecidedTicks } from '../triggers/calendar.js';
import { summariseWait } from '../turns/wait-summary.js';
import { Author } from '../author/author.js';
import type { EntityDriver } from '../run/driver.js';
import { EntitySteps } from './entity-steps.js';
import { Following } from '../run/following.js';
import { Hearing } from './hearing.js';
import { LiveEntity } from '../run/live-entity.js';
import { Questions } from '../run/questions.js';
import { Reception } from './reception.js';
import { Rest } from '../run/rest.js';
import { RunEnd } from '../run/run-end.js';
import { Stepping } from './stepping.js';

export class EntityRunner {
  readonly live: LiveEntity;
  /** Takes in what others say. */
  readonly hearing: Hearing;
  /** Takes in events for whose answers callers wait. */
  readonly reception: Reception;
  readonly #rest: Rest;
  readonly #end: RunEnd;
  readonly #author: Author;
  readonly #steps: EntitySteps;
  readonly #stepping: Stepping;

  constructor(
    implementation: AnyImplementation,
    driver: EntityDriver,
    start: Step,
    takesOver: boolean,
    carried?: CarriedRecords,
  ) {
    const live = new LiveEntity(implementation.entity, driver, start, carried);
    const questions = new Questions(live);
    const following = new Following(live);
    this.live = live;
    this.#rest = new Rest(live, takesOver);
    this.#end = new RunEnd(live, this.#rest, questions);
    this.#author = new Author(implementation, live, following, this.#end);
    this.#steps = new EntitySteps(live, this.#author, this.#end);
    this.#stepping = new Stepping(live, this.#steps);
    this.reception = new Reception(live, this.#stepping, following, questions);
    this.hearing = new Hearing(live, questions, this.reception, this.#author.asking);
    live.begin(this.hearing);
    this.hearing.begin();
  }

  /** Tells whether new events have to wait for the next run. */
  get closing(): boolean {
    return this.#end.isNear;
  }

  raise(requests: readonly RaiseRequest[]): Promise<readonly Answer[]> {
    this.live.note();
    return this.reception.raise(requests);
  }

  /** Runs until the entity is deleted, or should go on in a new run with its snapshot. */
  async run(): Promise<'closed' | 'rollover'> {
    const { live } = this;
    const { handOver } = this.#author;
    const { restAfterMs } = live.driver;
    if (restAfterMs !== undefined) this.#rest.watch(restAfterMs).catch((thrown) => live.fail(thrown));
    for (;;) {
      live.outbox.throwFailure();
      handOver.noteReturn();
      const pause = await this.#stepping.advance();
      if (!pause) {
        if (!handOver.isPossible) continue;
        if (live.records.due) await live.records.keep();
        else {
          handOver.take();
          return 'rollover';
        }
        continue;
      }
      const seen = this.#steps.paused;
      // Something has come since, and there may be more to do.
      if (!seen || live.snapshot !== seen) continue;
      if (pause.kind === 'closed') {
        if (await this.#close()) return 'closed';
        continue;
      }
      if (await this.#decideTicks()) continue;
      live.show();
      if (!this.#end.isPossible) {
        await this.#wait(seen, pause.until);
        continue;
      }
      if (this.#rest.over) live.records.rest();
      if (live.records.due) await live.records.keep();
      else {
        live.leave();
        return 'rollover';
      }
    }
  }

  /** Ends the run of a deleted entity. Returns whether nothing is left to do. */
  async #close(): Promise<boolean> {
    const { live } = this;
    if (live.snapshot.withdrawals) {
      await this.hearing.endWithdrawals();
      return false;
    }
    await live.driver.until(() => live.outbox.empty);
    // Those that have asked to reserve it meanwhile still get an answer.
    if (live.snapshot.reservers.length > 0) return false;
    await live.driver.until(() => live.snapshot.doubted === undefined && live.outbox.empty);
    live.outbox.throwFailure();
    live.show();
    return true;
  }

  /** Waits until something has come since, or is due. */
  async #wait(seen: Snapshot, due = Infinity): Promise<void> {
    const { live } = this;
    const end = this.#end;
    this.#rest.pause(!live.snapshot.running);
    const until = Math.min(due, live.records.retryAt ?? Infinity);
    const isTimed = Number.isFinite(until);
    const somethingToDo = () =>
      live.snapshot !== seen || live.failed || live.records.news || end.isPossible || end.hasToBegin;
    await live.driver.until(
      somethingToDo,
      isTimed ? until - live.now() : undefined,
      isTimed ? this.#summariseWait(until) : undefined,
    );
    this.#rest.pause(false);
    if (live.records.retryAt !== undefined && live.records.due) await live.records.keep();
  }

  /** Lets the next ticks of timers by calendar be decided. Returns whether there were any to decide. */
  async #decideTicks(): Promise<boolean> {
    const { live } = this;
    if (live.snapshot.rollingOver) return false;
    const undecided = undecidedTicks(live.entity, live.snapshot, live.now());
    if (undecided.length === 0) return false;
    const ticks = await live.driver.nextTicks(undecided.map(({ question }) => question));
    live.change((snapshot) => keepTicks(snapshot, undecided, ticks));
    return true;
  }

  #summariseWait(until: number): string {
    const { entity, snapshot, driver } = this.live;
    const summary = summariseWait(entity, snapshot, until, driver.lookDistance ?? LOOK_DISTANCE);
    return summary ?? 'bring records to the store again';
  }
}
