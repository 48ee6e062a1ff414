import type { Client } from '@temporalio/client';
import { firstLedger, isAnothers, isDoubtful, pastAnswer, repeatedAnswer, tryAgain } from '../kernel/index.js';
import { Rejected } from '../protocol/errors.js';
import type { Answer } from '../protocol/answer.js';
import type { LivingRef } from '../protocol/refs.js';
import type { RaiseRequest } from '../protocol/request.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import type { PastRequest, Recollection } from '../protocol/past-request.js';
import type { Ledger } from '../protocol/snapshot.js';
import { readLastLife } from '../temporal/last-life.js';

/** Asks the store which requests have been accepted on an entity. @throws while it is away */
export type RecallRequests = (question: {
  readonly of: LivingRef;
  readonly ids: readonly string[];
}) => Promise<Recollection>;

/** Answers requests on entities that do not live, from what they have left in Temporal, and from the store. S1.3, S2.5 */
export class PastReader {
  readonly #client: Client;
  readonly #ask: RecallRequests | undefined;

  constructor(client: Client, ask: RecallRequests | undefined) {
    this.#client = client;
    this.#ask = ask;
  }

  /**
   * Tells what the store knows of a request that creates; `away` where only the store can know it and is away; nothing when it is
   * new. For a life that exists, the request may still be new: then that life decides.
   */
  async recall(to: EntityRef, request: RaiseRequest): Promise<PastRequest | 'away' | undefined> {
    const told = await this.#recall(to, firstLedger(Date.now(), undefined), [request]);
    return told === 'away' ? told : told.get(request.id);
  }

  /**
   * Tells what the store knows of a request of which an entity knows only the id. Nothing where there is no store, or the store has
   * not kept it.
   * @throws Rejected `try_again` while the store is unavailable
   */
  async outcome(
    of: EntityRef,
    request: { readonly id: string; readonly event: string },
  ): Promise<PastRequest | undefined> {
    const told = await this.#askFor(of, [request.id]);
    if (told !== 'away') return told.get(request.id);
    const entity = entityId(of);
    const message =
      `The request '${request.id}' was accepted by ${entity} long ago. Only the store has its outcome, and the store is unavailable. ` +
      `Try again in a moment.`;
    throw new Rejected({ code: 'try_again', message, entity, event: request.event });
  }

  /** Answers for an entity that does not exist: one of these events may have deleted it, or it took them long ago. */
  async answers(to: EntityRef, requests: readonly RaiseRequest[]): Promise<readonly Answer[]> {
    const last = await readLastLife(this.#client, to);
    const told = await this.#recall(to, last?.ledger ?? firstLedger(Date.now(), undefined), requests);
    return requests.map((request): Answer => {
      const past = told === 'away' ? undefined : told.get(request.id);
      if (last && isAnothers(last, request)) return absent(to, request.event);
      const known = last ? repeatedAnswer(last, request, past) : past && pastAnswer(to, request, past);
      if (known) return known;
      const doubtful = told === 'away' && isDoubtful(last?.ledger ?? firstLedger(Date.now(), undefined), request);
      return doubtful ? { status: 'rejected', rejection: tryAgain(to, request) } : absent(to, request.event);
    });
  }

  /** Asks what the store knows of the requests of which the ledger is not sure. */
  async #recall(
    to: EntityRef,
    ledger: Ledger,
    requests: readonly RaiseRequest[],
  ): Promise<ReadonlyMap<string, PastRequest> | 'away'> {
    return this.#askFor(
      to,
      requests.filter((request) => isDoubtful(ledger, request)).map(({ id }) => id),
    );
  }

  async #askFor(to: EntityRef, ids: readonly string[]): Promise<ReadonlyMap<string, PastRequest> | 'away'> {
    if (!this.#ask || ids.length === 0) return new Map();
    try {
      const told = await this.#ask({ of: { type: to.type, key: to.key, life: '' }, ids });
      return new Map(told.requests.map((request) => [request.id, request]));
    } catch (thrown) {
      if (thrown instanceof Error && thrown.name === 'StoreAway') return 'away';
      throw thrown;
    }
  }
}

function absent(to: EntityRef, event: string): Answer {
  const message = `${entityId(to)} does not exist. Create it first, or check the key.`;
  return { status: 'rejected', rejection: { code: 'absent', message, entity: entityId(to), event } };
}
