import type { DeclarationProblem } from '../declaration-error.js';
import { parseDuration, type Duration } from '../duration.js';
import type { ActionShape, AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { retryFor } from '../retry-rules.js';
import type { Retry } from '../state.js';

/**
 * Unstable states that lead to each other by themselves go round for ever without a pause, unless a wait is on the way. A limit on the
 * attempts is none, since each entry into a state starts them anew. A state that leads to itself is paced by its retry delay, unless the
 * end of its only attempt leads there. S1.5a
 */
export function cycleProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  const told = new Set<string>();
  for (const [start, state] of Object.entries(entity.states)) {
    if (state.stability !== 'unstable') continue;
    const path = cycleFrom(entity, start);
    const members = path?.toSorted().join();
    if (!path || !members || told.has(members)) continue;
    told.add(members);
    problems.push({
      place: `states.${start}`,
      problem: `loops without a pause: ${[...path, start].join(' -> ')}`,
      remedy:
        "Give one of them a wait: unstable({ wait: '1s' }). A limit on attempts does not help, because each entry resets them.",
    });
  }
  return problems;
}

function cycleFrom(entity: AnyEntity, start: string): readonly string[] | undefined {
  const queue: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  if (exhaustsInto(entity, start).includes(start)) return [start];
  for (const path of queue) {
    const last = path.at(-1)!;
    for (const next of atOnceAfter(entity, last)) {
      if (next === start && path.length > 1) return path;
      if (next === last || seen.has(next)) continue;
      seen.add(next);
      queue.push([...path, next]);
    }
  }
  return undefined;
}

/** The unstable states to which one leads by itself, and in which the automatic action runs at once. */
function atOnceAfter(entity: AnyEntity, name: string): readonly string[] {
  const automatic = Object.values(entity.actions).filter(
    ({ on, in: states }) => on === undefined && asList(states).includes(name),
  );
  return [
    ...automatic.flatMap((action) => asList(action.to).filter((to) => !waitsIn(entity, to, action))),
    ...exhaustsInto(entity, name),
  ].filter((to) => entity.states[to]?.stability === 'unstable');
}

/** Where the end of the attempts leads at once, if they take no time. */
function exhaustsInto(entity: AnyEntity, name: string): readonly string[] {
  const state = entity.states[name]!;
  const rules = [undefined, ...Object.keys(state.retry?.errors ?? {})].map((code) => retryFor(state.retry, code));
  return rules.flatMap((rule) =>
    rule.exhausted === undefined || waitsBeforeTheEnd(rule) || waitsIn(entity, rule.exhausted) ? [] : [rule.exhausted],
  );
}

function waitsIn(entity: AnyEntity, to: string, action?: ActionShape): boolean {
  const wait = action?.wait ?? entity.states[to]?.wait;
  // A property may hold no time.
  return typeof wait !== 'object' && lasts(wait);
}

/** Tells whether the attempts take time. */
function waitsBeforeTheEnd({ attempts = 1, delay = '1s', maxDelay = '1s' }: Retry): boolean {
  return attempts > 1 && lasts(delay) && lasts(maxDelay);
}

function lasts(duration: Duration | undefined): boolean {
  return duration !== undefined && (parseDuration(duration) ?? 0) > 0;
}
