import { z } from '@hono/zod-openapi';

export const time = z.iso.datetime({ offset: true });
const stuckSchema = z.object({ reason: z.string(), message: z.string(), what_to_do: z.string() });
const errorSchema = z.object({ code: z.string(), message: z.string() });

/** The properties that only the entity itself tells, in addition to all that its row has. */
export const liveShape = {
  id: z.string().openapi({ description: 'Type and key.' }),
  running: z.object({ action: z.string(), since: time }).nullable().openapi({ description: 'The action that runs.' }),
  attempt: z.number().int().nullable().openapi({
    description: 'The number of the attempt of the automatic action, from 1. It is 0 before the first one.',
  }),
  attempts: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'The maximum number of attempts for the action of its state.' }),
  next_attempt_time: time.nullable(),
  exhausted: z.boolean().openapi({ description: '`true` if an action has used up its attempts.' }),
  stuck: stuckSchema.nullable().openapi({
    description:
      'The reason why it needs an operator to make progress. Its `explanation` also lists stuck entities that it waits for.',
  }),
  last_error: errorSchema.nullable().openapi({
    description: 'The error of the previous execution of the action of its present state.',
  }),
  last_failure: errorSchema
    .extend({ time, operation: z.string() })
    .nullable()
    .openapi({
      description:
        'Its last error that no later attempt fixed, with the request id of the operation. It is kept until the entity rests in a ' +
        'healthy state after a successful action.',
    }),
  waiting: z
    .array(z.object({ event: z.string(), operation: z.string() }))
    .openapi({ description: 'The events that wait for their turn.' }),
  reserved_by: z.object({ entity: z.string(), until: time }).nullable(),
  successors: z.array(
    z.object({
      entity: z.string(),
      role: z.string().nullable(),
      event: z.string(),
      operation: z
        .string()
        .openapi({ description: 'The request id of the operation in which the event was raised on it.' }),
      state: z.string().nullable(),
      rejected: z.string().nullable().openapi({ description: 'The code with which the event was rejected.' }),
    }),
  ),
  stale: z.boolean().openapi({ description: '`true` if no worker answers, and this is from the store.' }),
};

/** The same shape as a schema, for what a query can ask of it. S6.2 */
export const liveSchema = z.object(liveShape);
