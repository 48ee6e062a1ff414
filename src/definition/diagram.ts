import { abortsIn, rejectionIn } from './busy.js';
import { describeDuration, describePredicate, describeTime } from './describe.js';
import { displayEvent } from './display-name.js';
import type { AnyEntity } from './entity.js';
import { describeGuards } from './guard.js';
import { asList } from './names.js';
import { describeCalendar } from './calendar/calendar-words.js';
import { calendarOf } from './timer.js';
import { isSubscribedIn } from './subscribed.js';
import { stateArrows, type ArrowCause } from './state-arrows.js';
import type { State } from './state.js';

const STYLES = [
  'classDef unstable stroke-dasharray: 5 4',
  'classDef waiting stroke-width: 3px',
  'classDef terminal stroke-width: 3px, stroke-dasharray: 1 3',
  'classDef error fill: #fde2e1, stroke: #b42318, color: #7a1a12',
];

/** The declaration as a Mermaid state diagram: unstable states dashed, waiting ones bold, terminal ones dotted, error states red. */
export function mermaidDiagram(entity: AnyEntity): string {
  const states = Object.entries(entity.states);
  const lines: string[] = states.flatMap(([name, state]) => box(name, state));
  for (const [name, { initial, ending }] of states) {
    if (initial) lines.push(`[*] --> ${identifier(name)}`);
    if (ending !== undefined) lines.push(`${identifier(name)} --> [*]`);
  }
  // One arrow stands for all between the same two states, since Mermaid draws only one of several from a state to itself.
  for (const { from, to, causes } of stateArrows(entity)) {
    const labels = causes.map((cause) => text(causeInWords(entity, cause)));
    lines.push(`${identifier(from)} --> ${identifier(to)}: ${labels.join('<br/>')}`);
  }
  for (const [name, { stability, waiting, ending, health }] of states) {
    if (stability === 'unstable') lines.push(`class ${identifier(name)} unstable`);
    if (waiting) lines.push(`class ${identifier(name)} waiting`);
    if (ending === 'terminal') lines.push(`class ${identifier(name)} terminal`);
    if (health === 'error') lines.push(`class ${identifier(name)} error`);
    lines.push(...note(entity, name));
  }
  return ['stateDiagram-v2', ...[...STYLES, ...lines].map((line) => `  ${line}`)].join('\n');
}

/** `delete [locked is false] / beginDeletion`, or `install (automatic)`. */
function causeInWords(entity: AnyEntity, { action, event }: ArrowCause): string {
  if (action === undefined) return 'attempts used up';
  if (event === undefined) return `${action} (automatic)`;
  const guards = describeGuards(entity.events[event]?.when);
  return [displayEvent(entity, event), ...(guards ? [guards] : []), `/ ${action}`].join(' ');
}

/**
 * The line for a state that has words for people, or a name that Mermaid does not take. Any other state appears through its
 * transitions.
 */
function box(name: string, { displayName = name, description }: State): readonly string[] {
  const id = identifier(name);
  if (id === displayName && !description) return [];
  return [`state "${text(displayName)}" as ${id}`, ...(description ? [`${id}: ${text(description)}`] : [])];
}

/** Tells what the entity waits for in a state, and what time raises there. */
function note(entity: AnyEntity, state: string): readonly string[] {
  const valid = ({ raise }: { readonly raise: string }) => asList(entity.events[raise]?.in).includes(state);
  const subscriptions = Object.values(entity.subscriptions).filter((each) => isSubscribedIn(entity, each, state));
  const answers = Object.keys(entity.events).filter((event) => entity.events[event]!.answer && valid({ raise: event }));
  const { deadline, deploys, ended } = entity.states[state]!;
  const after = [...subscriptions.map(({ timeout }) => timeout), deadline].filter((timer) => timer !== undefined);
  const lines = [
    ...(deploys !== undefined && ended !== undefined
      ? [`${deploys} runs`, `${displayEvent(entity, ended)} when ${deploys} ends`]
      : []),
    ...answers.map((event) => `${displayEvent(entity, event)} from outside`),
    ...subscriptions.map(({ raise, when }) => `${displayEvent(entity, raise)} when ${describePredicate(when)}`),
    ...after.filter(valid).map((timer) => `${displayEvent(entity, timer.raise)} ${describeTime(timer)}`),
    ...Object.values(entity.limits ?? {})
      .filter((limit) => limit.in.includes(state))
      .map(
        ({ raise, after, in: states }) =>
          `${displayEvent(entity, raise)} after ${describeDuration(after)} in ${states.join(', ')}`,
      ),
    ...Object.values(entity.timers)
      .filter(valid)
      .map((timer) => {
        const calendar = calendarOf(timer);
        const when = calendar ? describeCalendar(calendar) : `every ${describeDuration(timer.every!)}`;
        return `${displayEvent(entity, timer.raise)} ${when}`;
      }),
    ...busyLines(entity, state),
  ];
  return lines.length === 0 ? [] : [`note right of ${identifier(state)}: ${lines.map(text).join('<br/><br/>')}`];
}

/** Lists the events that do not wait while the automatic action of a state runs. */
function busyLines(entity: AnyEntity, state: string): readonly string[] {
  if (entity.states[state]!.stability !== 'unstable') return [];
  const all = Object.keys(entity.events).filter((event) => !entity.events[event]!.internal);
  const rejected = all.filter((event) => rejectionIn(entity, event, state));
  const others = all.filter((event) => !rejected.includes(event));
  const aborting = Object.keys(entity.events).filter(
    (event) => asList(entity.events[event]!.in).includes(state) && abortsIn(entity, event, state),
  );
  const said = (events: readonly string[]) => events.map((event) => displayEvent(entity, event)).join(', ');
  const most = rejected.length > others.length;
  return [
    ...(aborting.length > 0 ? [`aborted by ${said(aborting)}`] : []),
    ...(rejected.length > 0 && !most ? [`rejects ${said(rejected)} while it runs`] : []),
    ...(most ? [`rejects all${others.length > 0 ? ` but ${said(others)}` : ''} while it runs`] : []),
  ];
}

/** Words that Mermaid reads as its own, in whatever case. */
const MERMAID = /^(state|note|class|classdef|default|scale|style|click|href|acctitle|accdescr|statediagram)$/i;

/** The name of a state, made one that Mermaid takes for a name. No name of a state ends with an underscore. */
function identifier(state: string): string {
  return MERMAID.test(state) ? `${state}_` : state;
}

/** Text in one line, with the characters that mean something to Mermaid or HTML as character codes. */
function text(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .replace(/[#:;<>&"`*\\{}[\]]|--|%%/g, (special) =>
      [...special].map((character) => `#${character.codePointAt(0)};`).join(''),
    );
}
