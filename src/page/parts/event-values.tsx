import { NO_VALUE_WORDS } from '../../protocol/no-value-words.js';
import { useReading } from '../api/reading.js';
import type { EventValuesAnswer, ShownValue } from '../api/shapes.js';
import { Badge, OutcomeBadge } from './badge.js';
import { Commands } from './commands.js';
import { Empty, Notice, Read } from './notice.js';
import { lasting } from './time.js';

/** The open part of an event: nothing, its values, or its values with the call that was clicked. */
export interface OpenValues {
  readonly call?: { readonly name: string; readonly start: number };
}

/** With so many calls, each is shown open. */
const FEW = 3;

type CallValues = EventValuesAnswer['calls'][number];

/** Shows the parameters and the result of an event, and the input and output of each call. */
export function EventValues({
  event,
  operation,
  call: chosen,
}: OpenValues & { readonly event: number; readonly operation: string }) {
  const path = `/api/events/${event}/values`;
  const reading = useReading<EventValuesAnswer>(path);
  return (
    <>
      <Read reading={reading.value}>
        {({ history, reason, parameters, construct, result, calls }) => (
          <>
            {history !== 'complete' && (
              <Notice tone={history === 'incomplete' ? 'quiet' : 'warn'} title={TITLES[history]}>
                {reason}
              </Notice>
            )}
            <dl class="value-list">
              <Named name="Parameters" of={parameters} />
              {construct && <Named name="Values of the new entity" of={construct} />}
              <Result of={result} />
            </dl>
            {calls.length === 0 && history === 'complete' && <Empty>It has made no calls.</Empty>}
            {calls.length > 0 && (
              <ol class="call-values">
                {calls.map((call, index) => (
                  <Call key={index} call={call} open={calls.length <= FEW || call === chosenOf(calls, chosen)} />
                ))}
              </ol>
            )}
          </>
        )}
      </Read>
      <Commands call={{ method: 'GET', path, reeve: `reeve operations show ${operation} --values` }} />
    </>
  );
}

const TITLES = {
  incomplete: 'The history is not complete.',
  gone: 'The history is gone.',
  unreadable: 'The history is encrypted.',
};

/** The call that was clicked: the nearest of its name. */
function chosenOf(calls: readonly CallValues[], chosen: OpenValues['call']): CallValues | undefined {
  if (!chosen) return undefined;
  const distance = ({ start_time: start }: CallValues) => Math.abs(Date.parse(start) - chosen.start);
  // A call begins for its entity a moment before Temporal has it.
  return calls.filter((each) => each.call === chosen.name).toSorted((one, other) => distance(one) - distance(other))[0];
}

function Result({ of }: { readonly of: EventValuesAnswer['result'] }) {
  if (!of) return null;
  const wrong = of.rejection ?? of.error;
  return (
    <div>
      <dt>Result</dt>
      <dd>
        <OutcomeBadge outcome={of.result} /> {of.state !== null && <>in {of.state}</>}
        {of.version !== null && <span class="faint">, version {of.version}</span>}
        {wrong && (
          <p class="line bad">
            {of.rejection && 'Rejected: '}
            {wrong.message} ({wrong.code})
          </p>
        )}
      </dd>
    </div>
  );
}

function Call({ call, open }: { readonly call: CallValues; readonly open: boolean }) {
  const { start_time: start, end_time: end, error, attempts, earlier_error: earlier, worker } = call;
  return (
    <li class={error ? 'bad' : ''}>
      <details open={open}>
        <summary>
          <strong class="mono">{call.call}</strong> <span class="faint">{call.action}</span>{' '}
          {call.mode !== 'activity' && <span class="count">{call.mode}</span>}{' '}
          {error && <Badge tone="bad">{error.code}</Badge>}{' '}
          <span class="faint">
            {end === null ? 'has not ended' : lasting(Date.parse(end) - Date.parse(start))}
            {attempts > 1 && `, attempt ${attempts}`}
            {worker !== undefined && `, worker ${worker}`}
          </span>
        </summary>
        {earlier !== undefined && <p class="line bad">Before: {earlier}</p>}
        <dl class="value-list">
          <Named name="Input" of={call.input} />
          {error ? (
            <div>
              <dt>Failure</dt>
              <dd class="bad">{error.message}</dd>
            </div>
          ) : (
            <Named name="Output" of={call.output} />
          )}
        </dl>
      </details>
    </li>
  );
}

/** Shows one value, or why there is none. */
export function Named({ name, of }: { readonly name: string; readonly of: ShownValue }) {
  const { status, value, reason, masked = [], cut = [] } = of;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {status === 'recorded' ? (
          <pre class="json" tabIndex={0} aria-label={name}>
            {JSON.stringify(value, undefined, 2)}
          </pre>
        ) : (
          <span class="faint">
            {NO_VALUE_WORDS[status]}
            {reason !== undefined && status !== 'gone' && `: ${reason}`}
          </span>
        )}
        {masked.length > 0 && <p class="hint">Masked: {masked.join(', ')}.</p>}
        {cut.length > 0 && <p class="hint">Left out: {cut.join('; ')}.</p>}
      </dd>
    </div>
  );
}
