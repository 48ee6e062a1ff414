import { activityInfo } from '@temporalio/activity';
import type { StoreRecord } from '../../src/protocol/records.js';
import type { RecordKeeper } from '../../src/temporal/record-keeper.js';

/** A store in memory that can be away, and forgets what it is only offered when it is told to. */
export class MemoryKeeper implements RecordKeeper {
  readonly offered: StoreRecord[] = [];
  readonly kept: StoreRecord[] = [];
  away = false;
  /** How often it was asked to keep while it was away. */
  refusals = 0;

  offer(records: readonly StoreRecord[]): void {
    if (!this.away) this.offered.push(...records);
  }

  /** While it is there, keeping lasts until it is over. */
  gate: Promise<void> | undefined;
  /** What has waited at the gate, and whether that held back the task at hand. */
  readonly waiting: { readonly count: number; readonly local: boolean }[] = [];

  async keep(records: readonly StoreRecord[]): Promise<void> {
    if (this.gate) {
      this.waiting.push({ count: records.length, local: activityInfo().isLocal });
      await this.gate;
    }
    if (this.away) {
      this.refusals++;
      throw new Error('the store is away');
    }
    this.kept.push(...records);
  }

  /** The kept records of a kind, the newest of each name, in the order of their first appearance. */
  ofKind<K extends StoreRecord['kind']>(kind: K): Extract<StoreRecord, { kind: K }>[] {
    return this.kept.filter((record): record is Extract<StoreRecord, { kind: K }> => record.kind === kind);
  }
}
