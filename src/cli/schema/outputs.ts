import { z } from 'zod';
import type { JsonSchema } from '../../service/declared-schema.js';
import type { ApiSchemas } from './api-schemas.js';
import { reach } from './own-outputs.js';

/** How the schema of what a command prints is made from the schemas of the service. */
type Output = (api: ApiSchemas) => JsonSchema;

const TEXT = { type: 'string' };

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const anyOf = (...schemas: readonly JsonSchema[]): JsonSchema => ({ anyOf: schemas });
const object = (properties: Readonly<Record<string, JsonSchema>>, ...optional: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const NEXT = { ...TEXT, description: 'The value of --skip-token for the next page; absent on the last one.' };
const listOf = (...items: readonly JsonSchema[]) =>
  object({ items: arrayOf(items.length === 1 ? items[0]! : anyOf(...items)), next: NEXT }, 'next');

/** Adds members to a schema of an object. */
function withMembers(
  { properties, required, ...rest }: JsonSchema,
  members: Readonly<Record<string, JsonSchema>>,
  ...optional: readonly string[]
): JsonSchema {
  const added = object(members, ...optional);
  return {
    ...rest,
    properties: { ...(properties as object), ...(added['properties'] as object) },
    required: [...((required as readonly string[] | undefined) ?? []), ...(added['required'] as readonly string[])],
  };
}

const of =
  (name: string): Output =>
  () =>
    ref(name);
const rows =
  (list: string, ...least: readonly string[]): Output =>
  (api) =>
    listOf(api.row(list, least.length > 0 ? least : undefined));
const answer =
  (operationId: string): Output =>
  (api) =>
    api.answer(operationId);

const GONE = { type: 'boolean', description: '`true` if it was deleted.' };
const EXECUTION = { ...TEXT, description: "The address of its workflow in Temporal's UI." };

/** An entity of each type, with what a command tells beside it. */
function entities(api: ApiSchemas, members: Readonly<Record<string, JsonSchema>>, ...optional: readonly string[]) {
  return api.types.map((type) => withMembers(api.get(type), members, ...optional));
}

function withoutDialect({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function memberOf(api: ApiSchemas, name: string, member: string): JsonSchema {
  return (api.get(name)['properties'] as Readonly<Record<string, JsonSchema>>)[member]!;
}

function stuckOf(api: ApiSchemas): JsonSchema {
  return memberOf(api, 'Explanation', 'stuck');
}

/** A row from Temporal has some columns of the store. */
function liveRow(api: ApiSchemas, list: string, columns: readonly string[]): JsonSchema {
  const { properties } = api.row(list) as { readonly properties: Readonly<Record<string, JsonSchema>> };
  const known: Readonly<Record<string, JsonSchema>> = { tenant: { type: ['string', 'null'] }, ...properties };
  return object({
    ...Object.fromEntries(columns.map((name) => [name, known[name]!] as const)),
    execution: EXECUTION,
  });
}

const LIVE_ENTITY = ['type', 'key', 'life', 'state', 'health', 'settled', 'deleted', 'operation', 'tenant'];
const LIVE_OPERATION = ['request_id', 'name', 'workflow_start_time', 'workflow_end_time', 'outcome', 'tenant'];
/** Columns that Temporal has too, from which rows come while the store is unavailable. */
const OF_ENTITIES = ['type', 'key', 'state', 'health', 'settled'];
const OF_OPERATIONS = ['request_id', 'name', 'workflow_start_time', 'outcome'];

/** One that is read also has the columns of its row, once the store has it. */
const OPERATION: Output = (api) => {
  const operation = api.get('Operation');
  const columns = Object.entries(api.row('operations')['properties'] as Readonly<Record<string, JsonSchema>>);
  const added = columns.filter(([name]) => !Object.hasOwn(operation['properties'] as object, name));
  return withMembers(operation, Object.fromEntries(added), ...added.map(([name]) => name));
};
const DISTRIBUTED = of('DistributedOperation');

/** The commands that print what the service answers. */
export const OUTPUTS: Readonly<Record<string, Output>> = {
  entities: (api) =>
    listOf(
      api.row('entities', OF_ENTITIES),
      ...api.types.map((type) => api.row(type, OF_ENTITIES)),
      liveRow(api, 'entities', LIVE_ENTITY),
      ref('Concern'),
    ),
  get: (api) => {
    const events = (api.get('AllowedEvents')['properties'] as Readonly<Record<string, JsonSchema>>)['events']!;
    const members = { gone: GONE, events, all_stuck: stuckOf(api) };
    return anyOf(...entities(api, members, 'events', 'all_stuck'), ref('EntityAsOf'));
  },
  explain: () => anyOf(ref('Explanation'), withoutDialect(z.toJSONSchema(reach, { io: 'output' }))),
  create: OPERATION,
  raise: (api) => anyOf(OPERATION(api), ref('RaiseManyReport')),
  retry: OPERATION,
  'mark-lost': OPERATION,
  follow: (api) => anyOf(...entities(api, { gone: GONE })),
  'callbacks list': (api) =>
    listOf(api.row('pending_callbacks'), withMembers(api.get('PendingCallback'), { input: {} }, 'input')),
  'callbacks answer': answer('answerCall'),
  'callbacks extend': of('ExtendedCallback'),
  'callbacks revoke': OPERATION,
  deploy: () => anyOf(ref('Deployed'), ref('Deployment')),
  'deployments list': (api) => listOf(api.row('deployments', ['name', 'component', 'phase', 'start_time'])),
  'deployments get': of('Deployment'),
  'deployments follow': of('Deployment'),
  'deployments ping': answer('pingDeployment'),
  'deployments send': answer('sendEventToDeployment'),
  'deployments set': answer('setAttributeOfDeployment'),
  'deployments terminate': answer('terminateDeployment'),
  'distributed list': () => listOf(ref('ListedDistributedOperation')),
  'distributed start': () => anyOf(ref('StartedDistributedOperation'), ref('DistributedOperation')),
  'distributed show': DISTRIBUTED,
  'distributed follow': DISTRIBUTED,
  'distributed pause': DISTRIBUTED,
  'distributed resume': DISTRIBUTED,
  'distributed limit': DISTRIBUTED,
  'distributed cancel': DISTRIBUTED,
  'distributed proceed': DISTRIBUTED,
  'distributed retry': DISTRIBUTED,
  'distributed move': DISTRIBUTED,
  attention: of('Attention'),
  'operations list': rows('operations', ...OF_OPERATIONS),
  'operations running': (api) => listOf(liveRow(api, 'operations', LIVE_OPERATION)),
  'operations show': (api) =>
    withMembers(
      api.row('operations'),
      {
        ...{ events: arrayOf(api.row('events')), errors: arrayOf(api.row('errors')), stuck: stuckOf(api) },
        cancel: memberOf(api, 'Operation', 'cancel'),
        cancel_refusals: memberOf(api, 'Operation', 'cancel_refusals'),
        values: arrayOf(ref('EventValues')),
      },
      'stuck',
      'cancel',
      'cancel_refusals',
      'values',
    ),
  'operations explain': of('Explanation'),
  'operations follow': OPERATION,
  'operations cancel': OPERATION,
  'operations summary': of('OperationSummary'),
  events: rows('events'),
  transitions: rows('transitions'),
  calls: rows('calls'),
  errors: (api) => listOf(api.row('errors'), api.row('exceptions')),
  summary: (api) => {
    const levels = ['operation', 'event', 'transition'];
    const of = (kind: string) => arrayOf(anyOf(...levels.map((level) => api.row(`${level}_${kind}`))));
    return object({ items: of('rollup'), causes: of('causes'), next: NEXT }, 'next');
  },
  'changes list': () => anyOf(object({ items: arrayOf(ref('Change')), position: TEXT }), ref('Change')),
  'changes listeners': () => object({ items: arrayOf(ref('Listener')) }),
  rejections: rows('rejections'),
  audit: rows('audit'),
};

/** The document that each command prints on standard error if it fails. */
export const ERROR = {
  ...object({ code: { ...TEXT, description: 'The code, which stays the same.' }, message: TEXT }),
  additionalProperties: true,
};
