import type { Recollection } from '../../protocol/past-request.js';
import { countOf, type RecordNames } from '../../protocol/record-names.js';
import type { StoreRecord } from '../../protocol/records.js';
import type { Resumption } from '../../protocol/resumption.js';
import type { Certain, Feed, RecordKeeper, RequestQuestion } from '../../temporal/record-keeper.js';
import { Feeding } from '../feed/feeding.js';
import type { Listener } from '../feed/listeners.js';
import { recallRequests } from '../queries/requests.js';
import { retentionFrom, type Retention } from '../environment.js';
import { AUDIT_ENTRIES, auditRow, type AuditEntry } from '../rows/audit-row.js';
import type { RejectedEvent } from '../rows/rejection-row.js';
import type { EntityRef } from '../../protocol/names.js';
import type { Row } from './table.js';
import { FIRST_RESPONSES } from '../rows/first-response-row.js';
import type { RowSecrets } from '../secrets/row-secrets.js';
import { Availability, StoreAway } from './availability.js';
import { confirmRecords } from './confirm-records.js';
import { GroupCommit } from './group-commit.js';
import { noteLives, type Reached } from './lives.js';
import { Offering } from './offering.js';
import type { QueueLimits } from './offer-queue.js';
import { deletePhantoms, deleteStandingBeyond } from './phantoms.js';
import { Rejections } from './rejections.js';
import { noteResumptions } from './resumptions.js';
import { SignOfLife } from './sign-of-life.js';
import { within } from './time-limit.js';
import { writeKept, writeOffered } from './write-records.js';
import { writeRows, type Database } from './write-rows.js';
import { messageOf } from '../../definition/thrown.js';

export interface WriterOptions extends Partial<Retention> {
  /** The database for offers. These may be lost, so a commit need not wait for the disk. */
  readonly offers: Database;
  readonly keeps: Database;
  readonly secrets?: RowSecrets;
  /** How many offered records may wait. Default: 100,000 records and 64 MB. */
  readonly limits?: QueueLimits;
  /** How long `keep` may take, and the question of `confirm`, in milliseconds. Default: 2,000. */
  readonly keepWithinMs?: number | undefined;
  /** Is called with messages that a person should read: the store is unavailable or back, or does not take a row. */
  readonly warn?: (message: string) => void;
}

/** All that the writer has done and still has to do, for metrics. S5.5 */
export interface WriterMeasures {
  /** Records that were offered and written. */
  readonly written: number;
  /** Records that were already in the store when they were to be confirmed. */
  readonly confirmed: number;
  /** Records that were sent to be kept. */
  readonly kept: number;
  /** Records that were offered and dropped, because too many waited. */
  readonly dropped: number;
  /** Rows that PostgreSQL does not take. */
  readonly refused: number;
  /** Batches and questions that failed because the store was unavailable. */
  readonly failures: number;
  /** Records that wait or are being written, and their approximate size as JSON. */
  readonly queued: number;
  readonly queuedBytes: number;
  /** How long the oldest of them has waited, in milliseconds. */
  readonly lagMs: number;
  readonly away: boolean;
}

/** How long offers have to be written before the store is asked for them, in milliseconds. */
const FLUSH_MS = 2_000;

interface FirstResponse {
  readonly request_id: string;
  readonly at: number;
  readonly type: string;
  readonly key: string;
}

/** Writes what entities, operations and the service tell: in batches, idempotently, and without blocking anybody. S5.2 */
export class StoreWriter implements RecordKeeper {
  readonly #availability = new Availability();
  readonly #offering: Offering;
  readonly feed: Feed;
  readonly #keeping: GroupCommit<StoreRecord>;
  readonly #auditing: GroupCommit<AuditEntry>;
  readonly #feeding: GroupCommit<Certain>;
  readonly #listening: GroupCommit<Listener>;
  readonly #responding: GroupCommit<FirstResponse>;
  readonly #rejecting: GroupCommit<RejectedEvent>;
  readonly #resuming: GroupCommit<Resumption>;
  readonly #sign: SignOfLife;
  readonly #warn: (message: string) => void;
  readonly #keeps: Database;
  readonly #secrets: RowSecrets | undefined;
  /** Offers whose secrets are being encrypted. */
  #hiding: Promise<void> = Promise.resolve();
  /** Resumptions that are being noted. */
  #noting: Promise<void> = Promise.resolve();
  readonly #keepWithinMs: number;
  #confirmed = 0;
  #refused = 0;
  #failures = 0;

  constructor({
    offers,
    keeps,
    secrets,
    limits,
    keepWithinMs = 2_000,
    rejectionsKeptMs = retentionFrom({}).rejectionsKeptMs,
    changesKeptMs = retentionFrom({}).changesKeptMs,
    warn = () => undefined,
  }: WriterOptions) {
    this.#warn = warn;
    this.#keeps = keeps;
    this.#secrets = secrets;
    this.#keepWithinMs = keepWithinMs;
    const refused = (table: string, row: object, reason: string) => {
      this.#refused++;
      warn(`The store rejects a row of '${table}'. The row is left out (${reason}): ${JSON.stringify(row)}`);
    };
    const group = <T>(write: (items: readonly T[]) => Promise<void>) =>
      new GroupCommit<T>(this.#availability, (items) => this.#watch(write(items)), keepWithinMs);
    this.#sign = new SignOfLife((statement) => within(keepWithinMs, this.#watch(keeps.query(statement))));
    const { writer } = this.#sign;
    const offeredLimits = limits ?? { records: 100_000, bytes: 64_000_000 };
    this.#offering = new Offering(offeredLimits, this.#availability, async (records) => {
      // The rows say who had the entities until it is noted that they went on here.
      await this.#noting;
      await this.#watch(writeOffered(offers, records, refused, writer));
    });
    this.#resuming = group((resumptions) => noteResumptions(keeps, resumptions, writer));
    const feeding = new Feeding(keeps, changesKeptMs, refused);
    const rejections = new Rejections(keeps, rejectionsKeptMs, refused);
    this.#rejecting = group((rejected) => rejections.write(rejected));
    this.#keeping = group(async (records) => {
      await writeKept(keeps, records, refused);
      if (records.some(({ kind }) => kind === 'decision')) await rejections.forget();
      await feeding.trim();
    });
    this.#feeding = group((all) =>
      feeding.append(
        all.flatMap(({ transitions }) => transitions),
        all.flatMap(({ waits }) => waits),
      ),
    );
    this.#listening = group((listeners) => feeding.note(listeners));
    this.feed = {
      isWanted: () => within(keepWithinMs, this.#watch(feeding.haveListeners())),
      append: (certain) => this.#feeding.add([certain]),
    };
    this.#auditing = group((entries) => writeRows(keeps, AUDIT_ENTRIES, entries.map(auditRow), true, refused));
    this.#responding = group((responses) => writeRows(keeps, FIRST_RESPONSES, earliest(responses), true, refused));
  }

  offer(records: readonly StoreRecord[]): void {
    if (records.some(({ kind }) => kind === 'entity')) this.#sign.begin();
    if (!this.#secrets?.concerns(records)) return this.#offering.add(records);
    // Offers stay in their order, and the keys are at hand as a rule.
    this.#hiding = this.#hiding.then(async () => this.#offering.add(await this.#hide(records)));
    this.#hiding = this.#hiding.catch((thrown: unknown) => {
      // They are brought again when their entity rests.
      this.#warn(`Records cannot be encrypted: ${messageOf(thrown)}`);
    });
  }

  resume(resumption: Resumption): void {
    this.#sign.begin();
    // A resumption that cannot be noted now is lost: it is a count, and nothing depends on it.
    const noted = this.#resuming.add([resumption]).catch(() => undefined);
    this.#noting = Promise.all([this.#noting, noted]).then(() => undefined);
  }

  async #hide(records: readonly StoreRecord[]): Promise<readonly StoreRecord[]> {
    return this.#secrets?.hide(records) ?? records;
  }

  /** @throws StoreAway within about four seconds */
  async confirm(names: RecordNames): Promise<readonly string[]> {
    this.#availability.check();
    await this.#hiding;
    await this.#offering.flush(FLUSH_MS);
    const lacking = await within(this.#keepWithinMs, this.#watch(confirmRecords(this.#keeps, names)));
    this.#confirmed += countOf(names) - lacking.length;
    return lacking;
  }

  /** @throws StoreAway within about two seconds */
  async keep(records: readonly StoreRecord[]): Promise<void> {
    if (!this.#secrets?.concerns(records)) return this.#keeping.add(records);
    return this.#keeping.add(await this.#hide(records));
  }

  /**
   * Writes what has happened in a life, which had come to this version at this time. What was only offered, is from before that time
   * and goes beyond the version never happened: it is deleted.
   * @throws StoreAway within about two seconds
   */
  async keepLife(reached: Reached, records: readonly StoreRecord[]): Promise<void> {
    const { life, version } = reached;
    // The row of an entity goes only where it comes again, or where the entity never came to be.
    const comes = records.some((record) => record.kind === 'entity' && record.entity.life === life);
    if (comes || version === 0) await this.#watch(deleteStandingBeyond(this.#keeps, reached));
    if (records.length > 0) await this.keep(records);
    const lives = [{ ...reached, from: version }];
    await this.#watch(noteLives(this.#keeps, lives).then(() => deletePhantoms(this.#keeps, lives)));
  }

  /** @throws StoreAway within about two seconds */
  async recall({ of, ids }: RequestQuestion): Promise<Recollection> {
    this.#availability.check();
    return within(this.#keepWithinMs, this.#watch(recallRequests(this.#keeps, of, ids)));
  }

  /** Writes to the audit trail. Returns when the entries are written. S6.5 @throws StoreAway within about two seconds */
  audit(entries: readonly AuditEntry[]): Promise<void> {
    return this.#auditing.add(entries);
  }

  /** Writes rejected events. Returns when they are written. S2.2 @throws StoreAway within about two seconds */
  reject(rejected: readonly RejectedEvent[]): Promise<void> {
    return this.#rejecting.add(rejected);
  }

  /**
   * Notes when the service first answered a request, in milliseconds since 1970: the earliest counts. The operation was opened on
   * an entity. S5.1, S4.7
   * @throws StoreAway within about two seconds
   */
  noteFirstResponse(requestId: string, at: number, { type, key }: EntityRef): Promise<void> {
    return this.#responding.add([{ request_id: requestId, at, type, key }]);
  }

  /** Notes how far somebody has come who listens to the feed. L4 @throws StoreAway within about two seconds */
  noteListener(listener: Listener): Promise<void> {
    return this.#listening.add([listener]);
  }

  measures(): WriterMeasures {
    const { queue, written } = this.#offering;
    return {
      written,
      confirmed: this.#confirmed,
      kept: this.#keeping.written,
      dropped: queue.dropped,
      refused: this.#refused,
      failures: this.#failures,
      queued: queue.length,
      queuedBytes: queue.bytes,
      lagMs: queue.lagMs(Date.now()),
      away: this.#availability.reason !== undefined,
    };
  }

  /** Writes the records that wait, unless the store is unavailable. */
  async close(): Promise<void> {
    await this.#hiding;
    await Promise.all([
      this.#offering.close(),
      this.#keeping.close(),
      this.#auditing.close(),
      this.#responding.close(),
      this.#feeding.close(),
      this.#listening.close(),
      this.#rejecting.close(),
      this.#resuming.close(),
    ]);
    await this.#sign.end();
  }

  async #watch<T>(writing: Promise<T>): Promise<T> {
    let written: T;
    try {
      written = await writing;
    } catch (thrown) {
      this.#failures++;
      const reason = messageOf(thrown);
      const first = this.#availability.reason === undefined;
      this.#availability.failed(reason);
      const away = new StoreAway(reason);
      if (first) this.#warn(away.message);
      throw away;
    }
    if (this.#availability.reason !== undefined) this.#warn('The store can be written to again.');
    this.#availability.worked();
    return written;
  }
}

function earliest(responses: readonly FirstResponse[]): readonly Row[] {
  const first = new Map<string, FirstResponse>();
  for (const response of responses) {
    const known = first.get(response.request_id);
    if (!known || response.at < known.at) first.set(response.request_id, response);
  }
  return [...first.values()].map((response) => ({ ...response }));
}
