import type { OperationDriver, OperationHandlers } from '../operations/driver.js';
import { runOperation, type OperationInput } from '../operations/operation-life.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import type { EntityRef } from '../protocol/names.js';
import type { RecordDriver } from '../recording/driver.js';
import type { Instance, Program } from './instance.js';
import { recordDriver } from './record-driver.js';

/** The workflow code of an operation, as it runs on Temporal. */
export const operationProgram: Program = async (instance, argument) => {
  const end = await runOperation(new SimulatedOperationDriver(instance), argument as OperationInput);
  if (end.kind === 'ended') return { kind: 'closed', result: end.result };
  return { kind: 'rollover', argument: end.next };
};

class SimulatedOperationDriver implements OperationDriver {
  readonly records: RecordDriver;
  readonly #instance: Instance;

  constructor(instance: Instance) {
    this.records = recordDriver(instance);
    this.#instance = instance;
  }

  now(): number {
    return this.#instance.clock.now();
  }

  until(predicate: () => boolean, timeoutMs?: number): Promise<boolean> {
    return this.#instance.until(predicate, timeoutMs);
  }

  serve(handlers: OperationHandlers): void {
    this.#instance.serve({ reading: () => handlers.status(), message: (content) => handlers.message(content) });
  }

  async sendMessage(to: EntityRef, message: EntityMessage): Promise<'delivered' | 'absent'> {
    return (await this.#instance.command('send', { to, message })) as 'delivered' | 'absent';
  }

  show(): void {
    // The simulation looks at the status itself.
  }

  asksAgain(): boolean {
    return true;
  }

  shouldRollOver(): boolean {
    return this.#instance.rollOver;
  }

  warn(): void {
    // Messages in a simulation are never malformed.
  }
}
