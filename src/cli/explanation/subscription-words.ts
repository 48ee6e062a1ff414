import { colours as pc } from '../colours.js';
import type { SuccessorStanding, Unmet, Wait } from '../../kernel/index.js';
import { ahead } from './time-words.js';

/** How many names are listed; more would not help. */
const MOST_NAMES = 5;

/** A subscription, and below it what keeps its pattern from appearing. */
export function subscriptionLines(wait: Extract<Wait, { kind: 'subscription' }>, now: number): readonly string[] {
  const { event, pattern, unmet, used, again, guard } = wait;
  if (again !== undefined) return [`${event} failed, and is raised again ${ahead(again, now)}: ${pattern}`];
  if (used) return [pc.dim(`${event} has been raised already: ${pattern}`)];
  if (guard !== undefined)
    return [
      pc.yellow(`waits for ${event}: allowed only if ${guard}`),
      ...unmet.flatMap(unmetLines).map((line) => `  ${line}`),
    ];
  if (unmet.length === 0) return [`${event} is about to be raised: ${pattern}`];
  const [only] = unmet;
  if (unmet.length === 1 && only?.kind === 'pattern' && only.pattern === pattern) {
    return [`waits for ${event}: ${pattern}: ${keepingWords(only)}`];
  }
  return [`waits for ${event}: ${pattern}`, ...unmet.flatMap(unmetLines).map((line) => `  ${line}`)];
}

function unmetLines(unmet: Unmet): readonly string[] {
  if (unmet.kind === 'either') {
    return ['either', ...unmet.choices.flatMap((choice) => choice.flatMap(unmetLines).map((line) => `  ${line}`))];
  }
  return [`${pc.dim(`not met: ${unmet.pattern}:`)} ${keepingWords(unmet)}`];
}

/** The successors that keep a part from holding. */
function keepingWords({ successors, passing }: Extract<Unmet, { kind: 'pattern' }>): string {
  const named = successors.slice(0, MOST_NAMES).map(standingWords);
  const left = successors.length - named.length;
  const counted = passing === undefined ? [] : [`${passing} so far`];
  const why = [...counted, ...named, ...(left > 0 ? [`${left} more`] : [])].join(', ');
  return why || 'there is none yet';
}

function standingWords({ entity, is, state, message }: SuccessorStanding): string {
  switch (is) {
    case 'pending':
      return `${entity} has not settled`;
    case 'accepted':
      return `${entity} has accepted its event and not settled`;
    case 'missed':
      return `${entity} was absent at the last look`;
    case 'rejected':
      return `${entity} has rejected its event: ${message ?? ''}`;
    case 'waiting':
      return `${entity} waits in ${state}`;
    case 'settled':
      return `${entity} has settled in ${state}`;
    case 'lost':
      return `${entity} is lost`;
  }
}
