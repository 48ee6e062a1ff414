/*
 * How one entity runs: the loop around the pure decisions.
 *
 * K1. Only this class changes the snapshot, each time by one decision; its effects go to the outbox in the same moment.
 * K2. Actions run one at a time, and only here. S2.4
 * K3. An answer is held back only for what ends within the task at hand, and for as long as its only caller asks for.
 * K5. What calls resources and nothing else needs no operation with a workflow of its own for as long, or for a moment.
 * K4. Events that come together cost one look at the world around them: each is carried out as soon as it is admitted, and
 *     what is shown and told to the store waits for the last of them.
 */
import type { RaiseOutcome } from '../definition/action-context.js';
import type { AnyImplementation } from '../definition/actions.js';
import type { Call } from '../definition/resource.js';
import { GivenUp, toErrorRecord, WaitRefused } from '../protocol/errors.js';
import type { Answer, EngagementOutcome, EntityMessage, RaiseRequest, Rejection } from '../protocol/messages.js';
import { entityId, LOSE_EVENT, type EntityRef } from '../protocol/names.js';
import type { ReservedEntity, SeenEntity } from '../protocol/reading.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { RecordOutbox, type CarriedRecords } from '../recording/record-outbox.js';
import { ActionScope, type ActionHost } from './action-scope.js';
import { admit } from './admit.js';
import { Awaiting, type ReservationTerms } from './awaiting.js';
import { abort as abortAction, commit, fail } from './commit.js';
import { decideRaised } from './decide.js';
import type { EntityDriver } from './driver.js';
import { hear } from './hear.js';
import { inKeyOrder, releaseReservations } from './holding.js';
import { immediateOutcome, recall } from './ledger.js';
import { lookAfterSuccessors } from './look.js';
import { refuseLoss } from './loss.js';
import { nextStep, takeStep, type Pause } from './next.js';
import { isUnopened, openOperations, unopenedUntil } from './open.js';
import { Outbox, type Message } from './outbox.js';
import { refusePermission } from './permission.js';
import { mayRestart, postpone } from './postpone.js';
import { entityRecord } from './records.js';
import type { RaiseIntent } from './raise.js';
import type { Effect, Step } from './step.js';
import { undelivered } from './undelivered.js';

export class EntityRunner implements ActionHost {
  readonly #implementation: AnyImplementation;
  readonly #driver: EntityDriver;
  readonly #outbox: Outbox;
  readonly #records: RecordOutbox;
  #snapshot: Snapshot;
  /** The snapshot that was told to the store last. */
  #recorded: Snapshot | undefined;
  /** Calls and waits of the running action that outlast the task at hand. */
  #blocked = 0;
  readonly #awaiting: Awaiting;
  /** Aborts the running action. */
  #abort: (() => void) | undefined;
  /** Steps are being taken. */
  #advancing = false;
  /** To what the steps come that were begun last. */
  #pause!: Promise<Pause>;
  /** Operations are opened in a moment. */
  #opensLater = false;
  /** Go on when nothing is passing any more. */
  #passers: (() => void)[] = [];
  /** What no decision can throw. */
  #failure: { readonly thrown: unknown } | undefined;

  constructor(implementation: AnyImplementation, driver: EntityDriver, start: Step, carried?: CarriedRecords) {
    this.#implementation = implementation;
    this.#driver = driver;
    this.#snapshot = start.snapshot;
    this.#awaiting = new Awaiting(driver, {
      snapshot: () => this.#snapshot,
      apply: (step) => this.#apply(step),
      look: () => this.#apply(lookAfterSuccessors(this.#entity, this.#snapshot, this.now())),
      outlasting: (wait) => this.#outlasting(wait),
    });
    this.#outbox = new Outbox(driver, {
      undeliverable: (effect) => {
        this.#awaiting.undeliverable(effect);
        this.#apply(undelivered(this.#entity, this.#snapshot, effect.to, effect.message, this.now()));
      },
      reported: (report) => {
        // What the event had set off has been over since then, too.
        this.#awaiting.settled(report.ended, report.outcome);
        this.receiveMessage(report);
      },
    });
    this.#records = new RecordOutbox(driver.records, () => driver.now(), carried);
    // What a run goes on with, the store has been told.
    if (start.effects.length === 0) this.#recorded = start.snapshot;
    this.#carryOut(start.effects);
  }

  get #entity() {
    return this.#implementation.entity;
  }

  snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Nothing is under way that others have yet to hear of. */
  get idle(): boolean {
    return this.#outbox.empty;
  }

  /** What the store has yet to be told, for the next run. */
  get carried(): CarriedRecords | undefined {
    return this.#records.carried();
  }

  /** Before the workflow ends. */
  async leave(): Promise<void> {
    await this.#records.leave();
  }

  now(): number {
    return this.#driver.now();
  }

  /** Runs until the entity is deleted, or should go on in a new run with its snapshot. */
  async run(): Promise<'closed' | 'rollover'> {
    for (;;) {
      this.#outbox.throwFailure();
      let pause = await this.#advance();
      while (this.#advancing) pause = await this.#advance();
      if (this.#failure) throw this.#failure.thrown;
      if (pause.kind === 'closed') {
        await this.#driver.until(() => this.#outbox.empty);
        // Who has asked for it meanwhile is still answered.
        if (this.#snapshot.reservers.length > 0) continue;
        this.#outbox.throwFailure();
        this.#show();
        return 'closed';
      }
      if (this.#mayRollOver) {
        if (!this.#records.due) return 'rollover';
        await this.#records.keep();
        continue;
      }
      const seen = this.#snapshot;
      this.#show();
      const until = Math.min(pause.until ?? Infinity, this.#records.retryAt ?? Infinity);
      await this.#driver.until(
        () => this.#snapshot !== seen || this.#failure !== undefined || this.#records.news || this.#mayRollOver,
        Number.isFinite(until) ? until - this.now() : undefined,
      );
      if (this.#records.retryAt !== undefined && this.#records.due) await this.#records.keep();
    }
  }

  /** The answers, when every event of the batch would be rejected now: then nothing needs to be recorded. */
  rejectAll(requests: readonly RaiseRequest[]): readonly Answer[] | undefined {
    const answers: Answer[] = [];
    for (const request of requests) {
      const rejection = this.#refuse(request);
      if (!rejection) return undefined;
      answers.push({ status: 'rejected', rejection });
    }
    return answers;
  }

  /** Why an event would be rejected at once, whatever came before it. */
  #refuse(request: RaiseRequest): Rejection | undefined {
    const snapshot = this.#snapshot;
    const forbidden = refusePermission(this.#entity, snapshot, request);
    if (forbidden) return forbidden;
    if (snapshot.running ?? snapshot.reservation ?? snapshot.postponed) return undefined;
    const rejection = this.#rejection(request);
    return rejection && !recall(snapshot.ledger, request) ? rejection : undefined;
  }

  #rejection(request: RaiseRequest): Rejection | undefined {
    if (request.event === LOSE_EVENT) return refuseLoss(this.#snapshot, request);
    const decision = decideRaised(this.#entity, this.#snapshot, request);
    return decision.accepted ? undefined : decision.rejection;
  }

  /** Decides events in order, each in the state that the one before it left. S4.6 */
  async raise(requests: readonly RaiseRequest[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const request of requests.length === 1 ? requests : requests.map(unheld)) {
      // An action that ends within the task at hand is over before anyone could see that an event waited for it.
      while (this.#passing) await this.#passed();
      const { answer, ...step } = admit(this.#entity, this.#snapshot, request, this.now());
      this.#apply(step);
      if (answer.status !== 'accepted' || answer.outcome) {
        answers.push(answer);
        continue;
      }
      void this.#advance();
      while (this.#passing) await this.#passed();
      if (request.holdMs !== undefined) await this.#followed(request.id);
      const outcome = immediateOutcome(this.#snapshot.ledger, request.id);
      const unfollowed = isUnopened(this.#snapshot, request.id);
      answers.push({ ...answer, ...(outcome && { outcome }), ...(unfollowed && { unfollowed }) });
    }
    return answers;
  }

  /** Whether the entity can tell the outcome of an event, now or in a moment. */
  tells(event: string): boolean {
    return isUnopened(this.#snapshot, event) || immediateOutcome(this.#snapshot.ledger, event) !== undefined;
  }

  /** The outcome of an event; nothing when an operation follows it. */
  async outcome(event: string): Promise<EngagementOutcome | undefined> {
    await this.#followed(event);
    return immediateOutcome(this.#snapshot.ledger, event);
  }

  /** The answer to one event for which nobody waits. */
  admit(request: RaiseRequest): Answer {
    const { answer, ...step } = admit(this.#entity, this.#snapshot, request, this.now());
    this.#apply(step);
    return answer;
  }

  /** An event that came as a plain signal: one that is not accepted is recorded and dropped. */
  receiveSignal(signal: string, params: unknown): void {
    const answer = this.admit({ id: this.#driver.uuid(), event: signal, ...(params !== undefined && { params }) });
    if (answer.status === 'rejected') this.drop(signal, answer.rejection.message);
  }

  receiveMessage(message: EntityMessage): void {
    this.#awaiting.hear(message);
    this.#apply(hear(this.#entity, this.#snapshot, message, this.now()));
  }

  drop(signal: string, reason: string): void {
    this.#driver.warn(`dropped the signal '${signal}'`, { entity: entityId(this.#snapshot), reason });
    this.#apply({ snapshot: { ...this.#snapshot, dropped: { signal, reason, at: this.now() } }, effects: [] });
  }

  async call(call: Call, input: unknown, idempotencyKey: string): Promise<unknown> {
    const made = () => this.#driver.call(call, input, idempotencyKey);
    const { output, restarts } = await (call.shape.inline ? made() : this.#calling(made));
    if (restarts > 0) this.#apply(countRestarts(this.#snapshot, restarts));
    return output;
  }

  raiseAndWait(intent: RaiseIntent, withinMs: number): Promise<RaiseOutcome> {
    return this.#awaiting.raise(intent, withinMs);
  }

  read(of: EntityRef, withinMs: number): Promise<SeenEntity | undefined> {
    return this.#awaiting.read(of, withinMs);
  }

  /** One after the other, in key order, so that no two entities wait for each other's reservations. S3.6 */
  async reserve(
    targets: readonly EntityRef[],
    terms: ReservationTerms,
  ): Promise<readonly (ReservedEntity | undefined)[]> {
    const end = this.now() + terms.withinMs;
    const views = new Map<string, ReservedEntity | undefined>();
    for (const to of inKeyOrder(this.#snapshot, targets, this.now())) {
      views.set(entityId(to), await this.#awaiting.reserve(to, { ...terms, withinMs: end - this.now() }));
    }
    return targets.map((target) => views.get(entityId(target)));
  }

  get #mayRollOver(): boolean {
    return this.#outbox.empty && this.#records.idle && this.#driver.shouldRollOver();
  }

  /** Something is done that has not yet come to anything which outlasts the task at hand. */
  get #passing(): boolean {
    return this.#blocked === 0 && (this.#advancing || this.#snapshot.running !== undefined);
  }

  #passed(): Promise<void> {
    return new Promise((passed) => this.#passers.push(passed));
  }

  #wakePassers(): void {
    const passers = this.#passers;
    this.#passers = [];
    for (const passed of passers) passed();
  }

  /** Takes steps until there is nothing to do but wait. Never throws: what fails is in `#failure`. */
  #advance(): Promise<Pause> {
    if (!this.#advancing) this.#pause = this.#takeSteps();
    return this.#pause;
  }

  async #takeSteps(): Promise<Pause> {
    this.#advancing = true;
    try {
      for (;;) {
        const step = nextStep(this.#entity, this.#snapshot, this.now(), this.#driver.lookDistance);
        if (step.kind === 'rest' || step.kind === 'closed') return step;
        if (step.kind === 'action') await this.#execute();
        else this.#apply(takeStep(this.#entity, this.#snapshot, step.kind, this.now()));
      }
    } catch (thrown) {
      this.#failure ??= { thrown };
      return { kind: 'rest' };
    } finally {
      this.#advancing = false;
      this.#wakePassers();
    }
  }

  async #execute(): Promise<void> {
    const { running } = this.#snapshot;
    const action = this.#implementation.actions[running!.action]!;
    const scope = new ActionScope(this.#entity, this);
    const { ended, abort } = this.#driver.abortable(() =>
      action(scope.context as never, { params: running!.params } as never),
    );
    this.#abort = abort;
    let end: (snapshot: Snapshot) => Step;
    try {
      const result = scope.end(await ended);
      end = (snapshot) => commit(this.#entity, snapshot, result, this.now());
    } catch (thrown) {
      scope.abandon();
      const error = toErrorRecord(thrown);
      const final = thrown instanceof GivenUp;
      end = (snapshot) =>
        thrown instanceof WaitRefused && thrown.reserves && mayRestart(snapshot)
          ? postpone(snapshot, thrown.circle, this.now())
          : fail(this.#entity, snapshot, error, this.now(), final, scope.retryAfterMs);
    }
    this.#abort = undefined;
    const before = this.#snapshot;
    const step = before.running?.aborted ? abortAction(this.#entity, before, this.now()) : end(before);
    this.#apply(releaseReservations(before, step, this.now()));
  }

  /** Others take part in it, so that its operation is followed from now on. */
  #outlasting<T>(wait: () => Promise<T>): Promise<T> {
    this.#open();
    return this.#blocking(wait);
  }

  /** It concerns nobody but whoever has raised the event. */
  #calling<T>(call: () => Promise<T>): Promise<T> {
    const until = unopenedUntil(this.#snapshot);
    if (until === undefined) this.#show();
    else if (!this.#opensLater) void this.#openLater(until - this.now());
    return this.#blocking(call);
  }

  #open(): void {
    this.#apply(openOperations(this.#entity, this.#snapshot));
    this.#show();
  }

  /** Opens the operations that have not settled by then. */
  async #openLater(ms: number): Promise<void> {
    this.#opensLater = true;
    try {
      const allSettled = () => unopenedUntil(this.#snapshot) === undefined;
      const settled = await this.#driver.apart(() => this.#driver.until(allSettled, ms));
      if (!settled) this.#open();
    } catch (thrown) {
      this.#failure ??= { thrown };
    }
    this.#opensLater = false;
  }

  /** Waits until an event has settled, or an operation follows it. */
  async #followed(event: string): Promise<void> {
    if (isUnopened(this.#snapshot, event)) await this.#driver.until(() => !isUnopened(this.#snapshot, event));
  }

  async #blocking<T>(wait: () => Promise<T>): Promise<T> {
    this.#blocked++;
    this.#wakePassers();
    try {
      return await wait();
    } finally {
      this.#blocked--;
    }
  }

  #apply({ snapshot, effects }: Step): void {
    const aborts = snapshot.running?.aborted === true && this.#snapshot.running?.aborted !== true;
    this.#snapshot = snapshot;
    this.#carryOut(effects);
    if (aborts) this.#abort?.();
  }

  #carryOut(effects: readonly Effect[]): void {
    const messages: Message[] = [];
    for (const effect of effects) {
      if (effect.kind === 'record') this.#records.put(effect.record);
      else messages.push(effect);
    }
    this.#outbox.post(messages);
  }

  /** The entity comes to a wait: it shows as it is. */
  #show(): void {
    const snapshot = this.#snapshot;
    this.#driver.show(snapshot);
    if (!this.#recorded || differs(this.#recorded, snapshot)) {
      this.#recorded = snapshot;
      this.#records.put(entityRecord(this.#entity, snapshot, this.now()));
    }
    this.#records.offer();
  }
}

/** Whether the store has to be told of the entity again. */
function differs(before: Snapshot, after: Snapshot): boolean {
  return (
    before.version !== after.version ||
    (before.running === undefined) !== (after.running === undefined) ||
    before.operation?.id !== after.operation?.id ||
    before.operation?.open !== after.operation?.open
  );
}

/** A call was made again because a worker was lost. S5.1 */
function countRestarts(snapshot: Snapshot, restarts: number): Step {
  const engagements = snapshot.engagements.map((engagement, index) =>
    index === snapshot.engagements.length - 1
      ? { ...engagement, restarts: (engagement.restarts ?? 0) + restarts }
      : engagement,
  );
  return { snapshot: { ...snapshot, engagements }, effects: [] };
}

/** Those who come together are answered at once. K3 */
function unheld({ holdMs: _, ...request }: RaiseRequest): RaiseRequest {
  return request;
}
