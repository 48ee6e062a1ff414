import { z } from '@hono/zod-openapi';
import { time } from '../live-schema.js';

export const concernSchema = z
  .object({
    kind: z.enum(['entity', 'operation']),
    name: z.string().openapi({
      description: 'The entity, `LogicalServer/orders`, or what the operation does, `create LogicalServer/orders`.',
    }),
    operation: z
      .string()
      .nullable()
      .openapi({ description: 'The request id of the operation, or of the one that runs on it.' }),
    state: z.string().nullable().openapi({ description: 'The state of the entity, as it was last known.' }),
    since: time.nullable(),
    reason: z.string().openapi({
      description:
        '`hung` for an operation that exceeds its budget; for others the reason in its explanation, such as ' +
        '`exhausted` or `task_fails`. `stuck` if only the store answered.',
    }),
    message: z.string(),
    what_to_do: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable().openapi({ description: 'The last error.' }),
  })
  .openapi('Concern');

export const attentionSchema = z
  .object({
    at: z.iso.datetime(),
    items: z.array(concernSchema).openapi({ description: 'The oldest first; at most 100 of each kind.' }),
    workers: z
      .object({
        task_queue: z.string(),
        alive: z
          .number()
          .int()
          .openapi({ description: 'The number of workers that polled for tasks in the last minute.' }),
        builds: z
          .array(z.object({ build: z.string().nullable(), workers: z.number().int() }))
          .openapi({ description: 'The number of workers by build; null stands for workers without one.' }),
      })
      .nullable()
      .openapi({ description: 'The workers that serve the entities; null if Temporal is unavailable.' }),
    partial: z.array(z.enum(['store', 'temporal'])).openapi({
      description: 'The services that did not answer, so that something may be missing. Empty if all answered.',
    }),
  })
  .openapi('Attention');

export type Concern = z.output<typeof concernSchema>;
export type Attention = z.output<typeof attentionSchema>;
