import { z } from '@hono/zod-openapi';
import type { AnyEntity } from '../../definition/entity.js';
import { joinKey } from '../../definition/key-check.js';
import { keySchemas, type KeyOf } from '../../definition/key-schema.js';
import { jsonSchemaOf, type JsonSchema } from '../declared-schema.js';
import type { EntityModel } from '../odata/index.js';
import { ENTITY_TAG } from '../entity-tag.js';

/** The most characters of a key. Temporal's ids have at most 255, of which the type takes some. */
const LONGEST_KEY = 200;
const LONGEST_IDEMPOTENCY_KEY = 200;

const NO_CONTROL_CHARACTERS = /^[^\u0000-\u001f\u007f]*$/;

/** A number that the store has given, in a path. */
export const numberText = z
  .string()
  .regex(/^\d{1,16}$/, 'is not a number')
  .openapi({ type: 'integer', minimum: 0 });

/** Text without control characters. */
export const plainText = (longest: number) =>
  z.string().min(1).max(longest).regex(NO_CONTROL_CHARACTERS, 'has control characters');

/** Describes what the key of an entity can be, for the OpenAPI document. */
export function describeKey(entity: AnyEntity): JsonSchema {
  const schemas = keySchemas(entity);
  const text = { minLength: 1, maxLength: LONGEST_KEY, pattern: NO_CONTROL_CHARACTERS.source };
  if (!schemas) return { ...text, ...jsonSchemaOf(entity.key, 'input') };
  const description = `It has these parts in order: ${Object.keys(schemas).join(',')}. In a part, ~1 is a comma, and ~0 is ~.`;
  return { type: 'string', ...text, description };
}

/** The same in a body, where the parts can also be given by their names. */
export function describeGivenKey(entity: AnyEntity): JsonSchema {
  const text = describeKey(entity);
  if (!keySchemas(entity)) return text;
  return { anyOf: [{ ...jsonSchemaOf(entity.key, 'input'), additionalProperties: false }, text] };
}

/** The key of an entity, in a path. It is percent-encoded where it has other characters than letters and digits. */
export function keyParameter(entity: AnyEntity) {
  const { description: form, ...key } = describeKey(entity);
  const description = [`The key of a ${entity.name}, percent-encoded.`, form].filter(Boolean).join(' ');
  return z.object({ key: plainText(LONGEST_KEY).openapi({ ...key, description }) });
}

const keyText = plainText(LONGEST_KEY);

/** The key of an entity, in a body: a text, or its parts where it has several. */
export function givenKey(entity: AnyEntity): z.ZodType<KeyOf<AnyEntity>> {
  if (!keySchemas(entity)) return keyText;
  return z.custom<KeyOf<AnyEntity>>().superRefine((given, { addIssue }) => {
    const joined = joinKey(entity, given);
    const issues =
      'issues' in joined
        ? joined.issues.map(({ path, message }) => ({ path: path.split('.').slice(1), message }))
        : (keyText.safeParse(joined.key).error?.issues ?? []);
    for (const { path, message } of issues) addIssue({ code: 'custom', path: [...path], message });
  });
}

export const operationParameter = z.object({
  id: plainText(900).openapi({ description: 'The id of an operation, percent-encoded.' }),
});

/** The id of an entity: its type and key. */
export const entityIdText = z
  .string()
  .max(LONGEST_KEY + 50)
  .regex(
    /^[A-Z][A-Za-z0-9]*\/[^\u0000-\u001f\u007f]+$/,
    'is not the id of an entity: write its type and key, such as Alias/orders',
  );

/** The same, or the target of a distributed operation. */
const operationPlaceText = z
  .string()
  .max(LONGEST_KEY + 50)
  .regex(
    /^(?:[A-Z][A-Za-z0-9]*|distributed)\/[^\u0000-\u001f\u007f]+$/,
    'is not the id of an entity: write its type and key, such as Alias/orders',
  );

export const onParameter = z.object({
  on: operationPlaceText.optional().openapi({
    description: 'The entity on which it was opened, or `distributed/` and a target, as Operation-Location gives it.',
    example: 'LogicalServer/orders',
  }),
});

/** The query options for the read of a single one. The OData parser reads their values. S6.2 */
export function singleParameters({ properties, navigation }: EntityModel) {
  const text = z.string().optional();
  const ways = navigation.map(({ name }) => name).join(', ') || 'nothing';
  return {
    $select: text.openapi({
      description: 'The properties, separated by commas.',
      example: Object.keys(properties)[0],
    }),
    $expand: text.openapi({ description: `The related rows to add: ${ways}.` }),
    $format: text.openapi({ description: '`json`' }),
  };
}

const idempotencyKey = z
  .string()
  .regex(new RegExp(`^[\\x21-\\x7e]{1,${LONGEST_IDEMPOTENCY_KEY}}$`), 'must have 1 to 200 visible ASCII characters')
  .optional()
  .openapi({ description: 'A repeated key runs nothing twice, as long as the entity or deployment lives.' });
const prefer = z.string().optional().openapi({
  description: '`wait=2` asks for an answer with the outcome, if it is there within 2 s.',
  example: 'wait=2',
});
const ifMatch = z
  .union([z.literal('*'), z.string().regex(ENTITY_TAG)], {
    error: 'is not the ETag of an entity: give the one that a read has answered with, or *',
  })
  .optional()
  .openapi({
    description:
      'The ETag of the expected version. If the entity has another version, nothing is done. `*` means any version.',
  });

/** The headers of a call that does nothing twice. */
export const idempotencyHeaders = z.object({ 'idempotency-key': idempotencyKey });
/** The headers of a call that opens an operation. */
export const requestHeaders = z.object({ 'idempotency-key': idempotencyKey, prefer });
/** The headers of a call that opens an operation on a version of an entity. */
export const versionedHeaders = requestHeaders.extend({ 'if-match': ifMatch });

export const streamHeaders = z.object({
  'last-event-id': z.string().optional().openapi({ description: 'The id of the last event that was received.' }),
});
