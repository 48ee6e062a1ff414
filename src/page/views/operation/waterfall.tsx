import { useSignal } from '@preact/signals';
import { now } from '../../api/reading.js';
import type { CallRow, EventRow } from '../../api/shapes.js';
import { Answered } from '../../parts/answered.js';
import { eventInWords, ResultMark, stateInWords, wentWrong } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';
import { Empty } from '../../parts/notice.js';
import { bothClocks, lasting } from '../../parts/time.js';
import { To } from '../../parts/to.js';
import type { OpenValues } from '../../parts/event-values.js';
import { Values, ValuesButton } from '../../parts/values-button.js';
import { stepsOf, type Step } from './tree.js';

/** The picture has this many units across, whatever its width. */
const ACROSS = 1_000;
const ROW = 26;

/** The events of an operation as a tree, each with the time that it took: its transitions and calls are marks in it. */
export function Waterfall({
  events,
  calls,
}: {
  readonly events: readonly EventRow[];
  readonly calls: readonly CallRow[];
}) {
  const steps = stepsOf(events, calls);
  if (steps.length === 0) return <Empty>It is not in the store yet.</Empty>;
  const begin = Math.min(...steps.map(({ start }) => start));
  const goesOn = steps.some(({ end }) => end === undefined);
  const last = Math.max(...steps.map(({ end, start }) => end ?? start), goesOn ? now.value : 0);
  const span = Math.max(1, last - begin);
  const x = (time: number) => Math.round(((time - begin) / span) * ACROSS * 10) / 10;
  return (
    <ol class="waterfall">
      {steps.map((step) => (
        <StepRow key={step.row.event_id} step={step} x={x} last={last} />
      ))}
      <li class="scale" aria-hidden="true">
        <span />
        <span>0</span>
        <span>{lasting(span)}</span>
      </li>
    </ol>
  );
}

interface StepProps {
  readonly step: Step;
  readonly x: (time: number) => number;
  readonly last: number;
}

function StepRow({ step: { row, depth, start, end, calls }, x, last }: StepProps) {
  const values = useSignal<OpenValues | undefined>(undefined);
  const { state_machine_type: type, '@reeve.caller': caller } = row;
  const states = [row.start_state, row.end_state].map((state) => (state === null ? '…' : stateInWords(type, state)));
  const width = Math.max(3, x(end ?? last) - x(start));
  const took = end === undefined ? `${lasting(last - start)} so far` : lasting(end - start);
  return (
    <li class={wentWrong(row['@reeve.result']) ? 'bad' : ''}>
      <span class={`what depth-${Math.min(depth, 6)}`}>
        <EntityLink id={`${type}/${row.keys}`} /> <span class="faint">{eventInWords(type, row.event)}</span>{' '}
        <ResultMark result={row['@reeve.result']} />
        <span class="way-of">
          {states[0]}
          <To />
          {states[1]}
          {caller !== undefined && `, by ${caller}`}{' '}
          <ValuesButton open={values} about={`${row.event} on ${type}/${row.keys}`} />
        </span>
        <Answered calls={calls} />
        {row.workflow_error && <span class="way-of">{row.workflow_error.error_details}</span>}
      </span>
      <svg
        class="bars"
        viewBox={`0 0 ${ACROSS} ${ROW}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${row.event}: ${took}`}
      >
        <rect class={`span ${end === undefined ? 'running' : ''}`} x={x(start)} y={5} width={width} height={ROW - 10}>
          <title>{`${row.event}: ${took}, from ${bothClocks(start)}`}</title>
        </rect>
        {calls.map((call, index) => (
          <CallBar
            key={index}
            call={call}
            x={x}
            last={last}
            onClick={() => (values.value = { call: { name: call.call_name, start: Date.parse(call.start_time) } })}
          />
        ))}
        {(row.transitions ?? []).map((each) => (
          <rect
            key={each.transition_ordinal}
            class="tick"
            x={x(Date.parse(each.transition_time)) - 1}
            y={3}
            width={2.4}
            height={ROW - 6}
          >
            <title>{`${each.start_state} → ${each.end_state}${each.action_name === null ? '' : `, ${each.action_name}`}`}</title>
          </rect>
        ))}
      </svg>
      <span class="took">{took}</span>
      <Values event={row.event_id} operation={row.request_id} open={values} />
    </li>
  );
}

function CallBar({
  call,
  x,
  last,
  onClick,
}: {
  readonly call: CallRow;
  readonly x: (time: number) => number;
  readonly last: number;
  /** By pointer; the button beside it does the same with all calls. */
  readonly onClick: () => void;
}) {
  const start = Date.parse(call.start_time);
  const end = call.end_time === null ? last : Date.parse(call.end_time);
  const said = call.error_code === null ? '' : `: ${call.error_code}`;
  return (
    <rect
      class={`call ${call.error_code === null ? '' : 'bad'}`}
      x={x(start)}
      y={9}
      width={Math.max(2, x(end) - x(start))}
      height={ROW - 18}
      onClick={onClick}
    >
      <title>{`${call.call_name} (${call.mode}) ${lasting(end - start)}${said}`}</title>
    </rect>
  );
}
