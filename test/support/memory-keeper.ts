import { activityInfo } from '@temporalio/activity';
import { recordName, type RecordNames } from '../../src/protocol/record-names.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import type { Resumption } from '../../src/protocol/resumption.js';
import { lackingRecords } from '../../src/simulation/lacking-records.js';
import { RecordShelf } from '../../src/simulation/record-shelf.js';
import type { Recollection } from '../../src/protocol/past-request.js';
import type { RecordKeeper, RequestQuestion } from '../../src/temporal/record-keeper.js';

/** A store in memory that can be away, and forgets what it is only offered when it is told to. */
export class MemoryKeeper implements RecordKeeper {
  readonly offered: StoreRecord[] = [];
  readonly kept: StoreRecord[] = [];
  away = false;
  /** How often it was asked while it was away. */
  refusals = 0;
  /** Anything that it is offered is lost on the way. */
  losesOffers = false;
  readonly #shelf = new RecordShelf();

  offer(records: readonly StoreRecord[]): void {
    if (this.away) return;
    this.offered.push(...records);
    if (!this.losesOffers) this.#shelf.take(records);
  }

  /** All that it heard of entities that go on in another process. */
  readonly resumptions: Resumption[] = [];

  resume(resumption: Resumption): void {
    this.resumptions.push(resumption);
  }

  /** While it is there, confirming and keeping last until it is over. */
  gate: Promise<void> | undefined;
  /** All that has waited at the gate, and whether that held back the task at hand. */
  readonly waiting: { readonly count: number; readonly local: boolean }[] = [];
  /** The requests for which it was asked, question by question. */
  readonly questions: (readonly string[])[] = [];
  /** Records that were there already when it was asked for them. */
  confirmed = 0;
  /** Records that were brought to be kept. */
  brought = 0;

  async confirm(names: RecordNames): Promise<readonly string[]> {
    const asked = new Set(lackingRecords(names, () => undefined));
    await this.#answers(asked.size);
    const lacking = this.#shelf.lacking(names);
    for (const name of lacking) asked.delete(name);
    this.confirmed += asked.size;
    const isOfThese = (record: StoreRecord) => !('entity' in record) || record.entity.life === names.life;
    this.kept.push(...this.#shelf.all().filter((record) => isOfThese(record) && asked.has(recordName(record))));
    return lacking;
  }

  async keep(records: readonly StoreRecord[]): Promise<void> {
    await this.#answers(records.length);
    this.#shelf.take(records);
    this.brought += records.length;
    this.kept.push(...records);
  }

  async recall({ of, ids }: RequestQuestion): Promise<Recollection> {
    if (this.away) throw new Error('the store is unavailable');
    this.questions.push(ids);
    return this.#shelf.recall(of, ids);
  }

  async #answers(count: number): Promise<void> {
    if (this.gate) {
      this.waiting.push({ count, local: activityInfo().isLocal });
      await this.gate;
    }
    if (this.away) {
      this.refusals++;
      throw new Error('the store is unavailable');
    }
  }

  /** All that it knows: the newest of each name. */
  all(): readonly StoreRecord[] {
    return this.#shelf.all();
  }

  /** The kept records of a kind, the newest of each name, in the order of their first appearance. */
  ofKind<K extends StoreRecord['kind']>(kind: K): Extract<StoreRecord, { kind: K }>[] {
    return this.kept.filter((record): record is Extract<StoreRecord, { kind: K }> => record.kind === kind);
  }
}
