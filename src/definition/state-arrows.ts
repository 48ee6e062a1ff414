import type { AnyEntity } from './entity.js';
import { asList } from './names.js';
import { exhaustedStates } from './retry-rules.js';

/** Why an entity goes from one state to another. */
export interface ArrowCause {
  /** The action; none where the attempts of the automatic action are used up. */
  readonly action?: string;
  /** The event on which the action runs; none for an automatic one. */
  readonly event?: string;
}

/** A way from one state to another, or back to itself, with all its causes. */
export interface StateArrow {
  readonly from: string;
  readonly to: string;
  readonly causes: readonly ArrowCause[];
}

/** The arrows of the state diagram, one between any two states, in the order of the declaration. */
export function stateArrows(entity: AnyEntity): readonly StateArrow[] {
  const arrows = new Map<string, { from: string; to: string; causes: ArrowCause[] }>();
  const add = (from: string, to: string, cause: ArrowCause) => {
    const ends = `${from} ${to}`;
    const arrow = arrows.get(ends) ?? { from, to, causes: [] };
    arrow.causes.push(cause);
    arrows.set(ends, arrow);
  };
  for (const [action, { on, in: sources, to }] of Object.entries(entity.actions)) {
    for (const from of asList(sources)) {
      const targets = asList(to).length > 0 ? asList(to) : [from];
      for (const target of targets) add(from, target, { action, ...(on !== undefined && { event: on }) });
    }
  }
  for (const [name, state] of Object.entries(entity.states)) {
    for (const exhausted of exhaustedStates(state)) add(name, exhausted, {});
  }
  return [...arrows.values()];
}
