import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { leadsTo } from './graph.js';

/** Every state can be reached from the initial one, and can be left unless it ends the entity. */
export function reachabilityProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  const reached = new Set(Object.keys(entity.states).filter((name) => entity.states[name]!.initial));
  for (const state of reached) for (const target of leadsTo(entity, state)) reached.add(target);
  for (const [name, { ending }] of Object.entries(entity.states)) {
    const place = `states.${name}`;
    // Without an initial state nothing is reached, but another problem says that already.
    if (reached.size > 0 && !reached.has(name)) {
      problems.push({ place, problem: 'is never reached', remedy: `Let an action go to it, or remove it.` });
    }
    const left = [...leadsTo(entity, name)].some((target) => target !== name);
    if (ending === undefined && !left) {
      const remedy = 'Declare an action that leaves it, or make it terminal() or deleted().';
      problems.push({ place, problem: 'has no transition that leaves it', remedy });
    }
  }
  return problems;
}
