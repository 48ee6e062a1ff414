import type { OperationDriver, OperationHandlers } from '../../src/operations/driver.js';
import { runOperation, type OperationInput, type OperationRunEnd } from '../../src/operations/operation-life.js';
import type { OperationStatus } from '../../src/operations/status.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import { entityId, type EntityRef } from '../../src/protocol/names.js';
import { NOTHING_KNOWN } from '../../src/protocol/past-request.js';
import type { OperationRecord, StoreRecord } from '../../src/protocol/records.js';
import { StillClock } from './still-clock.js';

/** One run of an operation whose participants speak by hand, with a clock that stands still until it is moved. */
export class LoneOperation extends StillClock {
  handlers: OperationHandlers | undefined;
  end: OperationRunEnd | undefined;
  rollsOver = false;
  /** Tells whether this build began the run. */
  asksAgain = true;
  /** Tells whether the store can be reached. */
  storing = true;
  readonly sent: { readonly to: EntityRef; readonly message: EntityMessage }[] = [];
  readonly offered: OperationRecord[] = [];
  readonly kept: OperationRecord[] = [];
  readonly handedOn: OperationRecord[] = [];
  readonly warnings: { readonly message: string; readonly attributes: unknown }[] = [];
  readonly shown: OperationStatus[] = [];
  /** Entities that nothing can be delivered to. */
  readonly absent = new Set<string>();
  /** While set, nothing that is sent arrives. */
  gate: Promise<void> | undefined;

  constructor(input: OperationInput) {
    super();
    void runOperation(this.#driver(), input).then((end) => (this.end = end));
  }

  async hear(...messages: readonly unknown[]): Promise<void> {
    await this.calm();
    for (const message of messages) this.handlers!.message(message);
    await this.calm();
  }

  /** Lists what was sent since the last time: `inquiry to Box/b`. */
  taken(): readonly string[] {
    return this.sent.splice(0).map(({ to, message }) => `${message.kind} to ${entityId(to)}`);
  }

  #driver(): OperationDriver {
    const operations = (records: readonly StoreRecord[]) => records.filter((record) => record.kind === 'operation');
    return {
      records: {
        offer: (records) => this.offered.push(...operations(records)),
        confirm: async () => (this.storing ? [] : undefined),
        keep: async (records) => {
          if (this.storing) this.kept.push(...operations(records));
          return this.storing;
        },
        recall: async () => NOTHING_KNOWN,
        handOn: async (records) => void this.handedOn.push(...operations(records)),
      },
      now: () => this.now,
      until: (predicate, timeoutMs) => this.until(predicate, timeoutMs),
      serve: (handlers) => (this.handlers = handlers),
      sendMessage: async (to, message) => {
        this.sent.push({ to, message });
        await this.gate;
        return this.absent.has(entityId(to)) ? 'absent' : 'delivered';
      },
      show: (status) => this.shown.push(status),
      asksAgain: () => this.asksAgain,
      shouldRollOver: () => this.rollsOver,
      warn: (message, attributes) => this.warnings.push({ message, attributes }),
    };
  }
}
