import type { z } from 'zod';
import { describeEntity, type EntityDescription } from '../describe.js';
import type { AnyEntity } from '../entity.js';
import { lowestSchema, type Renames } from '../migration.js';
import type { Predicate } from '../predicate.js';
import type { Resource } from '../resource.js';
import type { Retry } from '../state.js';
import type { OneShotTimer } from '../timer.js';
import { jsonSchemaOf } from '../values/json-schema.js';

/** The version of the format. A newer one is refused by an older Reeve. */
export const MODEL_VERSION = 1;

/** All declarations of a project as data: `reeve model`. Lists are in the order of their names. Q2 */
export interface Model {
  readonly format: 'reeve model';
  readonly version: typeof MODEL_VERSION;
  readonly entities: readonly EntityModel[];
  readonly resources: readonly ResourceModel[];
}

/** What a description has, and what only a comparison needs. */
export interface EntityModel extends Omit<EntityDescription, 'states' | 'events' | 'subscriptions'> {
  /** What the properties are read as from what is stored, where a description has what they are. JSON Schema. */
  readonly accepts: unknown;
  /** The same for the members of each collection. */
  readonly acceptsMembers: Readonly<Record<string, unknown>>;
  readonly states: readonly (EntityDescription['states'][number] & { readonly retry?: Retry })[];
  readonly events: readonly (EntityDescription['events'][number] & {
    /** The codes of the declared rejections, by the state. */
    readonly rejections: Readonly<Record<string, string>>;
    readonly interrupts?: string;
    readonly aborts?: boolean | readonly string[];
    readonly stays?: boolean;
    readonly budget?: string | number;
  })[];
  /** In the order of their declaration: the first one that is due goes first. */
  readonly subscriptions: readonly {
    readonly name: string;
    readonly raise: string;
    readonly when: Predicate;
    readonly among: 'operation' | 'life';
    readonly timeout?: OneShotTimer;
  }[];
  readonly cancel?: string;
  readonly renamed: Renames;
  /** The schemas to which a migration leads. */
  readonly migrations: readonly number[];
  /** The lowest schema to which they lead back; its own where none does. */
  readonly backTo: number;
}

export interface ResourceModel {
  readonly name: string;
  readonly calls: readonly {
    readonly name: string;
    readonly way: string;
    readonly within?: string | number;
    /** JSON Schema, as in `output`. */
    readonly input: unknown;
    readonly output: unknown;
  }[];
}

export function modelOf(entities: readonly AnyEntity[], resources: readonly Resource[] = []): Model {
  return {
    format: 'reeve model',
    version: MODEL_VERSION,
    entities: byName(entities.map(entityModel)),
    resources: byName(resources.map(resourceModel)),
  };
}

function entityModel(entity: AnyEntity): EntityModel {
  const described = describeEntity(entity);
  return {
    ...described,
    key: accepted(entity.key),
    accepts: accepted(entity.properties),
    acceptsMembers: Object.fromEntries(
      Object.entries(entity.subordinates).map(([name, schema]) => [name, accepted(schema)]),
    ),
    links: byName(described.links),
    subordinates: byName(described.subordinates),
    states: byName(
      described.states.map((state) => {
        const { retry, constraint } = entity.states[state.name]!;
        return { ...state, ...(constraint && { constraint: accepted(constraint) }), ...(retry && { retry }) };
      }),
    ),
    events: byName(
      described.events.map((event) => {
        const { otherwise = {}, interrupts, aborts, stays, budget } = entity.events[event.name]!;
        const rejections = Object.entries(otherwise).flatMap(([state, answer]) =>
          answer ? [[state, answer.code]] : [],
        );
        return {
          ...event,
          rejections: Object.fromEntries(rejections.sort(([one], [other]) => (one! < other! ? -1 : 1))) as Record<
            string,
            string
          >,
          ...(interrupts && { interrupts }),
          ...(aborts !== undefined && { aborts: typeof aborts === 'string' ? [aborts] : aborts }),
          ...(stays !== undefined && { stays }),
          ...(budget !== undefined && { budget }),
        };
      }),
    ),
    actions: byName(described.actions),
    subscriptions: Object.entries(entity.subscriptions).map(
      ([name, { when, raise, among = 'operation', timeout }]) => ({
        ...{ name, raise, when, among },
        ...(timeout && { timeout }),
      }),
    ),
    timers: byName(described.timers),
    ...(entity.cancel !== undefined && { cancel: entity.cancel }),
    renamed: entity.renamed,
    migrations: Object.keys(entity.migrations)
      .map(Number)
      .sort((one, other) => one - other),
    backTo: lowestSchema(entity),
  };
}

function resourceModel({ name, calls }: Resource): ResourceModel {
  return {
    name,
    calls: byName(
      Object.entries(calls).map(([call, { input, output, answer = 'activity', within }]) => ({
        name: call,
        way: answer,
        ...(within !== undefined && { within }),
        input: accepted(input),
        output: jsonSchemaOf(output, 'output'),
      })),
    ),
  };
}

function accepted(schema: z.ZodType): unknown {
  return jsonSchemaOf(schema, 'input');
}

function byName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return [...list].sort((one, other) => (one.name < other.name ? -1 : 1));
}
