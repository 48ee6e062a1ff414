/*
 * Takes the values of one event out of the histories of the runs that handled it.
 *
 * run-values.1. A value belongs to the event only if its payload names the event, or the store has exactly the calls that the history
 *     has at that millisecond. What cannot be told apart is not recorded.
 */
import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { defaultPayloadConverter, type Payload, type ProtoFailure } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { messageOf } from '../../definition/thrown.js';
import type { EntityInput } from '../../kernel/index.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import { isMessageName, isRaiseUpdate } from '../../protocol/message-names.js';
import { timeOfId } from '../../protocol/request-id.js';
import type { RaiseRequest, SignalOptions } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { CallEnvelope } from '../../temporal/call-envelope.js';
import { protoMilliseconds } from '../explain/timestamp.js';
import { failureMessage } from '../failure-message.js';
import type { AskedEvent, CallValues, Recorded, RequestValues } from './event-values.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = readonly Payload[] | null | undefined;

/** The marker of an inline call. */
const INLINE_MARKER = 'core_local_activity';
/** The most calls of one event that are shown: the first ones. */
const MOST_CALLS = 200;
/** How long before the task that takes it in a plain signal may have come, in milliseconds. */
const SIGNAL_WAITS_MS = 60_000;
/** Workflow time and the time of Temporal differ by this many milliseconds at most. */
export const CLOCK_SLACK_MS = 5_000;

interface OpenCall extends Omit<CallValues, 'output' | 'error'> {
  /** The question whose answer is the output of a callback. */
  readonly question?: string;
  output?: Recorded;
  error?: { readonly code: string; readonly message: string };
  attempts: number;
  worker?: string;
  endedAt?: number;
  earlierError?: string;
}

interface InlineMarker {
  readonly call: string;
  readonly seq: number;
  /** When it ended by the entity's clock, in milliseconds since 1970. */
  readonly at: number;
  readonly output?: Recorded;
}

export class RunValues {
  readonly #client: Client;
  readonly #asked: AskedEvent;
  #request: RaiseRequest | undefined;
  readonly #signals: unknown[] = [];
  /** By run and the number of the event of history that scheduled it. */
  readonly #calls = new Map<string, OpenCall>();
  readonly #answers = new Map<string, { readonly at: number; readonly params: unknown }>();
  readonly #markers: InlineMarker[] = [];
  #unreadable: string | undefined;
  #omitted = 0;

  constructor(client: Client, asked: AskedEvent) {
    this.#client = client;
    this.#asked = asked;
  }

  /** Why some payloads could not be read. */
  get unreadable(): string | undefined {
    return this.#unreadable;
  }

  /** How many calls were left out. */
  get omitted(): number {
    return this.#omitted;
  }

  get request(): RequestValues | undefined {
    const request = this.#request;
    if (request) {
      const { params, construct, from } = request;
      return {
        ...(params !== undefined && { params }),
        ...(construct && { construct }),
        ...(from && { from: from.type }),
      };
    }
    // One that names no request can only be told apart by its time.
    const [params] = this.#signals;
    return this.#signals.length === 1 ? { ...(params !== undefined && { params }) } : undefined;
  }

  get calls(): readonly CallValues[] {
    const made = [...this.#calls.values()].map(({ question, ...call }): CallValues => {
      if (question === undefined) return call;
      const { output: _, endedAt: __, ...asked } = call;
      const answered = this.#answers.get(question);
      if (call.error) return call;
      if (!answered) return asked;
      const { output, error } = answered.params as { output?: unknown; error?: CallValues['error'] };
      return { ...asked, endedAt: answered.at, ...(error ? { error } : { output: { value: output } }) };
    });
    return [...made, ...this.#inline()].toSorted((one, other) => one.startedAt - other.startedAt);
  }

  /** Takes in one event of a run's history, in their order. */
  async take(run: string, event: HistoryEvent): Promise<void> {
    const at = protoMilliseconds(event.eventTime) ?? 0;
    const {
      workflowExecutionStartedEventAttributes: started,
      workflowExecutionUpdateAcceptedEventAttributes: update,
      workflowExecutionSignaledEventAttributes: signal,
      activityTaskScheduledEventAttributes: scheduled,
      markerRecordedEventAttributes: marker,
    } = event;
    if (started) return this.#begin(await this.#decode(started.input?.payloads), at);
    if (update) {
      const { name, args } = update.acceptedRequest?.input ?? {};
      if (name && isRaiseUpdate(name)) await this.#raise(args?.payloads, at);
    } else if (signal) await this.#signal(signal.signalName ?? '', signal.input?.payloads, at);
    else if (scheduled) await this.#schedule(`${run} ${String(event.eventId)}`, scheduled, at);
    else if (marker?.markerName === INLINE_MARKER) await this.#mark(marker.details ?? {});
    else await this.#end(run, event, at);
  }

  #begin([given]: readonly unknown[], at: number): void {
    const input = given as EntityInput | undefined;
    if (input?.kind === 'create') this.#requests([input.request], at);
    else if (input) this.#carried(input.snapshot, at);
  }

  /** An event that has come in an earlier run, and is carried into this one. */
  #carried({ waiting, doubted = [], running, postponed, engagements }: Snapshot, at: number): void {
    this.#requests(waiting, at);
    for (const message of doubted) this.#message(message, at);
    if (this.#request) return;
    const { id } = this.#asked;
    const action = postponed?.engagement?.id === id ? postponed.running : engagements.at(-1)?.id === id && running;
    if (action && action.kind === 'event')
      this.#request = { id, event: this.#asked.event, ...(action.params !== undefined && { params: action.params }) };
  }

  async #raise(payloads: Payloads, at: number): Promise<void> {
    const [requests] = await this.#decode(payloads);
    if (Array.isArray(requests)) this.#requests(requests as readonly RaiseRequest[], at);
  }

  #requests(requests: readonly (RaiseRequest | undefined)[], at: number): void {
    for (const request of requests) {
      if (!request) continue;
      if (request.id === this.#asked.id) this.#request ??= request;
      for (const { question } of this.#calls.values())
        if (question !== undefined && question === request.id)
          this.#answers.set(question, { at, params: request.params });
    }
  }

  #message(message: EntityMessage, at: number): void {
    if (message.kind === 'raise') this.#requests([message.request], at);
  }

  async #signal(name: string, payloads: Payloads, at: number): Promise<void> {
    if (isMessageName(name)) {
      if (!name.startsWith('raise ')) return;
      const [message] = await this.#decode(payloads);
      if (message) this.#message(message as EntityMessage, at);
      return;
    }
    const { id, event } = this.#asked;
    if (name !== event || this.#request) return;
    const [params, options] = await this.#decode(payloads);
    const { request } = (options ?? {}) as SignalOptions;
    if (request === id) this.#request = { id, event, ...(params !== undefined && { params }) };
    const taken = timeOfId(id) ?? this.#asked.startedAt;
    if (request === undefined && at <= taken + 1 && at >= taken - SIGNAL_WAITS_MS) this.#signals.push(params);
  }

  async #schedule(
    name: string,
    scheduled: NonNullable<HistoryEvent['activityTaskScheduledEventAttributes']>,
    startedAt: number,
  ): Promise<void> {
    const { startedAt: from } = this.#asked;
    if (startedAt < from - CLOCK_SLACK_MS) return;
    const [envelope] = (await this.#decode(scheduled.input?.payloads)) as readonly (CallEnvelope | undefined)[];
    if (!envelope || envelope.event !== this.#asked.id || envelope.withdrawn) return;
    if (this.#calls.size >= MOST_CALLS) {
      this.#omitted++;
      return;
    }
    const call = scheduled.activityType?.name ?? '';
    const { question, input } = envelope;
    this.#calls.set(name, {
      ...{ call, action: actionOf(envelope.idempotencyKey, call), mode: question ? 'callback' : 'activity', startedAt },
      ...{ input: { value: input }, attempts: 1 },
      ...(question && { question: question.id }),
    });
  }

  async #end(run: string, event: HistoryEvent, at: number): Promise<void> {
    const {
      activityTaskStartedEventAttributes: started,
      activityTaskCompletedEventAttributes: completed,
      activityTaskFailedEventAttributes: failed,
      activityTaskTimedOutEventAttributes: timedOut,
      activityTaskCanceledEventAttributes: canceled,
    } = event;
    const ended = started ?? completed ?? failed ?? timedOut ?? canceled;
    const call = ended && this.#calls.get(`${run} ${String(ended.scheduledEventId)}`);
    if (!call) return;
    if (started) {
      call.attempts = started.attempt ?? 1;
      if (started.identity) call.worker = started.identity;
      const earlier = started.lastFailure && (await failureMessage(this.#client, started.lastFailure));
      if (earlier) call.earlierError = earlier;
      return;
    }
    call.endedAt = at;
    if (completed) {
      const result = await this.#recorded(completed.result?.payloads);
      if (result) call.output = outputOf(result);
    } else if (canceled) call.error = { code: 'canceled', message: 'It was canceled.' };
    else call.error = await this.#errorOf((failed ?? timedOut)?.failure);
  }

  async #errorOf(failure: ProtoFailure | null | undefined): Promise<{ code: string; message: string }> {
    const message = (await failureMessage(this.#client, failure)) ?? 'History does not say why.';
    const code = failure?.timeoutFailureInfo ? 'call_timed_out' : failure?.applicationFailureInfo?.type;
    return { code: code || 'call_failed', message };
  }

  async #mark(details: Readonly<Record<string, { readonly payloads?: Payloads }>>): Promise<void> {
    if (this.#asked.inline.length === 0) return;
    const [note] = details['data']?.payloads ?? [];
    if (!note) return;
    // The core of the SDK writes it without a codec.
    const data = defaultPayloadConverter.fromPayload<MarkerData>(note);
    const output = await this.#recorded(details['result']?.payloads);
    this.#markers.push({
      ...{ call: data.activity_type, seq: data.seq, at: protoMilliseconds(data.complete_time) ?? 0 },
      ...(output && { output: outputOf(output) }),
    });
  }

  /** run-values.1 */
  #inline(): readonly CallValues[] {
    return this.#asked.inline.map((row, index, rows) => {
      const { error, endedAt, ...call } = row;
      const isSame = (each: { readonly call: string }, at: number | undefined) =>
        each.call === row.call && at === endedAt;
      const alike = rows.filter((each) => isSame(each, each.endedAt));
      const found = this.#markers
        .filter((marker) => isSame(marker, marker.at))
        .toSorted((one, other) => one.seq - other.seq);
      const before = rows.slice(0, index).filter((each) => isSame(each, each.endedAt)).length;
      const output = found.length === alike.length ? found[before]?.output : undefined;
      return {
        ...{ ...call, mode: 'inline', attempts: 1 },
        ...(endedAt !== undefined && { endedAt }),
        ...(error ? { error } : output && { output }),
      };
    });
  }

  /** The values; none where they cannot be read. */
  async #decode(payloads: Payloads): Promise<readonly unknown[]> {
    if (!payloads || payloads.length === 0) return [];
    try {
      return await decodeArrayFromPayloads(this.#client.options.loadedDataConverter, [...payloads]);
    } catch (thrown) {
      this.#unreadable ??= messageOf(thrown);
      return [];
    }
  }

  async #recorded(payloads: Payloads): Promise<Recorded | undefined> {
    if (!payloads || payloads.length === 0) return undefined;
    try {
      const [value] = await decodeArrayFromPayloads(this.#client.options.loadedDataConverter, [...payloads]);
      return { value };
    } catch (thrown) {
      return { unreadable: messageOf(thrown) };
    }
  }
}

/** The note that the core of the SDK makes of an inline call. */
interface MarkerData {
  readonly seq: number;
  readonly activity_type: string;
  readonly complete_time?: { readonly seconds?: unknown; readonly nanos?: number };
}

/** The output in the answer to a call. */
function outputOf(result: Recorded): Recorded {
  return 'value' in result ? { value: (result.value as { readonly output?: unknown } | undefined)?.output } : result;
}

/** The action, by an idempotency key: `Box/a#LIFE/1/put/shelf.put/1`. */
function actionOf(key: string, call: string): string {
  const parts = key.split('/');
  return parts[parts.lastIndexOf(call) - 1] ?? '';
}
