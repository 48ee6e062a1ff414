import { z } from 'zod';
import type { AnyEntity } from '../definition/entity.js';
import * as makers from '../definition/state.js';
import type { State } from '../definition/state.js';
import type { Skeleton } from './skeleton.js';

/** The declaration that a skeleton is written as, for Reeve's own checks: without its properties. */
export function declarationOf({ name, states, events, actions, limits }: Skeleton): AnyEntity {
  const made = Object.entries(states).map(([state, { initial, kind, options }]) => {
    const plain = (makers[kind] as (of: object) => State)(options);
    return [state, initial ? makers.initial(plain) : plain];
  });
  const acting = Object.entries(actions).map(([action, { on, in: sources, to }]) => [
    action,
    { ...(on !== undefined && { on }), in: sources, ...(to.length > 0 && { to }) },
  ]);
  return {
    ...{ name, key: z.string(), properties: z.object({}), events, limits },
    ...{ states: Object.fromEntries(made) as object, actions: Object.fromEntries(acting) as object },
  } as never;
}
