import { entityId, operationWorkflowId } from '../protocol/names.js';
import type { EntityDriver } from './driver.js';
import type { Effect } from './step.js';

/** What follows when an effect could not be carried out as it stood. */
export type Undeliverable = Extract<Effect, { kind: 'send' }>;

/**
 * Carries out effects: those to one target in order, others at the same time.
 *
 * O1. An operation has its workflow before anyone else can tell it something.
 * O2. Nothing is dropped: what finds no target comes back.
 */
export class Outbox {
  readonly #driver: EntityDriver;
  readonly #undeliverable: (effect: Undeliverable) => void;
  readonly #last = new Map<string, Promise<void>>();
  readonly #opening = new Map<string, Promise<void>>();
  #underWay = 0;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(driver: EntityDriver, undeliverable: (effect: Undeliverable) => void) {
    this.#driver = driver;
    this.#undeliverable = undeliverable;
  }

  /** Nothing is under way. */
  get empty(): boolean {
    return this.#underWay === 0;
  }

  /** @throws what a driver threw that no effect can throw: the workflow itself was ended. */
  throwFailure(): void {
    if (this.#failure) throw this.#failure.thrown;
  }

  post(effects: readonly Effect[]): void {
    for (const effect of effects) {
      const target = targetOf(effect);
      const before = [this.#last.get(target), ...(effect.kind === 'open' ? [] : this.#opening.values())];
      this.#underWay++;
      const done = this.#carryOut(effect, before).finally(() => {
        this.#underWay--;
        if (this.#last.get(target) === done) this.#last.delete(target);
        if (this.#opening.get(target) === done) this.#opening.delete(target);
      });
      this.#last.set(target, done);
      if (effect.kind === 'open') this.#opening.set(target, done);
    }
  }

  async #carryOut(effect: Effect, before: readonly (Promise<void> | undefined)[]): Promise<void> {
    try {
      await Promise.all(before);
      await this.#perform(effect);
    } catch (thrown) {
      this.#failure ??= { thrown };
    }
  }

  async #perform(effect: Effect): Promise<void> {
    switch (effect.kind) {
      case 'open':
        return this.#driver.openOperation(effect.operation);
      case 'tell':
        return this.#driver.tellOperation(effect.operation, effect.message);
      case 'create': {
        const { creation, to } = effect;
        if ((await this.#driver.createEntity(to, creation)) === 'created' || !creation.request) return;
        // It exists: the event goes to it and gets its declared answer.
        return this.#perform({ kind: 'send', to, message: { kind: 'raise', key: to.key, request: creation.request } });
      }
      case 'send':
        if ((await this.#driver.sendMessage(effect.to, effect.message)) === 'absent') this.#undeliverable(effect);
    }
  }
}

function targetOf(effect: Effect): string {
  if (effect.kind === 'open') return operationWorkflowId(effect.operation.id);
  if (effect.kind === 'tell') return operationWorkflowId(effect.operation);
  return entityId(effect.to);
}
