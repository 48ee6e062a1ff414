import { z } from 'zod';
import { cycleProblems } from '../definition/checks/cycles.js';
import { DeclarationError } from '../definition/declaration-error.js';
import { defineEntity } from '../definition/define-entity.js';
import type { AnyEntity } from '../definition/entity.js';
import { checkModel } from '../definition/model/check.js';
import * as makers from '../definition/state.js';
import type { State } from '../definition/state.js';
import { remarked, type Skeleton } from './skeleton.js';

/** Gives states that would lead to each other without a pause a wait. */
export function withPauses(skeleton: Skeleton): Skeleton {
  const [cycle] = cycleProblems(entityOf(skeleton, (_, declaration) => declaration as never));
  const state = cycle?.place.replace('states.', '') ?? '';
  const found = skeleton.states[state];
  if (!found || 'wait' in found.options) return skeleton;
  const states = { ...skeleton.states, [state]: { ...found, options: { wait: '1s', ...found.options } } };
  const remedy = 'It waits for 1 s here. Choose the time.';
  return withPauses(remarked({ ...skeleton, states }, state, 'is part of a loop without a pause', remedy));
}

/** Adds what Reeve's own checks find. */
export function checked(skeleton: Skeleton): Skeleton {
  try {
    const entity = entityOf(skeleton, (name, declaration) => defineEntity(name, declaration as never));
    return { ...skeleton, remarks: [...skeleton.remarks, ...checkModel([entity])] };
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown;
    return { ...skeleton, remarks: [...skeleton.remarks, ...thrown.problems] };
  }
}

/** The entity as Reeve has it, without its properties. */
export function entityOf(
  { name, states, events, actions, limits }: Skeleton,
  define: (name: string, declaration: object) => AnyEntity,
): AnyEntity {
  const made = Object.entries(states).map(([state, { initial, kind, options }]) => {
    const plain = (makers[kind] as (of: object) => State)(options);
    return [state, initial ? makers.initial(plain) : plain];
  });
  const acting = Object.entries(actions).map(([action, { on, in: sources, to }]) => [
    action,
    { ...(on !== undefined && { on }), in: sources, ...(to.length > 0 && { to }) },
  ]);
  return define(name, {
    ...{ key: z.string(), properties: z.object({}), events, limits },
    ...{ states: Object.fromEntries(made) as object, actions: Object.fromEntries(acting) as object },
  });
}
