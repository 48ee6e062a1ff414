/*
 * The entity as this run holds it.
 *
 * live-entity.1. Its snapshot changes here alone, each time by one decision. The effects of the decision go out in the same moment.
 * live-entity.2. Once the next run has taken over, nothing changes here any more.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { ToldWaits } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { RecordOutbox, type CarriedRecords } from '../../recording/record-outbox.js';
import { withdrawClosed } from '../callbacks/withdrawal.js';
import { openOperations } from '../engagements/open.js';
import { PassedProbes } from '../reservations/passed-probes.js';
import type { Effect, Step } from '../rules/step.js';
import type { EntityDriver } from './driver.js';
import { LatestRecord } from './latest-record.js';
import { Outbox, type Message, type OutboxOwner } from './outbox.js';

/** The code that hears how the effects ended, and carries on what a change has begun. */
export interface LiveOwner extends OutboxOwner {
  /** Hears that questions to providers are to be withdrawn. */
  withdraws(): void;
}

export class LiveEntity {
  readonly entity: AnyEntity;
  readonly driver: EntityDriver;
  readonly records: RecordOutbox;
  #snapshot: Snapshot;
  readonly #first: readonly Effect[];
  readonly #latest: LatestRecord;
  readonly #probes = new PassedProbes();
  #outbox!: Outbox;
  #owner!: LiveOwner;
  /** How many events of batches have yet to be decided in this run. */
  undecided = 0;
  /** How much has come in, and how much the entity has done, in this run. */
  #happened = 0;
  /** Tells whether the next run has taken over. */
  #left = false;
  /** Tells whether the entity is shown when all that is done at this moment is done. */
  #showsSoon = false;
  /** How many calls and waits of the running action outlast the present task. */
  #outlasting = 0;
  /** Those that go on when nothing is passing any more. */
  #passers: (() => void)[] = [];
  #callAway: () => void = () => undefined;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(entity: AnyEntity, driver: EntityDriver, start: Step, carried?: CarriedRecords) {
    this.entity = entity;
    this.driver = driver;
    this.#snapshot = start.snapshot;
    this.#first = start.effects;
    this.records = new RecordOutbox(driver.records, () => driver.now(), carried);
    // The store knows the snapshot with which a run goes on.
    const isKnown = !start.effects.some(({ kind }) => kind === 'record');
    this.#latest = new LatestRecord(entity, isKnown ? start.snapshot : undefined);
  }

  /** Carries out effects from now on: first those with which the run begins. */
  begin(owner: LiveOwner): void {
    this.#owner = owner;
    this.#outbox = new Outbox(this.driver, owner);
    // The probes that the last run has left are noted as sent.
    this.#carryOut(this.#probes.unsent(this.#first));
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get outbox(): Outbox {
    return this.#outbox;
  }

  now(): number {
    return this.driver.now();
  }

  /** Takes a decision over. live-entity.1 */
  apply({ snapshot, effects }: Step): void {
    if (this.#left) return;
    const aborts = snapshot.running?.aborted === true && this.#snapshot.running?.aborted !== true;
    if (snapshot !== this.#snapshot) this.note();
    this.#snapshot = withdrawClosed(this.#snapshot, snapshot);
    if (this.#snapshot.withdrawals) this.#owner.withdraws();
    this.#carryOut(effects);
    if (aborts) this.driver.cancelCalls();
  }

  change(by: (snapshot: Snapshot) => Snapshot): void {
    this.apply({ snapshot: by(this.#snapshot), effects: [] });
  }

  post(effects: readonly Effect[]): void {
    this.apply({ snapshot: this.#snapshot, effects });
  }

  /** Takes a decision over whose probes go over each edge once, since they may come back and would go the same way again. */
  applyProbing({ snapshot, effects }: Step): void {
    this.apply({ snapshot, effects: this.#probes.unsent(effects) });
  }

  /** Leaves the entity to the next run as it is now. live-entity.2 */
  leave(): void {
    this.#left = true;
  }

  get left(): boolean {
    return this.#left;
  }

  /** Notes that something has come in. */
  note(): void {
    this.#happened++;
  }

  get happened(): number {
    return this.#happened;
  }

  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** @throws what no decision can throw, if anything has failed so */
  throwFailure(): void {
    if (this.#failure) throw this.#failure.thrown;
  }

  /** Waits for something that outlasts the present task. */
  async outlast<T>(wait: () => Promise<T>): Promise<T> {
    this.#outlasting++;
    this.wakePassers();
    try {
      return await wait();
    } finally {
      this.#outlasting--;
    }
  }

  /** The same for something that others may see: operations get workflows that follow them, and the entity is shown. */
  outlastSeen<T>(wait: () => Promise<T>): Promise<T> {
    this.apply(openOperations(this.entity, this.#snapshot));
    this.showSoon();
    return this.outlast(wait);
  }

  /** Tells whether the running action waits for nothing that outlasts the present task. */
  get passes(): boolean {
    return this.#outlasting === 0;
  }

  /** Waits until `passes` may have changed, or steps have ended. */
  passed(): Promise<void> {
    return new Promise((passed) => this.#passers.push(passed));
  }

  wakePassers(): void {
    const passers = this.#passers;
    this.#passers = [];
    for (const passed of passers) passed();
  }

  /** Ends the present wait for steps, though an action goes on. stepping.3 */
  callAway(): void {
    this.#callAway();
  }

  /** Takes what ends the present wait for steps. */
  onCallAway(callAway: () => void): void {
    this.#callAway = callAway;
  }

  /** Shows the entity once for all that is done at this moment: a collector asks many at once. */
  showSoon(): void {
    if (this.#showsSoon) return;
    this.#showsSoon = true;
    Promise.resolve()
      .then(() => {
        this.#showsSoon = false;
        this.show();
      })
      .catch((thrown) => this.fail(thrown));
  }

  /** Shows the entity as it is, since it comes to a wait. */
  show(): void {
    this.driver.show(this.#snapshot);
    const record = this.#latest.next(this.#snapshot, this.now());
    if (record) this.records.put(record);
    this.records.offer();
  }

  /** Gives what it waits for, as it has told the store last in this run. A6 */
  get waits(): ToldWaits | undefined {
    return this.#latest.waits;
  }

  #carryOut(effects: readonly Effect[]): void {
    const messages: Message[] = [];
    for (const effect of effects) {
      if (effect.kind === 'record') this.records.put(effect.record);
      else messages.push(effect);
    }
    this.#outbox.post(messages);
    // The action may wait for days, and operators are to see what comes meanwhile.
    if (messages.length < effects.length && this.#snapshot.running?.awaits) this.records.offer();
  }
}
