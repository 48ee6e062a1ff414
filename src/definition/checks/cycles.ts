import type { DeclarationProblem } from '../declaration-error.js';
import { parseDuration } from '../duration.js';
import type { AnyEntity } from '../entity.js';
import { leadsTo } from './graph.js';

/**
 * Unstable states that lead to each other by themselves go round for ever, unless one of them waits or limits its
 * attempts. A state that leads to itself is paced by its retry delay.
 */
export function cycleProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const unpaced = Object.keys(entity.states).filter((name) => {
    const { stability, wait, retry } = entity.states[name]!;
    const waits = wait !== undefined && parseDuration(wait) !== 0;
    return stability === 'unstable' && !waits && retry?.attempts === undefined;
  });
  const problems: DeclarationProblem[] = [];
  const told = new Set<string>();
  for (const start of unpaced) {
    const path = cycleFrom(entity, start, unpaced);
    const members = path?.toSorted().join();
    if (!path || !members || told.has(members)) continue;
    told.add(members);
    problems.push({
      place: `states.${start}`,
      problem: `goes round without a pause: ${[...path, start].join(' -> ')}`,
      remedy: 'Give one of them a wait, or limit its attempts.',
    });
  }
  return problems;
}

function cycleFrom(entity: AnyEntity, start: string, allowed: readonly string[]): readonly string[] | undefined {
  const queue: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const path of queue) {
    const last = path.at(-1)!;
    for (const next of leadsTo(entity, last, true)) {
      if (next === start && path.length > 1) return path;
      if (next === last || seen.has(next) || !allowed.includes(next)) continue;
      seen.add(next);
      queue.push([...path, next]);
    }
  }
  return undefined;
}
