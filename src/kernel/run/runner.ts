/*
 * How one entity runs: the loop around the pure decisions.
 *
 * runner.1. Only this class changes the snapshot, each time by one decision; its effects go to the outbox in the same moment.
 * runner.2. Actions run one at a time, and only here. S2.4
 * runner.3. The entity is shown, and recorded in the store, only when there is nothing to do but wait.
 * runner.4. A run that has become long ends whatever comes: after the running action, nothing begins in it and nothing is sent
 *     any more. It ends when what is under way has ended. The next run takes over what has come and what is to be sent.
 * runner.5. An action that waits for answers of other entities or from outside, and for nothing else, does not keep a long run from
 *     ending: its code runs again in the next one, over what it has learnt. A1
 * runner.6. However many events wait, only some begin in one workflow task: a task that takes longer than its time limit is begun
 *     again, for ever. A timer ends the task. Events are counted over the whole run, since the core cuts tasks as it likes. L7
 */
import { checkComponents } from '../../components/index.js';
import type { EndRecord } from '../../definition/end-record.js';
import { runTree, type TreeToRun } from './action-tree.js';
import { Aborted, CallFailed, Defect, GivenUp, WaitRefused } from '../../definition/action-errors.js';
import type { RaiseOutcome } from '../../definition/action-context.js';
import type { Call, CallMode } from '../../definition/resource.js';
import type { AnyImplementation } from '../../definition/actions.js';
import { toErrorRecord } from '../../protocol/errors.js';
import type { Answer } from '../../protocol/answer.js';
import type { CallbackRound } from '../../protocol/callback.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { ENDLESS_CODE, entityId, type EntityRef } from '../../protocol/names.js';
import type { ReservedEntity, SeenEntity } from '../../protocol/reading.js';
import { toldWaits, type ToldWaits, type TransitionRecord } from '../../protocol/records.js';
import { schemaVersionOf, type Awaited, type Place, type Snapshot } from '../../protocol/snapshot.js';
import { RecordOutbox, type CarriedRecords } from '../../recording/record-outbox.js';
import type { AnyEntity } from '../../definition/entity.js';
import { ActionScope, type ActionHost } from './action-scope.js';
import { ActionJournal } from './action-journal.js';
import { Aftermath } from './aftermath.js';
import { makeAddress } from '../callbacks/address.js';
import { Asking } from './asking.js';
import { checkInput } from './input-size.js';
import type { Unwanted } from '../callbacks/gathering.js';
import { awaitedCallbacks } from '../callbacks/awaited-callbacks.js';
import { withdrawClosed } from '../callbacks/withdrawal.js';
import { beginStep, endStep, noteRestarts, queueSteps, unqueueSteps } from '../callbacks/call-steps.js';
import { Awaiting, type AwaitingHost, type ReservationTerms } from './awaiting.js';
import { collect, type CollectTerms, type Wanted } from './collecting.js';
import { abort as abortAction, commit, fail, type ActionResult } from '../actions/commit.js';
import { loseDeployment } from '../turns/hear-deployment.js';
import { planDeployment } from '../deployments/plan.js';
import { eventTooLarge } from '../rules/event-size.js';
import { isOutside } from '../rules/decide.js';
import type { CallAnswer, EntityDriver } from './driver.js';
import { Following } from './following.js';
import { hear, type Cleared } from '../turns/hear.js';
import { beginLeases, releaseReservations } from '../reservations/holding.js';
import { LOOK_DISTANCE } from '../rules/look-distance.js';
import { lookAfterSuccessors } from '../successors/look.js';
import { migrationHindrance } from '../migration/hindrance.js';
import { nextStep, takeStep, type Pause } from '../turns/next.js';
import { openOperations } from '../engagements/open.js';
import { followedElsewhere } from '../engagements/repeat.js';
import { requireTargets, targetsOf, type LinkTarget } from '../rules/link-target.js';
import { stuckEntity } from '../explain/stuck.js';
import { JournalledHost } from './journalled-host.js';
import { Outbox, type Message } from './outbox.js';
import type { PlacedCall } from './placed-call.js';
import { PassedProbes } from '../reservations/passed-probes.js';
import { mayRestart, postpone } from '../actions/postpone.js';
import { Questions } from './questions.js';
import { Reception } from './reception.js';
import { Rest } from './rest.js';

import { endRejected } from '../engagements/settle.js';
import { KEY_REUSED, noteAnswered, noteAsked, refuseOtherInput, type Named } from '../ledger/stable-names.js';
import { entityRecord } from '../explain/entity-record.js';
import { recordedWaits } from '../explain/recorded-waits.js';
import type { RaiseIntent } from '../successors/raise.js';
import { sealings, unsealed } from '../successors/sealing.js';
import { keepTicks, undecidedTicks } from '../triggers/calendar.js';
import { unmatchedSubscriptions } from '../rules/due-subscription.js';
import { unchained } from '../rules/chain.js';
import { isSettled } from '../rules/standing.js';
import { isGone, type Effect, type Step } from '../rules/step.js';
import { Stepping } from './stepping.js';
import { undelivered } from '../successors/undelivered.js';
import { summariseWait } from '../turns/wait-summary.js';
import { Withdrawing } from './withdrawing.js';
import { isThrown } from '../../definition/thrown.js';

/** The codes of defects that each further attempt would have again. */
const HOPELESS: readonly string[] = [KEY_REUSED, ENDLESS_CODE];
/** How many events that have waited begin one after the other. */
const MOST_IN_A_ROW = 50;
/** The shortest timer, in milliseconds. */
const BREATH_MS = 1;

export class EntityRunner implements ActionHost {
  readonly #implementation: AnyImplementation;
  readonly #driver: EntityDriver;
  readonly #outbox: Outbox;
  readonly #records: RecordOutbox;
  #snapshot: Snapshot;
  /** The snapshot in which there was nothing to do but wait. */
  #paused: Snapshot | undefined;
  /** The snapshot that was told to the store last. */
  #recorded: Snapshot | undefined;
  /** The time of that, as the store was told it, in milliseconds since 1970. */
  #recordedAt = 0;
  /** The waits of the entity: as they were told to the store in this run, and as JSON text. */
  #waits: ToldWaits | undefined;
  #waitsText = '';
  readonly #awaiting: Awaiting;
  readonly #asking: Asking;
  readonly #withdrawing: Withdrawing;
  /** All that the running action has begun that may outlast it. */
  readonly #aftermath: Aftermath;
  /** All that the running action has learnt. */
  #journal: ActionJournal | undefined;
  /** How many events that have waited have begun since a task was last made to end. */
  #inARow = 0;
  /** Tells whether the next run has taken over. */
  #leftToNext = false;
  /** Tells whether the entity is shown when all that is done at this moment is done. */
  #showsSoon = false;
  /** Tells whether it was called away since it waits for the running action. */
  #calledAway = false;
  /** The journal of the action that is watched for whether it can go on in a new run. */
  #watched: ActionJournal | undefined;
  readonly #probes = new PassedProbes();
  readonly #stepping: Stepping;
  readonly #following: Following;
  readonly #rest: Rest;
  readonly #questions: Questions;
  /** Where events from outside come in. */
  readonly reception: Reception;

  constructor(
    implementation: AnyImplementation,
    driver: EntityDriver,
    start: Step,
    takesOver: boolean,
    carried?: CarriedRecords,
  ) {
    this.#implementation = implementation;
    this.#driver = driver;
    this.#snapshot = start.snapshot;
    const { entity } = implementation;
    const snapshot = () => this.#snapshot;
    const apply = (step: Step) => this.#apply(step);
    this.#rest = new Rest(
      driver,
      { waits: () => this.#snapshot.running?.awaits !== undefined, bring: () => this.#records.bring() },
      takesOver,
    );
    const stepping = new Stepping({
      running: () => this.#snapshot.running !== undefined,
      step: () => this.#step(),
    });
    const show = () => this.#show();
    const following = new Following(entity, driver, { snapshot, apply, show, fail: (thrown) => stepping.fail(thrown) });
    this.#stepping = stepping;
    this.#following = following;
    const change = (changed: Snapshot) => this.#apply({ snapshot: changed, effects: [] });
    const questions = new Questions(entity, driver, {
      snapshot,
      change,
      hear: (message, cleared) => {
        // An event without a sender came as a plain signal.
        if (message.kind === 'raise' && isOutside(message.request))
          this.reception.requested(message.request, cleared.past);
        else this.#hear(message, cleared);
      },
      recall: (ids) => this.#records.recall(this.#snapshot, ids),
    });
    this.#questions = questions;
    this.reception = new Reception(entity, { driver, stepping, following, questions, snapshot, apply });
    const waiting: AwaitingHost = {
      snapshot,
      // The entity's own probes are noted too, since they may come back and would go the same way again.
      apply: (step) => apply({ snapshot: step.snapshot, effects: this.#probes.unsent(step.effects) }),
      look: () => this.#apply(lookAfterSuccessors(this.#entity, this.#snapshot, this.now())),
      outlasting: (wait) => {
        this.#following.open();
        this.#showSoon();
        const outlasts = this.#stepping.outlast(wait);
        this.#watchForHandOver().catch((thrown) => this.#stepping.fail(thrown));
        return outlasts;
      },
    };
    this.#awaiting = new Awaiting(driver, waiting);
    this.#asking = new Asking(driver, {
      ...{ snapshot, apply },
      outlasting: (wait) => {
        apply(openOperations(entity, this.#snapshot));
        this.#showSoon();
        return stepping.outlast(wait);
      },
    });
    this.#aftermath = new Aftermath(driver, {
      ...{ snapshot, change },
      outlasting: (wait) => {
        apply(openOperations(entity, this.#snapshot));
        this.#showSoon();
        return stepping.outlast(wait);
      },
    });
    this.#withdrawing = new Withdrawing(driver, {
      snapshot,
      change: (by) => this.#change(by),
      asked: (idempotencyKey) => this.#asking.asked(idempotencyKey),
    });
    this.#outbox = new Outbox(driver, {
      undeliverable: (effect) => {
        this.#awaiting.undeliverable(effect);
        this.#apply(undelivered(this.#entity, this.#snapshot, effect.to, effect.message, this.now()));
      },
      operationOver: (message) => this.#awaiting.operationOver(message),
      noDeployment: (id) => this.#apply(loseDeployment(entity, this.#snapshot, id, this.now())),
      reported: (report, request) => {
        // All that the event had set off was over at that time too.
        this.#awaiting.settled(report.ended, report.outcome);
        this.receiveMessage(report);
        const effects = followedElsewhere(report.from, request, report.operation);
        this.#apply({ snapshot: this.#snapshot, effects });
      },
    });
    this.#records = new RecordOutbox(driver.records, () => driver.now(), carried);
    // The store knows the snapshot with which a run goes on.
    if (!start.effects.some(({ kind }) => kind === 'record')) {
      this.#recorded = start.snapshot;
      this.#waitsText = JSON.stringify(recordedWaits(entity, start.snapshot));
    }
    // The probes that the last run has left are noted as sent.
    this.#carryOut(this.#probes.unsent(start.effects));
    questions.begin();
    this.#withdrawing.begin();
  }

  get #entity() {
    return this.#implementation.entity;
  }

  snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Tells whether nothing is under way that others have yet to hear of. */
  get idle(): boolean {
    return this.#outbox.empty;
  }

  /** The records that have yet to go to the store, for the next run. */
  get carried(): CarriedRecords | undefined {
    return this.#records.carried();
  }

  /** The transitions after a version that have yet to go to the store. */
  transitionsAfter(version: number): readonly TransitionRecord[] {
    return this.#records.transitionsAfter(version);
  }

  /** Gives what it waits for, as it has told the store last in this run. A6 */
  get waits(): ToldWaits | undefined {
    return this.#waits;
  }

  /** The messages that have yet to be sent, for the next run. */
  get unsent(): readonly Message[] {
    return this.#outbox.kept;
  }

  /** Finishes what has to be finished before the workflow ends. */
  async leave(): Promise<void> {
    await this.#records.leave();
  }

  now(): number {
    return this.#driver.now();
  }

  /** Runs until the entity is deleted, or should go on in a new run with its snapshot. */
  async run(): Promise<'closed' | 'rollover'> {
    const { restAfterMs } = this.#driver;
    if (restAfterMs !== undefined) this.#rest.watch(restAfterMs).catch((thrown) => this.#stepping.fail(thrown));
    for (;;) {
      this.#outbox.throwFailure();
      this.#calledAway = false;
      const pause = await this.#stepping.advance();
      if (!pause) {
        if (!this.#mayHandOver) continue;
        if (!this.#records.due) return this.#handOver();
        await this.#records.keep();
        continue;
      }
      const seen = this.#paused;
      // Something has come since, and there may be more to do.
      if (this.#snapshot !== seen) continue;
      if (pause.kind === 'closed' && this.#snapshot.withdrawals) {
        await this.#withdrawing.end();
        continue;
      }
      if (pause.kind === 'closed') {
        await this.#driver.until(() => this.#outbox.empty);
        // Those that have asked to reserve it meanwhile still get an answer.
        if (this.#snapshot.reservers.length > 0) continue;
        await this.#driver.until(() => this.#snapshot.doubted === undefined && this.#outbox.empty);
        this.#outbox.throwFailure();
        this.#show();
        return 'closed';
      }
      if (await this.#decideTicks()) continue;
      this.#show();
      if (this.#mayRollOver) {
        if (this.#rest.over) this.#records.rest();
        if (!this.#records.due) return this.#goOnInNext();
        await this.#records.keep();
        continue;
      }
      this.#rest.pause(!this.#snapshot.running);
      const until = Math.min(pause.until ?? Infinity, this.#records.retryAt ?? Infinity);
      const summary = Number.isFinite(until) ? this.#summariseWait(until) : undefined;
      await this.#driver.until(
        () =>
          this.#snapshot !== seen ||
          this.#stepping.failed ||
          this.#records.news ||
          this.#mayRollOver ||
          this.#mustRollOver,
        Number.isFinite(until) ? until - this.now() : undefined,
        summary,
      );
      this.#rest.pause(false);
      if (this.#records.retryAt !== undefined && this.#records.due) await this.#records.keep();
    }
  }

  /** Lets the next ticks of timers by calendar be decided. Returns whether there were any to decide. */
  async #decideTicks(): Promise<boolean> {
    if (this.#snapshot.rollingOver) return false;
    const undecided = undecidedTicks(this.#entity, this.#snapshot, this.now());
    if (undecided.length === 0) return false;
    const ticks = await this.#driver.nextTicks(undecided.map(({ question }) => question));
    this.#change((snapshot) => keepTicks(snapshot, undecided, ticks));
    return true;
  }

  /**
   * Tells whether the entity can go on in a new run in the middle of its action, when nothing is under way but what the next run
   * takes up. runner.5
   */
  get #wantsHandOver(): boolean {
    if (!this.#driver.runIsLong()) return false;
    const { running, callbacks = [] } = this.#snapshot;
    const { awaits = [], aborted, holds } = running ?? {};
    if (awaits.length === 0 || aborted) return false;
    const asks = new Set(awaits.flatMap(({ kind, wait, place }) => (kind === 'answer' ? wait : (place?.ask ?? []))));
    if (asks.size !== this.#journal?.underWay) return false;
    const isAwaited = (wait: string) =>
      callbacks.some(({ id, asked, answer, end }) => id === wait && asked && !answer && !end);
    const travels = (each: Awaited) => (each.kind === 'answer' ? isAwaited(each.wait) : this.#awaiting.travels(each));
    if (!awaits.every(travels) || !this.#journal.mayHandOver) return false;
    const onlyOutside = awaits.every(({ kind }) => kind === 'answer') && !holds;
    return onlyOutside || this.#driver.mayEndAmidWaits();
  }

  get #mayHandOver(): boolean {
    return this.#mayRollOver && this.#wantsHandOver;
  }

  /** Goes on in a new run, where the action begins anew over what it has learnt. runner.5 */
  #handOver(): 'rollover' {
    const { running } = this.#snapshot;
    const journal = this.#journal!.handOver();
    const awaits = this.#awaiting.carried();
    this.#apply({ snapshot: { ...this.#snapshot, running: { ...running!, awaits, journal } }, effects: [] });
    return this.#goOnInNext();
  }

  /** Freezes the entity as the next run takes it over: what has been left behind here changes nothing any more. */
  #goOnInNext(): 'rollover' {
    this.#leftToNext = true;
    return 'rollover';
  }

  /** Calls away who waits for the action whenever this can go on in a new run. */
  async #watchForHandOver(): Promise<void> {
    const journal = this.#journal;
    if (this.#watched === journal) return;
    this.#watched = journal;
    const isOver = () => this.#journal !== journal;
    const isWanted = () => !isOver() && this.#wantsHandOver;
    while (!isOver()) {
      await this.#driver.until(() => isOver() || isWanted());
      if (isOver()) return;
      // Otherwise an entity that always has something to send would never go on in a new run.
      this.#outbox.keep();
      while (isWanted()) {
        await this.#driver.until(() => !isWanted() || this.#mayRollOver);
        if (!isWanted()) break;
        this.#calledAway = true;
        this.#stepping.callAway();
        // An action that waits again is called away again: what had to be done before may have been done at once.
        await this.#driver.until(() => !isWanted() || !this.#calledAway);
      }
      await this.#sendAgain();
    }
  }

  /** Sends again what was kept for the next run, since the action goes on in this one. outbox.6 */
  async #sendAgain(): Promise<void> {
    const isLeft = () => this.#leftToNext || this.#snapshot.rollingOver === true;
    await this.#driver.until(() => isLeft() || this.#outbox.empty);
    if (!isLeft()) this.#outbox.resume();
  }

  #summariseWait(until: number): string {
    const { lookDistance = LOOK_DISTANCE } = this.#driver;
    return summariseWait(this.#entity, this.#snapshot, until, lookDistance) ?? 'bring records to the store again';
  }

  raise(requests: readonly RaiseRequest[]): Promise<readonly Answer[]> {
    this.#rest.note();
    return this.reception.raise(requests);
  }

  receiveMessage(message: EntityMessage): void {
    this.#rest.note();
    this.#awaiting.hear(message);
    if (!this.#questions.withholds(message)) this.#hear(message);
  }

  /** Rejects an event, whatever the entity is. */
  reject(request: RaiseRequest, rejection: Rejection): void {
    const effects = endRejected(this.#entity, this.#snapshot, request, rejection, this.now());
    this.#apply({ snapshot: this.#snapshot, effects });
  }

  send(to: EntityRef, message: EntityMessage): void {
    this.#apply({ snapshot: this.#snapshot, effects: [{ kind: 'send', to, message }] });
  }

  #hear(message: EntityMessage, cleared?: Cleared): void {
    const { snapshot, effects } = hear(this.#entity, this.#snapshot, message, this.now(), cleared);
    this.#apply({ snapshot, effects: this.#probes.unsent(effects) });
  }

  /** @param wanted until when the answer is wanted */
  async call(placed: PlacedCall, wanted?: Wanted): Promise<unknown> {
    if (this.#snapshot.running?.aborted)
      throw new Aborted(`The action was aborted before it called '${placed.call.activity}'.`);
    checkInput(placed, this.#snapshot);
    return this.#call(placed, wanted);
  }

  async #call(placed: PlacedCall, wanted?: Wanted): Promise<unknown> {
    const { named, idempotencyKey } = placed;
    refuseOtherInput(this.#snapshot, named, placed.call.activity, idempotencyKey);
    const mode = this.#driver.modeOf(placed);
    const call = { ...placed.call, shape: { ...placed.call.shape, answer: mode } };
    const made = { ...placed, call, ...(mode === 'inline' && wanted && { limit: wanted.limit }) };
    const { place } = placed;
    this.#aftermath.begin(made);
    this.#change((snapshot) => noteAsked(beginStep(snapshot, { place, call: call.activity, mode }, this.now()), named));
    try {
      const { output, restarts } = await this.#make(made, mode, wanted?.unwanted);
      this.#change((snapshot) => {
        const ended = endStep(noteRestarts(snapshot, place, restarts), place, this.now());
        return noteAnswered(ended, named);
      });
      return output;
    } catch (thrown) {
      const why = this.#snapshot.running?.aborted ? undefined : wanted?.unwanted();
      const end = { thrown: why ? notWanted(call, why) : thrown, superseded: why === 'superseded' };
      const restarts = thrown instanceof CallFailed ? thrown.restarts : 0;
      // It is shown as under way until it has ended.
      if (this.#snapshot.running?.aborted && this.#aftermath.includes(placed)) throw thrown;
      this.#change((snapshot) => endStep(noteRestarts(snapshot, place, restarts), place, this.now(), end));
      throw end.thrown;
    }
  }

  async #make(made: PlacedCall, mode: CallMode, unwanted?: () => Unwanted | undefined): Promise<CallAnswer> {
    if (mode === 'callback') {
      const answer = this.#asking.ask(made, unwanted);
      this.#watchForHandOver().catch((thrown) => this.#stepping.fail(thrown));
      return { output: await answer, restarts: 0 };
    }
    const make = () => this.#driver.call(made);
    if (mode === 'inline') return make();
    this.#following.openInTime();
    return this.#stepping.outlast(make);
  }

  runTree(tree: TreeToRun): Promise<EndRecord> {
    const driver = this.#driver;
    if (this.#snapshot.running?.aborted) throw new Aborted('The action was aborted before it ran components.');
    return runTree(driver.trees, tree, {
      now: () => driver.now(),
      until: async (predicate, timeoutMs, summary) => {
        const met = await this.#stepping.outlast(() => driver.until(predicate, timeoutMs, summary));
        if (!met) this.#change((each) => unchained(each, driver.now()));
        return met;
      },
      quiet: () => driver.quiet(),
      moment: () => driver.moment(),
      aborted: () => this.#snapshot.running?.aborted === true,
      call: (placed) => {
        checkInput(placed, this.#snapshot);
        return this.#call(placed);
      },
      cancel: (keys) => driver.cancelCalls(keys),
      tell: (id, message) => driver.tellDeployment(id, message),
    });
  }

  noteAsked(named: Named): void {
    this.#change((snapshot) => noteAsked(snapshot, named));
  }

  makeAddress(address: { readonly id: string; readonly event: string; readonly withinMs: number }): CallbackRound {
    const { snapshot, made } = makeAddress(this.#snapshot, address, this.now());
    this.#apply({ snapshot, effects: [] });
    return made;
  }

  async collect(calls: readonly PlacedCall[], terms: CollectTerms): Promise<void> {
    const driver = this.#driver;
    await collect(
      {
        call: (placed, wanted) => this.call(placed, wanted),
        isInline: ({ place }) => {
          const mode = this.#snapshot.running?.calls?.steps.find((step) => step.place === place)?.mode;
          return mode === undefined ? undefined : mode === 'inline';
        },
        cancel: (keys) => driver.cancelCalls(keys),
        queue: (more) => this.#change((snapshot) => queueSteps(snapshot, more)),
        aborted: () => this.#snapshot.running?.aborted === true,
        wait: (holds, until, summary) =>
          until === undefined
            ? driver.until(holds)
            : this.#stepping.outlast(() => driver.until(holds, until - driver.now(), summary)),
      },
      calls,
      terms,
    );
  }

  async raiseAndWait(intent: RaiseIntent, withinMs: number, place: Place): Promise<RaiseOutcome> {
    const tooLarge = eventTooLarge(intent.to, intent.request);
    if (tooLarge) throw new Defect(tooLarge.code, tooLarge.message);
    if (intent.targets && !this.#awaiting.waitsAt(place)) await this.#requireTargets(intent.targets, place);
    return this.#awaiting.raise(intent, withinMs, place);
  }

  read(of: EntityRef, withinMs: number, place: Place): Promise<SeenEntity | undefined> {
    return this.#awaiting.read(of, withinMs, place);
  }

  #requireTargets(targets: readonly LinkTarget[], place: Place): Promise<void> {
    return requireTargets(targets, (of, withinMs) => this.read(of, withinMs, { ...place, part: entityId(of) }));
  }

  async reserve(to: EntityRef, terms: ReservationTerms, place: Place): Promise<ReservedEntity | undefined> {
    const view = await this.#awaiting.reserve(to, terms, place);
    if (terms.begins) this.#apply(beginLeases(this.#snapshot, terms.begins, terms.leaseMs, this.now()));
    return view;
  }

  /** Tells whether the entity should go on in a new run. */
  get #isDue(): boolean {
    return this.#rest.over || this.#hasToEnd;
  }

  /** Tells whether the run has become long, or is one of an older schema, which the next run can leave behind. Q2 */
  get #hasToEnd(): boolean {
    const { schema } = this.#entity;
    const isBehind = schemaVersionOf(this.#snapshot) < schema && migrationHindrance(this.#snapshot) === undefined;
    return isBehind || this.#driver.runIsLong();
  }

  get #mayRollOver(): boolean {
    const idle = this.#outbox.empty && this.#records.idle && this.#questions.idle;
    return idle && this.#isDue && this.#driver.mayEndRun();
  }

  /** Tells whether the run has become long and no batch of events has yet to be decided in it. */
  get #mustRollOver(): boolean {
    return this.closing && !this.#snapshot.rollingOver && !this.reception.busy && this.#outbox.mayBeKept;
  }

  /**
   * Tells whether new events have to wait for the next run: what waits goes along into it, and has to stay small. A deleted entity
   * ends in this run.
   */
  get closing(): boolean {
    const { running, rollingOver } = this.#snapshot;
    if (rollingOver) return true;
    if (running || !this.#hasToEnd) return false;
    return !isGone(this.#entity, this.#snapshot);
  }

  /** Begins the rollover: from now on nothing begins in this run. runner.4 */
  #rollOver(): void {
    // From now on callers do not wait here for the outcome of their events.
    this.#apply(openOperations(this.#entity, this.#snapshot));
    const leaving = { since: this.now(), unmatched: unmatchedSubscriptions(this.#entity, this.#snapshot) };
    this.#apply({ snapshot: { ...this.#snapshot, rollingOver: true, leaving }, effects: [] });
    this.#outbox.keep();
  }

  #step(): Pause | undefined | Promise<undefined> {
    if (this.#mustRollOver) this.#rollOver();
    const step = nextStep(this.#entity, this.#snapshot, this.now(), this.#driver.lookDistance);
    if (step.kind === 'rest' || step.kind === 'closed') {
      this.#paused = this.#snapshot;
      return step;
    }
    if (step.kind === 'action') return this.#execute();
    if (step.kind === 'event' && ++this.#inARow > (this.#driver.eventsInARow ?? MOST_IN_A_ROW)) return this.#breathe();
    this.#apply(takeStep(this.#entity, this.#snapshot, step.kind, this.now()));
    return undefined;
  }

  /** Lets the task end before the next event begins. runner.6 */
  async #breathe(): Promise<undefined> {
    this.#inARow = 0;
    this.#change((snapshot) => ({ ...snapshot, yielding: true }));
    const summary = `the next of ${this.#snapshot.waiting.length} events that wait`;
    await this.#stepping.outlast(() => this.#driver.until(() => false, BREATH_MS, summary));
    this.#change(({ yielding: _, ...snapshot }) => snapshot);
    return undefined;
  }

  async #execute(): Promise<undefined> {
    const { running } = this.#snapshot;
    const action = this.#implementation.actions[running!.action]!;
    const { journal: carried, ...resumed } = running!;
    if (carried) this.#change((snapshot) => unqueueSteps({ ...snapshot, running: resumed }));
    const journal = new ActionJournal(this.#driver, (thrown) => this.#stepping.fail(thrown), carried);
    this.#journal = journal;
    let scope: ActionScope | undefined;
    let end: (snapshot: Snapshot) => Step;
    try {
      scope = new ActionScope(this.#entity, new JournalledHost(this, journal));
      const { context, params } = scope;
      const code = () => action(context as never, { params } as never);
      const endless = this.#driver.endless;
      const returned = await (endless ? endless.run(this.#snapshot, () => journal.silence(), code) : code());
      if (journal.change) throw journal.change;
      const result = this.#planned(scope.end(returned));
      const targets = targetsOf(this.#entity, this.#snapshot, result);
      if (targets.length > 0) await this.#requireTargets(targets, {});
      const wanted = sealings(this.#snapshot, result.raises);
      if (wanted.length > 0) await this.#awaiting.seal(wanted);
      end = (snapshot) => commit(this.#entity, snapshot, result, this.now());
    } catch (caught) {
      scope?.abandon();
      const thrown = journal.change ?? caught;
      const error = toErrorRecord(thrown);
      const final = isThrown(thrown, GivenUp) || (isThrown(thrown, Defect) && HOPELESS.includes(thrown.code));
      end = (snapshot) =>
        isThrown(thrown, WaitRefused) && thrown.reserves && mayRestart(snapshot)
          ? postpone(snapshot, thrown.cycle, this.now())
          : fail(this.#entity, snapshot, error, this.now(), final, scope?.retryAfterMs);
    }
    // The next run carries it out.
    if (this.#leftToNext) await new Promise(() => undefined);
    this.#journal = undefined;
    this.#awaiting.leave();
    if (this.#snapshot.running?.aborted) await this.#aftermath.over();
    this.#aftermath.clear();
    const before = this.#snapshot;
    const step = before.running?.aborted ? abortAction(this.#entity, before, this.now()) : end(before);
    this.#apply(releaseReservations(before, step, this.now(), unsealed(before, step)));
    return undefined;
  }

  /** The result of an action, with what the state deploys to which it goes. @throws what the author's description throws */
  #planned(result: ActionResult): ActionResult {
    const deploys = planDeployment(this.#implementation, this.#snapshot, result);
    if (deploys) checkComponents(this.#driver.trees.kinds, deploys);
    return { ...result, deploys };
  }

  #change(by: (snapshot: Snapshot) => Snapshot): void {
    this.#apply({ snapshot: by(this.#snapshot), effects: [] });
  }

  #apply({ snapshot, effects }: Step): void {
    if (this.#leftToNext) return;
    const aborts = snapshot.running?.aborted === true && this.#snapshot.running?.aborted !== true;
    if (snapshot !== this.#snapshot) this.#rest.note();
    this.#snapshot = withdrawClosed(this.#snapshot, snapshot);
    if (this.#snapshot.withdrawals) this.#withdrawing.begin();
    this.#carryOut(effects);
    if (aborts) this.#driver.cancelCalls();
  }

  #carryOut(effects: readonly Effect[]): void {
    const messages: Message[] = [];
    for (const effect of effects) {
      if (effect.kind === 'record') this.#records.put(effect.record);
      else messages.push(effect);
    }
    this.#outbox.post(messages);
    // The action may wait for days, and operators are to see what comes meanwhile.
    if (messages.length < effects.length && this.#snapshot.running?.awaits) this.#records.offer();
  }

  /** Shows the entity once for all that is done at this moment: a collector asks many at once. */
  #showSoon(): void {
    if (this.#showsSoon) return;
    this.#showsSoon = true;
    Promise.resolve()
      .then(() => {
        this.#showsSoon = false;
        this.#show();
      })
      .catch((thrown) => this.#stepping.fail(thrown));
  }

  /** Shows the entity as it is, since it comes to a wait. */
  #show(): void {
    const snapshot = this.#snapshot;
    this.#driver.show(snapshot);
    const waits = JSON.stringify(recordedWaits(this.#entity, snapshot));
    if (!this.#recorded || waits !== this.#waitsText || differs(this.#entity, this.#recorded, snapshot)) {
      this.#recorded = snapshot;
      this.#waitsText = waits;
      // A record that is told later in the same task is newer.
      this.#recordedAt = Math.max(this.now(), this.#recordedAt + 1);
      const record = entityRecord(this.#entity, snapshot, this.#recordedAt);
      this.#waits = toldWaits(record);
      this.#records.put(record);
    }
    this.#records.offer();
  }
}

/** Tells whether the store has to be told of the entity again. */
function differs(entity: AnyEntity, before: Snapshot, after: Snapshot): boolean {
  return (
    before.version !== after.version ||
    isSettled(entity, before) !== isSettled(entity, after) ||
    before.operation?.id !== after.operation?.id ||
    before.operation?.open !== after.operation?.open ||
    stuckEntity(entity, before)?.since !== stuckEntity(entity, after)?.since ||
    awaitsOtherwise(before, after)
  );
}

/** Tells whether other answers from outside are awaited, or for another time. */
function awaitsOtherwise(before: Snapshot, after: Snapshot): boolean {
  const [one, other] = [awaitedCallbacks(before), awaitedCallbacks(after)];
  return one.length !== other.length || one.some(({ id, until }, n) => id !== other[n]?.id || until !== other[n].until);
}

/** How a call ended whose answer its collector wants no more. A3 */
function notWanted({ activity }: Call, why: Unwanted): CallFailed {
  if (why === 'superseded')
    return new CallFailed(activity, 'superseded', `The collector of ${activity} was decided without its answer.`);
  return new CallFailed(
    activity,
    'call_timed_out',
    `The time of its collector was over before ${activity} was answered.`,
  );
}
