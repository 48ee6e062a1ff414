import { z } from '@hono/zod-openapi';
import { EVENT_RESULTS } from '../../protocol/event-results.js';
import type { JsonSchema } from '../declared-schema.js';
import type { EntityModel, Properties, Property } from '../odata/index.js';
import {
  CALLER_MEMBER,
  CANCEL_CALLER_MEMBER,
  ERROR_MEMBER,
  EXECUTION_MEMBER,
  INSTANCE_OUTCOME_MEMBER,
  INSTANCE_STATE_MEMBER,
  RESULT_MEMBER,
  VERSION_MEMBER,
} from './row-members.js';

const text = (description: string, example?: string) =>
  z
    .string()
    .optional()
    .openapi({ description, ...(example !== undefined && { example }) });
const wholeNumber = (description: string) =>
  z.string().optional().openapi({ type: 'integer', minimum: 0, description });

/** The query options of a list. The OData parser reads their values, and says where a mistake is. S6.2 */
export function listParameters({ properties, navigation }: EntityModel, deletedKept?: 'kept') {
  const ways = navigation.map(({ name }) => name).join(', ') || 'nothing';
  const names = Object.keys(properties);
  const options = {
    $filter: text('A condition of OData for the rows.', `${names[0]} ne null`),
    $select: text('The properties, separated by commas.', names.slice(0, 2).join(',')),
    $orderby: text('The order of the rows. By default, the order of an index.', `${names[0]} desc`),
    $top: wholeNumber('The number of all rows.'),
    $skip: wholeNumber('The number of rows to skip. To page, follow @odata.nextLink.'),
    $skiptoken: text('The begin of the page, from @odata.nextLink.'),
    $count: z.string().optional().openapi({ type: 'boolean', description: 'Also count the rows of all pages.' }),
    $expand: text(`The related rows to add to each row: ${ways}.`),
    $format: text('`json`'),
  };
  if (deletedKept || !Object.hasOwn(properties, 'deleted')) return z.object(options);
  const deleted = z.string().optional().openapi({ type: 'boolean', description: '`true` to list deleted ones too.' });
  return z.object({ ...options, deleted });
}

/** Those of the options that make sense for the number of rows. */
export function countParameters({ shape }: z.ZodObject): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(shape).filter(([name]) => ['$filter', 'deleted'].includes(name))));
}

export const listHeaders = z.object({
  prefer: text('`maxpagesize=50` sets the size of a page.', 'maxpagesize=50'),
});

/** A page of rows. */
export function listSchema(model: EntityModel) {
  return z.object({
    '@odata.context': z.string(),
    '@odata.count': z.number().int().optional(),
    '@reeve.source': z.literal('temporal').optional().openapi({
      description:
        'The store is unavailable. The rows are the running entities, from Temporal, which does not have all properties.',
    }),
    value: z.array(z.unknown().openapi({ ...rowSchema(model) })),
    '@odata.nextLink': z.string().optional().openapi({ description: 'The next page; absent on the last one.' }),
  });
}

/** The schema of a row. Rows that lead to a workflow also have its address. S5.6 */
export function rowSchema({ properties, annotations = {} }: EntityModel): JsonSchema {
  const schema = objectSchema(properties);
  const members = Object.keys(annotations).map((name) => [name, MEMBERS[name]]);
  return { ...schema, properties: { ...(schema['properties'] as object), ...Object.fromEntries(members) } };
}

const MEMBERS: Readonly<Record<string, JsonSchema>> = {
  [ERROR_MEMBER]: {
    type: 'string',
    description: 'The full error with keys, if it has more than its cause, which its id refers to.',
  },
  [CALLER_MEMBER]: {
    type: 'string',
    description:
      'The caller who has raised the event or answered the call, or the entity that has raised the event. Only for callers who may ' +
      'read the audit trail.',
  },
  [CANCEL_CALLER_MEMBER]: {
    type: 'string',
    description: 'The caller who has asked to cancel the operation, for callers who may read the audit trail.',
  },
  [INSTANCE_STATE_MEMBER]: {
    type: 'string',
    description:
      'The state of an operation over partitions: `running`, `paused`, `stopping`, `tidying`, `completing`, `leaving` or `ended`. ' +
      'Absent for other operations.',
  },
  [INSTANCE_OUTCOME_MEMBER]: {
    type: 'string',
    description:
      'The outcome of an operation over partitions: `succeeded`, `failed` or `cancelled`. It is known while the operation still cleans up.',
  },
  [RESULT_MEMBER]: {
    enum: [...EVENT_RESULTS],
    description:
      'The result of the event; absent while it runs. An error that a later attempt made good is no failure, and an event ' +
      'is canceled if its entity honoured a cancel of its operation.',
  },
  [VERSION_MEMBER]: {
    type: 'string',
    description: 'The life of the entity and its version after the transition, as its ETag has them: `LIFE.7`.',
  },
  [EXECUTION_MEMBER]: {
    type: 'string',
    format: 'uri',
    description:
      "The address in Temporal's UI of the operation's workflow, or else of the entity's, if that is known. An " +
      'operation that settled at once has no separate workflow; this is then the one of its entity.',
  },
};

/** No property is required, since `$select` leaves properties out, and `$expand` adds others. */
function objectSchema(properties: Properties): JsonSchema {
  const entries = Object.entries(properties).map(([name, property]) => [name, schemaOf(property)] as const);
  return { type: 'object', properties: Object.fromEntries(entries) };
}

function schemaOf(property: Property): JsonSchema {
  const optional = (type: string) => (property.required ? type : [type, 'null']);
  switch (property.kind) {
    case 'integer':
    case 'boolean':
    case 'string':
      return { type: optional(property.kind) };
    case 'double':
      return { type: optional('number') };
    case 'dateTime':
      return { type: optional('string'), format: 'date-time' };
    case 'date':
      return { type: optional('string'), format: 'date' };
    case 'guid':
      return { type: optional('string'), format: 'uuid' };
    case 'enum':
      // A row may be older than the declaration, so other values are allowed.
      return { type: optional('string'), description: property.values.join(', ') };
    case 'object':
      return { ...objectSchema(property.properties), type: optional('object') };
    case 'collection':
      return { type: optional('array'), items: schemaOf(property.of) };
    case 'json':
      return property.mapOf ? { type: optional('object'), additionalProperties: schemaOf(property.mapOf) } : {};
  }
}
