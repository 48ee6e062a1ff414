import type { RaiseRequest } from '../../protocol/request.js';
import { isInDoubt, UNASKED, type Clearance } from '../ledger/doubt.js';
import { noteLives } from '../ledger/ledger.js';
import type { LiveEntity } from './live-entity.js';

/** The questions of an entity to the store, about requests that only the store may know. S2.5 */
export class Questions {
  readonly #live: LiveEntity;
  #underWay = 0;

  constructor(live: LiveEntity) {
    this.#live = live;
  }

  /** Tells whether no question is under way. */
  get idle(): boolean {
    return this.#underWay === 0;
  }

  /** Tells whether an event cannot be decided before the store has been asked. */
  doubts(request: RaiseRequest, cleared?: Clearance): boolean {
    return isInDoubt(this.#live.entity, this.#live.snapshot, request, cleared);
  }

  /** Asks the store about those of the requests that are in doubt. */
  async clear(requests: readonly RaiseRequest[]): Promise<Clearance> {
    const live = this.#live;
    const ids = requests.filter((request) => this.doubts(request)).map(({ id }) => id);
    if (ids.length === 0) return UNASKED;
    const { forgotten } = live.snapshot.ledger;
    this.#underWay++;
    const told = await live.records.recall(live.snapshot, ids);
    this.#underWay--;
    if (!told) return { ...UNASKED, away: true };
    const { ledger } = live.snapshot;
    if (ledger.unasked !== undefined)
      live.change((snapshot) => ({ ...snapshot, ledger: noteLives(ledger, told.earlierLives) }));
    const known = new Map(told.requests.map((request) => [request.id, request]));
    return { asked: new Map(ids.map((id) => [id, known.get(id)])), forgotten, away: false };
  }
}
