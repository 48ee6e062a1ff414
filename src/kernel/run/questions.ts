import type { AnyEntity } from '../../definition/entity.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { EntityRef } from '../../protocol/names.js';
import type { PastRequest, Recollection } from '../../protocol/past-request.js';
import type { Ledger, Snapshot } from '../../protocol/snapshot.js';
import { isInDoubt, mustWait, requestIn, UNASKED, withdraws, withhold, type Clearance } from '../ledger/doubt.js';
import type { EntityDriver } from './driver.js';
import type { Cleared } from '../turns/hear.js';
import { isDoubtful, isKnown, mustBeTold, noteLives } from '../ledger/ledger.js';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
const ASK_AGAIN = 'ask the store about requests again';

/** The code that runs the entity. */
interface QuestionsHost {
  snapshot(): Snapshot;
  change(snapshot: Snapshot): void;
  hear(message: EntityMessage, cleared: Cleared): void;
  /** Asks the store. There is no answer while it is away. */
  recall(ids: readonly string[]): Promise<Recollection | undefined>;
}

/** The questions of an entity to the store, about requests that only the store may know. S2.5 */
export class Questions {
  readonly #entity: AnyEntity;
  readonly #driver: EntityDriver;
  readonly #host: QuestionsHost;
  #underWay = 0;
  #settling = false;

  constructor(entity: AnyEntity, driver: EntityDriver, host: QuestionsHost) {
    this.#entity = entity;
    this.#driver = driver;
    this.#host = host;
  }

  /** Tells whether no question is under way. */
  get idle(): boolean {
    return this.#underWay === 0;
  }

  /** Tells whether an event cannot be decided before the store has been asked. */
  doubts(request: RaiseRequest, cleared?: Clearance): boolean {
    return isInDoubt(this.#entity, this.#host.snapshot(), request, cleared);
  }

  /** Asks the store about those of the requests that are in doubt. */
  async clear(requests: readonly RaiseRequest[]): Promise<Clearance> {
    const ids = requests.filter((request) => this.doubts(request)).map(({ id }) => id);
    if (ids.length === 0) return UNASKED;
    const { forgotten } = this.#host.snapshot().ledger;
    this.#underWay++;
    const told = await this.#host.recall(ids);
    this.#underWay--;
    if (!told) return { ...UNASKED, away: true };
    const { snapshot, change } = this.#host;
    const { ledger } = snapshot();
    if (ledger.unasked !== undefined) change({ ...snapshot(), ledger: noteLives(ledger, told.earlierLives) });
    const known = new Map(told.requests.map((request) => [request.id, request]));
    return { asked: new Map(ids.map((id) => [id, known.get(id)])), forgotten, away: false };
  }

  /** Takes a message that has to wait for the store; false when it does not. */
  withholds(message: EntityMessage): boolean {
    const snapshot = this.#host.snapshot();
    if (!mustWait(this.#entity, snapshot, message)) return false;
    this.#host.change(withhold(snapshot, message));
    this.begin();
    return true;
  }

  /** Asks about the messages that wait, until none is left. */
  begin(): void {
    if (this.#settling || !this.#host.snapshot().doubted) return;
    this.#settling = true;
    void this.#settle();
  }

  async #settle(): Promise<void> {
    for (let failures = 0; ;) {
      const { doubted } = this.#host.snapshot();
      if (!doubted) break;
      const cleared = await this.clear(doubted.flatMap((message) => requestIn(this.#entity, message) ?? []));
      this.#hear(cleared);
      failures = cleared.away ? failures + 1 : 0;
      if (cleared.away) await this.#driver.until(() => false, retryAfter(failures), ASK_AGAIN);
    }
    this.#settling = false;
  }

  /** Takes in the messages that need not wait any more, in order. */
  #hear(cleared: Clearance): void {
    const { doubted = [], ...rest } = this.#host.snapshot();
    this.#host.change(rest);
    for (const message of doubted) {
      const snapshot = this.#host.snapshot();
      const request = requestIn(this.#entity, message);
      // The event is known to have ended. While the store is unavailable, its sender is told how the entity stands.
      const told = request && cleared.away && isKnown(snapshot.ledger, request.id);
      if (!told && mustWait(this.#entity, snapshot, message, cleared)) this.#host.change(withhold(snapshot, message));
      else
        this.#host.hear(message, {
          past: request && cleared.asked.get(request.id),
          withdrawn: doubted.some((each) => withdraws(each, message)),
        });
    }
  }
}

/** The store's answer about a request, and what the entity knows from that. */
export interface Told {
  readonly ledger: Ledger;
  readonly past?: PastRequest;
}

/**
 * Gives what the store says of a request on an entity that does not live. Where the key had an earlier life, it waits for the answer
 * however long that takes.
 */
export async function askUntilTold(
  driver: EntityDriver,
  of: EntityRef,
  ledger: Ledger,
  request: RaiseRequest,
): Promise<Told> {
  return (await askUnless(() => false, driver, of, ledger, request))!;
}

/** The same, but it asks no further once `enough` holds: then there may be no answer. */
export async function askUnless(
  enough: () => boolean,
  driver: EntityDriver,
  of: EntityRef,
  ledger: Ledger,
  request: RaiseRequest,
): Promise<Told | undefined> {
  if (!isDoubtful(ledger, request)) return { ledger };
  for (let failures = 1; ; failures++) {
    const { life } = driver.identity;
    const told = await driver.records.recall({ type: of.type, key: of.key, life }, [request.id], failures > 1);
    const [past] = told?.requests ?? [];
    if (told) return { ledger: noteLives(ledger, told.earlierLives), ...(past && { past }) };
    if (!mustBeTold(ledger, request)) return { ledger };
    if (enough() || (await driver.until(enough, retryAfter(failures), ASK_AGAIN))) return undefined;
  }
}

function retryAfter(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
