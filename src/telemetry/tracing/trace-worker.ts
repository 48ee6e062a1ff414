import type { CallObserver } from '../../temporal/call-observer.js';
import type { RecordObserver } from '../record-observer.js';
import { spanOfCall } from './call-span.js';
import { spanOf } from './record-spans.js';
import type { Traces } from './traces.js';

/** Makes spans of the records of a worker's entities and operations. */
export function traceRecords(traces: Pick<Traces, 'add'>): RecordObserver {
  return (record) => traces.add(spanOf(record));
}

/** Makes spans of the resource calls of a worker. */
export function traceCalls(traces: Pick<Traces, 'add'>): CallObserver {
  return (call) => {
    const span = spanOfCall(call);
    if (span) traces.add(span);
  };
}
