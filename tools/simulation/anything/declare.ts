/* The declarations of a plan, as `defineEntity` and `defineResource` get it. */
import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  type AnyEntity,
  type CallShape,
  type Migration,
  type Resource,
} from '../../../src/definition/index.js';
import type { DeclaredPlan, WorldPlan } from './plan.js';
import { schemaOf, shapeOf, type SchemaPlan } from './schema.js';

const MIGRATIONS: Readonly<Record<string, Migration | undefined>> = {
  up: () => ({}),
  both: { up: () => ({}), down: () => ({}) },
  none: undefined,
};

/** @throws DeclarationError with all that is wrong with it, and whatever zod throws */
export function declare(name: string, { properties, ...plan }: DeclaredPlan): AnyEntity {
  const members = <T, U>(given: Readonly<Record<string, T>> | undefined, make: (each: T) => U) =>
    given && Object.fromEntries(Object.entries(given).map(([member, each]) => [member, make(each)]));
  const declaration = {
    ...plan,
    key: schemaOf(plan.key),
    properties: shapeOf({ ...properties, n: [['int'], ['default', { value: 0 }]] }),
    ...(plan.subordinates && { subordinates: members(plan.subordinates, schemaOf) }),
    ...(plan.construct && { construct: shapeOf(plan.construct) }),
    ...(plan.migrations && { migrations: members(plan.migrations, (kind) => MIGRATIONS[kind]) }),
    states: members(plan.states, ({ constraint, ...state }) => ({ ...state, ...made('constraint', constraint) })),
    events: members(plan.events, ({ params, needs, ...event }) => ({
      ...event,
      ...made('params', params),
      ...(needs && { needs: { ...needs, key: schemaOf(needs.key) } }),
    })),
  };
  // The compiler would take the declaration for what it is; here it is drawn.
  return (defineEntity as unknown as (given: string, what: unknown) => AnyEntity)(name, declaration);
}

/** A name by itself, and whom it asks, by its way. Each gives what it was asked. */
const echo = { input: z.object({ about: z.string() }), output: z.object({ said: z.string() }) };
export const echoes = defineResource('echoes', {
  say: echo,
  inline: { ...echo, answer: 'inline' },
  ask: { ...echo, answer: 'callback', within: '30m' },
  tell: { input: z.object({ at: z.any(), afterMs: z.number() }), output: z.object({}) },
});

/** The drawn resource. @throws TypeError when it is not right */
export function declareCalls({ outside, calls }: Pick<WorldPlan, 'outside' | 'calls'>): Resource {
  const shapes = Object.entries(calls).map(([name, { gives: _, throws: _throws, afterMs: _after, ...shape }]) => [
    name,
    { ...shape, input: schemaOf(shape.input), output: schemaOf(shape.output) } as CallShape,
  ]);
  return defineResource(outside, Object.fromEntries(shapes) as Record<string, CallShape>);
}

/** All that a plan declares. */
export interface DeclaredWorld {
  readonly types: readonly AnyEntity[];
  readonly outside: Resource;
}

/** Declares all types and calls of a plan. @throws DeclarationError with all that is wrong with it, and whatever zod throws */
export function declareWorld(plan: WorldPlan): DeclaredWorld {
  return { types: plan.types.map(({ name, declared }) => declare(name, declared)), outside: declareCalls(plan) };
}

function made(name: string, plan: SchemaPlan | undefined) {
  return plan && { [name]: schemaOf(plan) };
}
