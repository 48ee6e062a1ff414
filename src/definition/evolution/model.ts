import type { z } from 'zod';
import { describeEntity, type EntityDescription } from '../describe.js';
import type { AnyEntity, EventShape, NeededEntity } from '../entity.js';
import { downOf, lowestSchema, upOf, type Renames } from '../migration.js';
import { asList } from '../names.js';
import type { Predicate } from '../predicate.js';
import type { DeclaredRejection } from '../rejection.js';
import type { CallShape, Resource } from '../resource.js';
import type { Retry } from '../state.js';
import type { OneShotTimer } from '../timer.js';
import { componentModel, type ComponentModel, type DeclaredComponent } from './component-model.js';
import { distributedModel, type DeclaredDistributed, type DistributedModel } from './distributed-model.js';
import { byName } from './by-name.js';
import { modelSchemaOf } from './model-schema.js';
import { textOf } from './schema-code.js';

/** The version of the format. Another one is refused. */
export const MODEL_VERSION = 2;

/** All that a project declares. */
export interface Declared {
  readonly entities: readonly AnyEntity[];
  readonly resources?: readonly Resource[];
  readonly components?: readonly DeclaredComponent[];
  readonly distributed?: readonly DeclaredDistributed[];
  /** Where the management service serves a type. */
  readonly pathOf?: (type: string) => string;
}

/** All declarations of a project as data: `reeve model`. Lists are in the order of their names. Q2 */
export interface Model {
  readonly format: 'reeve model';
  readonly version: typeof MODEL_VERSION;
  readonly entities: readonly EntityModel[];
  readonly resources: readonly ResourceModel[];
  readonly components: readonly ComponentModel[];
  readonly distributed: readonly DistributedModel[];
}

/** All that a description has, and what only a comparison needs. */
export interface EntityModel extends Omit<EntityDescription, 'states' | 'events' | 'subscriptions'> {
  /** Where it is served: `/api/control-plane/v1/LogicalServer`. */
  readonly path?: string;
  /** The form in which the properties are read from what is stored, where a description has what they are. JSON Schema. */
  readonly accepts: unknown;
  /** The same for the members of each collection. */
  readonly acceptsMembers: Readonly<Record<string, unknown>>;
  readonly states: readonly (EntityDescription['states'][number] & { readonly retry?: Retry })[];
  readonly events: readonly (EntityDescription['events'][number] & {
    /** The codes of the declared rejections, by the state. */
    readonly rejections: Readonly<Record<string, string>>;
    /** Their messages. */
    readonly rejectionWords: Readonly<Record<string, string>>;
    /** Of what it needs: the key, as JSON Schema, and the codes of the answers. */
    readonly needed?: unknown;
    readonly interrupts?: string;
    readonly stays?: boolean;
    readonly budget?: string | number;
  })[];
  /** In the order of their declaration: the first one that is due goes first. */
  readonly subscriptions: readonly {
    readonly name: string;
    readonly raise: string;
    readonly when: Predicate;
    readonly in?: readonly string[];
    readonly among: 'operation' | 'life';
    readonly timeout?: OneShotTimer;
  }[];
  readonly cancel?: string;
  readonly renamed: Renames;
  /** The migrations, by the schemas to which they lead, with the text of their code. */
  readonly migrations: readonly {
    readonly name: string;
    readonly number: number;
    readonly up: string;
    readonly down?: string;
  }[];
  /** The lowest schema to which they lead back; its own where none does. */
  readonly backTo: number;
}

export interface ResourceModel {
  readonly name: string;
  readonly calls: readonly {
    readonly name: string;
    readonly mode: string;
    readonly within?: string | number;
    /** Its other settings: how long it may take, whether it goes on where it was cut off, ... */
    readonly manners: Omit<CallShape, 'input' | 'output' | 'answer' | 'within'>;
    /** JSON Schema, as in `output`. */
    readonly input: unknown;
    readonly output: unknown;
  }[];
}

export function modelOf({ entities, resources = [], components = [], distributed = [], pathOf }: Declared): Model {
  return {
    format: 'reeve model',
    version: MODEL_VERSION,
    entities: byName(entities.map((entity) => entityModel(entity, pathOf?.(entity.name)))),
    resources: byName(resources.map(resourceModel)),
    components: byName(components.map(componentModel)),
    distributed: byName(distributed.map(distributedModel)),
  };
}

function entityModel(entity: AnyEntity, path: string | undefined): EntityModel {
  const described = describeEntity(entity);
  return {
    ...described,
    ...(path !== undefined && { path }),
    key: accepted(entity.key),
    properties: modelSchemaOf(entity.properties, 'output'),
    ...(entity.construct && { construct: accepted(entity.construct) }),
    accepts: accepted(entity.properties),
    acceptsMembers: Object.fromEntries(
      Object.entries(entity.subordinates).map(([name, schema]) => [name, accepted(schema)]),
    ),
    links: byName(described.links),
    subordinates: byName(
      Object.entries(entity.subordinates).map(([name, schema]) => ({ name, schema: modelSchemaOf(schema, 'output') })),
    ),
    states: byName(
      described.states.map((state) => {
        const { retry, constraint } = entity.states[state.name]!;
        return { ...state, ...(constraint && { constraint: accepted(constraint) }), ...(retry && { retry }) };
      }),
    ),
    events: byName(
      described.events.map((event) => {
        const { params, needs, otherwise = {}, interrupts, stays, budget } = entity.events[event.name] as EventShape;
        const answers = Object.entries(otherwise as Readonly<Record<string, DeclaredRejection | undefined>>);
        return {
          ...event,
          ...(params && { params: accepted(params) }),
          ...(needs && { needed: neededModel(needs) }),
          rejections: byState(answers, ({ code }) => code),
          rejectionWords: byState(answers, ({ message }) => message),
          ...(interrupts && { interrupts }),
          ...(stays !== undefined && { stays }),
          ...(budget !== undefined && { budget }),
        };
      }),
    ),
    actions: byName(described.actions),
    subscriptions: Object.entries(entity.subscriptions).map(
      ([name, { when, raise, in: states, among = 'operation', timeout }]) => ({
        ...{ name, raise, when, among },
        ...(states !== undefined && { in: asList(states) }),
        ...(timeout && { timeout }),
      }),
    ),
    timers: byName(described.timers),
    ...(entity.cancel !== undefined && { cancel: entity.cancel }),
    renamed: entity.renamed,
    migrations: Object.entries(entity.migrations).map(([number, migration]) => {
      const down = downOf(migration);
      const code = { up: textOf(upOf(migration)), ...(down && { down: textOf(down) }) };
      return { name: number, number: Number(number), ...code };
    }),
    backTo: lowestSchema(entity),
  };
}

function neededModel({ key, unless, absent }: NeededEntity) {
  return { key: accepted(key), unless: byState(Object.entries(unless), ({ code }) => code), absent: absent.code };
}

/** Gives the texts of answers, in the order of their states. */
function byState(
  answers: readonly (readonly [state: string, answer: DeclaredRejection | undefined])[],
  said: (answer: DeclaredRejection) => string | undefined,
): Readonly<Record<string, string>> {
  const found = answers.flatMap(([state, answer]) => {
    const words = answer && said(answer);
    return words === undefined ? [] : [[state, words] as const];
  });
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function resourceModel({ name, calls }: Resource): ResourceModel {
  return {
    name,
    calls: byName(
      Object.entries(calls).map(([call, { input, output, answer = 'activity', within, ...manners }]) => ({
        name: call,
        mode: answer,
        ...(within !== undefined && { within }),
        manners,
        input: accepted(input),
        output: modelSchemaOf(output, 'output'),
      })),
    ),
  };
}

function accepted(schema: z.ZodType): unknown {
  return modelSchemaOf(schema, 'input');
}
