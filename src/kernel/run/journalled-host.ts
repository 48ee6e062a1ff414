import type { RaiseOutcome } from '../../definition/action-context.js';
import type { CallbackRound } from '../../protocol/callback.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { ReservedEntity, SeenEntity } from '../../protocol/reading.js';
import type { Place, Snapshot } from '../../protocol/snapshot.js';
import type { Named } from '../ledger/stable-names.js';
import type { RaiseIntent } from '../successors/raise.js';
import type { EndRecord } from '../../definition/end-record.js';
import type { TreeToRun } from './action-tree.js';
import type { ActionJournal } from './action-journal.js';
import type { ActionHost, ScopeHost } from './action-scope.js';
import type { ReservationTerms } from './awaiting.js';
import type { CollectTerms } from './collecting.js';
import type { PlacedCall } from './placed-call.js';

/** Runs an action, and notes whatever it learns, so that another run can go on with it. A1 */
export class JournalledHost implements ScopeHost {
  readonly #host: ActionHost;
  readonly #journal: ActionJournal;

  constructor(host: ActionHost, journal: ActionJournal) {
    this.#host = host;
    this.#journal = journal;
  }

  snapshot(): Snapshot {
    return this.#host.snapshot();
  }

  now(): number {
    return this.#journal.reading('now()', () => this.#host.now());
  }

  reading<T>(what: string, read: () => T): T {
    return this.#journal.reading(what, read);
  }

  isAlone(): boolean {
    return this.#journal.open === 0;
  }

  noteAsked(named: Named): void {
    this.#host.noteAsked(named);
  }

  call(placed: PlacedCall): Promise<unknown> {
    return this.#through(...contentOf(placed), () => this.#host.call(placed));
  }

  runTree(tree: TreeToRun): Promise<EndRecord> {
    const { description } = tree;
    return this.#through(`run ${description.kind}`, [description], () => this.#host.runTree(tree));
  }

  makeAddress(address: Parameters<ActionHost['makeAddress']>[0]): CallbackRound {
    return this.#host.makeAddress(address);
  }

  /** Of a collector, each call is noted, and the end of its time: the rule decides again over the same answers. */
  async collect(calls: readonly PlacedCall[], terms: CollectTerms): Promise<void> {
    const journal = this.#journal;
    const time = journal.ask(`collect ${calls.length} answers`, [terms.withinMs, terms.atOnce]);
    const places = new Map(calls.map((placed) => [placed, journal.ask(...contentOf(placed))]));
    await this.#host.collect(calls, {
      ...terms,
      call: (placed, wanted) => journal.through(places.get(placed)!, () => this.#host.call(placed, wanted)),
      inTime: (holds, wait) => journal.inTime(time, holds, wait),
    });
    await journal.inThisRun();
  }

  raiseAndWait(intent: RaiseIntent, withinMs: number): Promise<RaiseOutcome> {
    const { to, creates, role, request } = intent;
    const { event, params, construct, mayBeRejected } = request;
    const content = [params, construct, creates, role, mayBeRejected, withinMs];
    return this.#through(`${event} on ${entityId(to)}`, content, (place) =>
      this.#host.raiseAndWait(intent, withinMs, place),
    );
  }

  read(of: EntityRef, withinMs: number): Promise<SeenEntity | undefined> {
    return this.#through(`read ${entityId(of)}`, [withinMs], (place) => this.#host.read(of, withinMs, place));
  }

  reserve(to: EntityRef, terms: ReservationTerms): Promise<ReservedEntity | undefined> {
    return this.#through(`reserve ${entityId(to)}`, [terms], (place) => this.#host.reserve(to, terms, place));
  }

  async #through<T>(what: string, content: readonly unknown[], perform: (place: Place) => Promise<T>): Promise<T> {
    const ask = this.#journal.ask(what, content);
    return this.#journal.through(ask, () => perform({ ask }));
  }
}

function contentOf({ call, input, on }: PlacedCall): [what: string, content: readonly unknown[]] {
  return [call.activity, [input, on]];
}
