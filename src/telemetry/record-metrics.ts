import { Counter, Histogram, type ObserveDataWithExemplar, type Registry } from 'prom-client';
import type { ErrorRecord } from '../protocol/error-record.js';
import { eventResult } from '../protocol/event-result.js';
import type { EventRecord, OperationRecord, TransitionRecord } from '../protocol/records.js';
import { ATTEMPT_BUCKETS, DURATION_BUCKETS } from './buckets.js';
import type { EndRecord } from './record-observer.js';

/** The longest request id in an exemplar. OpenMetrics has room for 128 characters, the name of the label included. */
const LONGEST_EXEMPLAR = 100;

/**
 * Measures of operations, events and transitions, made from what they tell the store. Labels are declared names and never keys
 * or ids, so that their number is limited. S5.5
 */
export class RecordMetrics {
  readonly #operations;
  readonly #operationSeconds;
  readonly #events;
  readonly #eventSeconds;
  readonly #transitions;
  readonly #transitionSeconds;
  readonly #stateSeconds;
  readonly #attempts;
  readonly #restarts;
  readonly #errors;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers });
    const histogram = <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) => {
      // A new histogram with exemplars cannot name a registry for the older format. Registered afterwards it is taken, and the
      // registry leaves the exemplars out when it is read.
      const made = new Histogram({ name, help, labelNames, buckets, registers: [], enableExemplars: true });
      registry.registerMetric(made);
      return made;
    };
    this.#operations = counter('reeve_operations_total', 'Operations ended.', 'type', 'event', 'outcome');
    this.#operationSeconds = histogram(
      'reeve_operation_duration_seconds',
      'From the request to the end of the operation.',
      DURATION_BUCKETS,
      ...(['type', 'event', 'outcome'] as const),
    );
    this.#events = counter('reeve_events_total', 'Events ended.', 'type', 'event', 'outcome');
    this.#eventSeconds = histogram(
      'reeve_event_duration_seconds',
      'From the acceptance of the event until the entity has settled.',
      DURATION_BUCKETS,
      ...(['type', 'event', 'outcome'] as const),
    );
    this.#transitions = counter('reeve_transitions_total', 'Transitions.', 'type', 'action', 'outcome');
    this.#transitionSeconds = histogram(
      'reeve_transition_duration_seconds',
      'From the event, or the start of the automatic action, to the transition.',
      DURATION_BUCKETS,
      ...(['type', 'action', 'outcome'] as const),
    );
    this.#stateSeconds = histogram(
      'reeve_state_duration_seconds',
      'From the entry into a state until it is left.',
      DURATION_BUCKETS,
      ...(['type', 'state'] as const),
    );
    this.#attempts = histogram(
      'reeve_action_attempts',
      'Executions of an automatic action until it was over.',
      ATTEMPT_BUCKETS,
      ...(['type', 'action', 'outcome'] as const),
    );
    this.#restarts = counter(
      'reeve_restarts_total',
      'Calls of events that were made again after a lost worker, and retries by operators.',
      'type',
      'event',
    );
    this.#errors = counter('reeve_errors_total', 'Errors, by who must act.', 'level', 'type', 'kind');
  }

  readonly observe = (record: EndRecord): void => {
    switch (record.kind) {
      case 'operation':
        return this.#operation(record);
      case 'event':
        return this.#event(record);
      case 'transition':
        return this.#transition(record);
    }
  };

  #operation({ id, name, outcome, startedAt, endedAt = startedAt, error }: OperationRecord): void {
    const labels = { ...partsOf(name), outcome };
    this.#operations.inc(labels);
    observe(this.#operationSeconds, labels, seconds(startedAt, endedAt), id);
    this.#error('operation', labels.type, error);
  }

  #event(record: EventRecord): void {
    const { entity, event, operation, startedAt, endedAt = startedAt, error, restarts } = record;
    const { type } = entity;
    // Only events that have ended are observed, so there is a result.
    const outcome = eventResult(record)!;
    const labels = { type, event, outcome };
    this.#events.inc(labels);
    if (outcome !== 'rejected') {
      observe(this.#eventSeconds, labels, seconds(startedAt, endedAt), operation);
    }
    if (restarts > 0) this.#restarts.inc({ type, event }, restarts);
    this.#error('event', type, error);
  }

  #transition(record: TransitionRecord): void {
    const { entity, action = '', outcome, startedAt, at, startState, startEnteredAt, error } = record;
    const labels = { type: entity.type, action, outcome };
    this.#transitions.inc(labels);
    observe(this.#transitionSeconds, labels, seconds(startedAt, at), record.operation);
    const again = outcome === 'failed' && record.endState === startState;
    if (record.type !== 'Event' && !again) {
      const inState = { type: entity.type, state: startState };
      observe(this.#stateSeconds, inState, seconds(startEnteredAt, at), record.operation);
    }
    if (record.type === 'AutoAction' && !again) {
      observe(this.#attempts, labels, record.retries + 1, record.operation);
    }
    this.#error('transition', entity.type, error);
  }

  #error(level: EndRecord['kind'], type: string, error: ErrorRecord | undefined): void {
    if (error) this.#errors.inc({ level, type, kind: error.kind });
  }
}

/** Counts a value, with its operation as the exemplar unless the request id is too long for OpenMetrics. S5.5 */
function observe<L extends string>(
  histogram: Histogram<L>,
  labels: Readonly<Record<L, string>>,
  value: number,
  operation: string,
): void {
  const exemplarLabels = operation.length > LONGEST_EXEMPLAR ? {} : { request_id: operation };
  // The types of the package allow only the labels of the histogram in exemplars.
  histogram.observe({ labels, value, exemplarLabels } as ObserveDataWithExemplar<L>);
}

function seconds(from: number, to: number): number {
  return Math.max(0, to - from) / 1_000;
}

/** The type and the event in the name of an operation, such as `create LogicalServer/orders`. */
function partsOf(name: string): { readonly type: string; readonly event: string } {
  const [event = '', entity = ''] = name.split(' ', 2);
  return { type: entity.split('/', 1)[0] ?? '', event };
}
