/*
 * The keeper of the simulation: it finds entities that an operator has ended, and tells their watchers. S4.4
 *
 * keeper.1. All watchers are told in the end. They are told as late as the keeper and its message may be, and sometimes twice.
 */
import { toBeTold } from '../kernel/index.js';
import type { Lost } from '../protocol/successor-messages.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { Surroundings } from './surroundings.js';
import type { Workflow } from './workflow.js';

export class Keeper {
  readonly #world: Surroundings;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** An entity has been ended by force. */
  ended({ id, type, reading }: Workflow): void {
    const { faults, now } = this.#world;
    // The entity had not been created.
    if (!reading) return;
    const snapshot = reading as Snapshot;
    const { key, life } = snapshot;
    for (const to of toBeTold(snapshot)) {
      const message: Lost = { kind: 'lost', from: { type, key, life }, toLife: to.life };
      const tell = () => {
        const target = this.#world.running(entityId(to));
        if (!target) return;
        target.inbox.push({ kind: 'message', content: JSON.stringify(message) });
        this.#world.witness.tell({ kind: 'delivered', to, life: target.life, message });
      };
      for (const delay of faults.keeperDelays(now)) {
        this.#world.deliveries.add({ at: now + delay, what: `the loss of ${id} to ${entityId(to)}`, perform: tell });
      }
    }
  }
}
