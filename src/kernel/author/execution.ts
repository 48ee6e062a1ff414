/*
 * One execution of an action's code, as its scope sees it. Whatever it learns is noted, so that another run can go on with it. A1
 */
import type { RaiseOutcome } from '../../definition/action-context.js';
import type { EndRecord } from '../../definition/end-record.js';
import type { CallbackRound } from '../../protocol/callback.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { ReservedEntity, SeenEntity } from '../../protocol/reading.js';
import type { Place, Snapshot } from '../../protocol/snapshot.js';
import { makeAddress } from '../callbacks/address.js';
import { noteAsked, type Named } from '../ledger/stable-names.js';
import type { RaiseIntent } from '../successors/raise.js';
import type { ActionCalls } from './action-calls.js';
import type { ActionJournal } from './action-journal.js';
import type { ScopeHost } from './action-scope.js';
import type { TreeToRun } from './action-tree.js';
import type { Awaiting, ReservationTerms } from './awaiting.js';
import type { CollectTerms } from './collecting.js';
import type { HandOver } from './hand-over.js';
import type { LiveEntity } from '../run/live-entity.js';
import type { PlacedCall } from '../run/placed-call.js';

export class Execution implements ScopeHost {
  readonly #live: LiveEntity;
  readonly #journal: ActionJournal;
  readonly #calls: ActionCalls;
  readonly #awaiting: Awaiting;
  readonly #handOver: HandOver;

  constructor(live: LiveEntity, journal: ActionJournal, calls: ActionCalls, awaiting: Awaiting, handOver: HandOver) {
    this.#live = live;
    this.#journal = journal;
    this.#calls = calls;
    this.#awaiting = awaiting;
    this.#handOver = handOver;
  }

  snapshot(): Snapshot {
    return this.#live.snapshot;
  }

  now(): number {
    return this.#journal.reading('now()', () => this.#live.now());
  }

  reading<T>(what: string, read: () => T): T {
    return this.#journal.reading(what, read);
  }

  isAlone(): boolean {
    return this.#journal.open === 0;
  }

  noteAsked(named: Named): void {
    this.#live.change((snapshot) => noteAsked(snapshot, named));
  }

  makeAddress(address: { readonly id: string; readonly event: string; readonly withinMs: number }): CallbackRound {
    const { snapshot, made } = makeAddress(this.#live.snapshot, address, this.#live.now());
    this.#live.apply({ snapshot, effects: [] });
    return made;
  }

  call(placed: PlacedCall): Promise<unknown> {
    return this.#through(...contentOf(placed), () => this.#calls.call(placed));
  }

  runTree(tree: TreeToRun): Promise<EndRecord> {
    const { description } = tree;
    return this.#through(`run ${description.kind}`, [description], () => this.#calls.runTree(tree));
  }

  /** Of a collector, each call is noted, and the end of its time: the rule decides again over the same answers. */
  async collect(calls: readonly PlacedCall[], terms: CollectTerms): Promise<void> {
    const journal = this.#journal;
    const time = journal.ask(`collect ${calls.length} answers`, [terms.withinMs, terms.atOnce]);
    const places = new Map(calls.map((placed) => [placed, journal.ask(...contentOf(placed))]));
    await this.#calls.collect(calls, {
      ...terms,
      call: (placed, wanted) => journal.through(places.get(placed)!, () => this.#calls.call(placed, wanted)),
      inTime: (holds, wait) => journal.inTime(time, holds, wait),
    });
    await journal.inThisRun();
  }

  raiseAndWait(intent: RaiseIntent, withinMs: number): Promise<RaiseOutcome> {
    const { to, creates, role, request } = intent;
    const { event, params, construct, mayBeRejected } = request;
    const content = [params, construct, creates, role, mayBeRejected, withinMs];
    return this.#waits(`${event} on ${entityId(to)}`, content, (place) =>
      this.#awaiting.raise(intent, withinMs, place),
    );
  }

  read(of: EntityRef, withinMs: number): Promise<SeenEntity | undefined> {
    return this.#waits(`read ${entityId(of)}`, [withinMs], (place) => this.#awaiting.read(of, withinMs, place));
  }

  reserve(to: EntityRef, terms: ReservationTerms): Promise<ReservedEntity | undefined> {
    return this.#waits(`reserve ${entityId(to)}`, [terms], (place) => this.#awaiting.reserve(to, terms, place));
  }

  #waits<T>(what: string, content: readonly unknown[], wait: (place: Place) => Promise<T>): Promise<T> {
    return this.#through(what, content, (place) => this.#handOver.amid(wait(place)));
  }

  async #through<T>(what: string, content: readonly unknown[], perform: (place: Place) => Promise<T>): Promise<T> {
    const ask = this.#journal.ask(what, content);
    return this.#journal.through(ask, () => perform({ ask }));
  }
}

function contentOf({ call, input, on }: PlacedCall): [what: string, content: readonly unknown[]] {
  return [call.activity, [input, on]];
}
