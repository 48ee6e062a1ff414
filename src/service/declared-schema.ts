import { z } from '@hono/zod-openapi';
import { rejectionIn } from '../definition/busy.js';
import type { AnyEntity } from '../definition/entity.js';
import { asList } from '../definition/names.js';
import { alreadyInProgress } from '../definition/rejection.js';
import { jsonSchemaOf as storedSchemaOf } from '../definition/values/json-schema.js';
import { issuesOf } from '../protocol/schema-problems.js';

/** JSON Schema as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A declared schema for the OpenAPI document. What JSON Schema cannot say is left to the validation. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = storedSchemaOf(schema, io);
  return rest;
}

/** The schema of an entity's properties as they are read. It says which of them only the construction sets. S1.2 */
export function propertiesSchemaOf({ properties, fixed, secret }: AnyEntity): JsonSchema {
  const schema = jsonSchemaOf(properties, 'output');
  const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const told = members.map(([name, member]) => {
    const description = [
      member['description'],
      fixed.includes(name) && 'Only the construction sets it.',
      secret.includes(name) && 'It is secret, so lists cannot be filtered or sorted by it.',
    ].filter(Boolean);
    return [name, description.length > 0 ? { ...member, description: description.join(' ') } : member] as const;
  });
  return { ...schema, properties: Object.fromEntries(told) };
}

/**
 * A schema that takes what the declared one takes, and passes the value on as it came, since the entity itself reads it again.
 */
export function accepting(schema: z.ZodType, described: JsonSchema = jsonSchemaOf(schema, 'input')): z.ZodType {
  return z
    .unknown()
    .superRefine((value, { addIssue }) => {
      for (const issue of issuesIn(schema, value)) addIssue(issue);
    })
    .openapi({ ...described });
}

/** Lists what a declared schema finds wrong, as issues of another one, where the value stands below `above`. */
export function issuesIn(schema: z.ZodType, value: unknown, above: readonly string[] = []) {
  const { error } = schema.safeParse(value);
  return (error ? issuesOf(error) : []).map(({ path, message }) => {
    const below = path === '' ? [] : path.split('.');
    return { code: 'custom' as const, path: [...above, ...below], message };
  });
}

/** Tells whether an event can be raised without any parameters. */
export function takesNothing(schema: z.ZodType | undefined): boolean {
  return schema === undefined || schema.safeParse({}).success;
}

/** The events that are not internal. */
export function publicEvents({ events }: AnyEntity): readonly string[] {
  return Object.entries(events)
    .filter(([, { internal }]) => !internal)
    .map(([name]) => name);
}

/** The events by which an entity can come to be. */
export function creationEvents(entity: AnyEntity): readonly string[] {
  const initial = Object.keys(entity.states).filter((state) => entity.states[state]!.initial);
  return publicEvents(entity).filter((event) =>
    asList(entity.events[event]!.in).some((state) => initial.includes(state)),
  );
}

/**
 * The codes with which an event can be rejected because of the state, each with the states where the declaration gives it. S2.2
 */
export function declaredRejections(entity: AnyEntity, event: string): ReadonlyMap<string, readonly string[]> {
  const codes = new Map<string, readonly string[]>();
  const add = (state: string, code: string) => {
    const states = codes.get(code) ?? [];
    if (!states.includes(state)) codes.set(code, [...states, state]);
  };
  for (const [state, answer] of Object.entries(entity.events[event]?.otherwise ?? {})) {
    if (answer) add(state, answer.code);
  }
  for (const state of Object.keys(entity.states)) {
    const busy = entity.states[state]!.ending === undefined ? rejectionIn(entity, event, state) : undefined;
    if (busy) add(state, busy === 'reject' ? alreadyInProgress().code : busy.code);
  }
  return codes;
}
