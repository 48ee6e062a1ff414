import type { RaiseOutcome } from '../../definition/action-context.js';
import type { CallbackRound } from '../../protocol/callback.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { ReservedEntity, SeenEntity } from '../../protocol/reading.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Unwanted } from '../callbacks/gathering.js';
import type { RaiseIntent } from '../successors/raise.js';
import type { EndRecord } from '../../definition/end-record.js';
import type { TreeToRun } from './action-tree.js';
import type { ActionJournal } from './action-journal.js';
import type { ActionHost } from './action-scope.js';
import type { ReservationTerms } from './awaiting.js';
import type { CollectTerms } from './collecting.js';
import type { PlacedCall } from './placed-call.js';

/** Runs an action, and notes whatever it learns, so that another run can go on with it. A1 */
export class JournalledHost implements ActionHost {
  readonly #host: ActionHost;
  readonly #journal: ActionJournal;
  #asked = 0;

  constructor(host: ActionHost, journal: ActionJournal) {
    this.#host = host;
    this.#journal = journal;
  }

  snapshot(): Snapshot {
    return this.#host.snapshot();
  }

  now(): number {
    return this.#journal.now();
  }

  call(placed: PlacedCall, unwanted?: () => Unwanted | undefined): Promise<unknown> {
    return this.#journal.through(placed.idempotencyKey, () => this.#host.call(placed, unwanted));
  }

  runTree(tree: TreeToRun): Promise<EndRecord> {
    return this.#journal.through(tree.name, () => this.#host.runTree(tree));
  }

  makeAddress(address: Parameters<ActionHost['makeAddress']>[0]): CallbackRound {
    return this.#host.makeAddress(address);
  }

  /** Of a collector, each call is noted: the rule decides again over the same answers. */
  async collect(calls: readonly PlacedCall[], terms: CollectTerms): Promise<void> {
    await this.#host.collect(calls, { ...terms, call: (placed, unwanted) => this.call(placed, unwanted) });
    await this.#journal.inThisRun();
  }

  raiseAndWait(intent: RaiseIntent, withinMs: number): Promise<RaiseOutcome> {
    const key = this.#key(`${intent.request.event} on ${entityId(intent.to)}`);
    return this.#journal.through(key, () => this.#host.raiseAndWait(intent, withinMs));
  }

  read(of: EntityRef, withinMs: number): Promise<SeenEntity | undefined> {
    return this.#journal.through(this.#key(`read ${entityId(of)}`), () => this.#host.read(of, withinMs));
  }

  reserve(targets: readonly EntityRef[], terms: ReservationTerms): Promise<readonly (ReservedEntity | undefined)[]> {
    const key = this.#key(`reserve ${targets.map(entityId).join(' ')}`);
    return this.#journal.through(key, () => this.#host.reserve(targets, terms));
  }

  #key(what: string): string {
    return `${++this.#asked} ${what}`;
  }
}
