import { NOTHING_KNOWN } from '../protocol/past-request.js';
import { withOperation } from '../protocol/ended-operation.js';
import type { EventRecord, OperationRecord, StoreRecord, TransitionRecord } from '../protocol/records.js';
import type { RecordKeeper } from '../temporal/record-keeper.js';
import { RecentNames } from './recent-names.js';

/** A record of something that is over. */
export type EndRecord = OperationRecord | EventRecord | TransitionRecord;

/** Is called once for everything that is over. It never throws. */
export type RecordObserver = (record: EndRecord) => void;

/** How many records are remembered: a worker that takes over from another one may soon tell some of them again. */
const REMEMBERED = 20_000;

/**
 * Shows observers what a worker offers to its store, as it happens. So a measure may be one too high or too low after a worker
 * has died. The rows of the store are exact. S5.5
 */
export function observeRecords(keeper: RecordKeeper | undefined, observers: readonly RecordObserver[]): RecordKeeper {
  const seen = new RecentNames(REMEMBERED);
  return {
    offer(records) {
      keeper?.offer(records);
      for (const record of records.flatMap(withOperation)) {
        if (!isOver(record) || !seen.add(nameOf(record))) continue;
        for (const observe of observers) observe(record);
      }
    },
    resume: (resumption) => keeper?.resume(resumption),
    confirm: async (names) => (await keeper?.confirm(names)) ?? [],
    keep: async (records) => keeper?.keep(records),
    recall: async (question) => (await keeper?.recall(question)) ?? NOTHING_KNOWN,
    ...(keeper?.feed && { feed: keeper.feed }),
  };
}

function isOver(record: StoreRecord): record is EndRecord {
  switch (record.kind) {
    case 'transition':
      return true;
    case 'operation':
    case 'event':
      return record.endedAt !== undefined;
    default:
      return false;
  }
}

function nameOf(record: EndRecord): string {
  if (record.kind === 'operation') return `operation ${record.id}`;
  return `${record.entity.life} ${record.kind === 'event' ? record.id : record.version}`;
}
