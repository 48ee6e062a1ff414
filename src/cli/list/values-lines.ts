import type { EventValuesAnswer, ShownValue } from '../../service/values/value-schema.js';
import { NO_VALUE_WORDS } from '../../protocol/no-value-words.js';
import { colours } from '../colours.js';
import { paintOutcome } from './columns.js';
import { oneLine } from './table.js';
import { formatDuration, type Clock } from './time.js';

/** Prints the parameters of events, and the inputs and outputs of their calls, for people. S5.1 */
export function valuesLines(events: readonly EventValuesAnswer[], clock: Clock): readonly string[] {
  return events.flatMap((each) => eventLines(each, clock));
}

function eventLines(
  { entity, event, history, reason, parameters, construct, result, calls }: EventValuesAnswer,
  clock: Clock,
): readonly string[] {
  return [
    '',
    `${colours.bold(oneLine(`${entity} ${event}`))}${result ? `  ${paintOutcome(result.result)}` : ''}`,
    ...(history === 'complete' ? [] : [`  ${colours.yellow(`The history is ${history}. ${oneLine(reason ?? '')}`)}`]),
    ...valueLines('parameters', parameters),
    ...(construct ? valueLines('construct', construct) : []),
    ...calls.flatMap((call) => callLines(call, clock)),
  ];
}

function callLines(call: EventValuesAnswer['calls'][number], clock: Clock): readonly string[] {
  const { start_time: start, end_time: end, error, attempts, mode, action, worker } = call;
  const took = end === null ? 'has not ended' : formatDuration(start, end, clock);
  const tries = attempts > 1 ? `, attempt ${attempts}` : '';
  const by = worker === undefined ? '' : `, worker ${oneLine(worker)}`;
  return [
    `  ${oneLine(call.call)}  ${colours.dim(`${oneLine(action)}, ${mode}, ${took}${tries}${by}`)}`,
    ...valueLines('  input', call.input),
    ...(error
      ? [line('  failure', colours.red(oneLine(`${error.code}: ${error.message}`)))]
      : valueLines('  output', call.output)),
  ];
}

function valueLines(name: string, { status, value, reason, cut = [] }: ShownValue): readonly string[] {
  const because = reason !== undefined && status !== 'gone' ? `: ${oneLine(reason)}` : '';
  const said = status === 'recorded' ? JSON.stringify(value) : colours.dim(`${NO_VALUE_WORDS[status]}${because}`);
  return [line(name, said), ...(cut.length > 0 ? [line('', colours.dim(`left out: ${cut.join('; ')}`))] : [])];
}

function line(name: string, text: string): string {
  return `  ${colours.dim(name.padEnd(14))} ${text}`;
}
