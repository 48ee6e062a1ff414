import { ResourceError } from '../../src/protocol/errors.js';
import { implementResource, type ImplementedResource } from '../../src/temporal/resources.js';
import { shelf } from '../entities/box.js';

/** A shelf whose behaviour tests choose by the name of the box. */
export class Shelf {
  /** How often `put` still fails for a name. */
  readonly failures = new Map<string, number>();
  /** The idempotency keys with which `put` was called for a name. */
  readonly keys = new Map<string, string[]>();
  /** Names for which `put` ends only when its worker does. */
  readonly hung = new Set<string>();
  readonly #gates = new Map<string, { readonly opened: Promise<void>; open(): void }>();

  /** Lets `put` wait for a name, until it is opened. */
  hold(name: string): { open(): void } {
    let open!: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const gate = { opened, open };
    this.#gates.set(name, gate);
    return gate;
  }

  get resource(): ImplementedResource {
    return implementResource(shelf, {
      put: async ({ name }, { idempotencyKey, signal }) => {
        this.keys.set(name, [...(this.keys.get(name) ?? []), idempotencyKey]);
        await this.#gates.get(name)?.opened;
        if (this.hung.has(name)) await new Promise((_, end) => signal.addEventListener('abort', end));
        const left = this.failures.get(name) ?? 0;
        if (left > 0) {
          this.failures.set(name, left - 1);
          throw new ResourceError('shelf_full', `no room for ${name}`);
        }
        return { place: name.length };
      },
      look: async ({ name }) => {
        if (name.startsWith('lost-')) throw new ResourceError('not_on_shelf', `${name} is not on the shelf`);
        return { place: name.length * 10 };
      },
    });
  }
}
