import { ResourceError } from '../../src/protocol/errors.js';

/** All that the components of scenarios write down and ask for. */
export class World {
  readonly #notes = new Map<string, string[]>();
  readonly #keys = new Set<string>();
  readonly #absent = new Map<string, number>();

  /** A call that is made again writes nothing new. */
  note(rig: string, text: string, idempotencyKey: string): { text: string } {
    if (!this.#keys.has(idempotencyKey)) this.#notes.set(rig, [...this.notes(rig), text]);
    this.#keys.add(idempotencyKey);
    return { text };
  }

  notes(rig: string): readonly string[] {
    return this.#notes.get(rig) ?? [];
  }

  absent(name: string, times: number): void {
    this.#absent.set(name, times);
  }

  /** Tells whether something of that name is there. */
  has(name: string): boolean {
    if (name === 'broken') throw new ResourceError('wrong_address', 'That can be the address of nothing.');
    const left = this.#absent.get(name) ?? 0;
    if (left > 0) this.#absent.set(name, left - 1);
    return left === 0;
  }
}
