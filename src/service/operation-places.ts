import { entityId, type EntityRef } from '../protocol/names.js';
import type { Guard } from './guard.js';
import { keyIn, requestIdOf } from './request-id.js';
import { ProblemError } from './problem.js';
import type { ServiceStore } from './service-store.js';

/** How many are remembered here; the store knows the others. */
const MOST = 10_000;

/**
 * The entities on which operations were opened, so that each operation is found under its id alone from the answer on that has
 * named it: its workflow appears later, or never. S4.7
 */
export class OperationPlaces {
  readonly #store: ServiceStore | undefined;
  readonly #known = new Map<string, EntityRef>();

  constructor(store: ServiceStore | undefined) {
    this.#store = store;
  }

  /** Notes what an answer is about to say. */
  note(operation: string, on: EntityRef): void {
    const known = this.#known.get(operation);
    // One key may have been sent to several entities. The operation's id leads to the first.
    if (known && entityId(known) !== entityId(on)) return;
    this.#known.set(operation, on);
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value!);
  }

  /** Nothing where nobody knows the operation. @throws ProblemError 503 while only the store can know it and is away */
  async of(operation: string): Promise<EntityRef | undefined> {
    return this.#known.get(operation) ?? (await this.#store?.operationPlace(operation));
  }

  /**
   * The requests that were sent with an idempotency key: the caller's own, or else those of anybody for those who may read
   * everything. While the store is unavailable, only those that were answered here. sent-as.2
   */
  async sentAs(
    key: string,
    { credentials: { actor }, readable }: Pick<Guard, 'credentials' | 'readable'>,
  ): Promise<readonly { readonly id: string; readonly on: EntityRef }[]> {
    if (keyIn(key) !== undefined) return [];
    const here = [...this.#known].filter(([id]) => keyIn(id) === key).map(([id, on]) => ({ id, on }));
    const stored = (await this.#store?.sentRequests(key).catch(orNothing)) ?? [];
    const all = [...new Map([...here, ...stored].map((each) => [each.id, each])).values()];
    const own = all.filter(({ id, on }) => id === requestIdOf(key, actor, on));
    return own.length > 0 || !readable.everything ? own : all;
  }
}

function orNothing(thrown: unknown): readonly [] {
  if (thrown instanceof ProblemError && thrown.status === 503) return [];
  throw thrown;
}
