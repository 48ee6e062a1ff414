import { z } from '@hono/zod-openapi';
import { time } from '../live-schema.js';

export const concernSchema = z
  .object({
    kind: z.enum(['entity', 'operation', 'deployment', 'distributed', 'queue', 'build', 'workflow']),
    name: z.string().openapi({
      description:
        'The entity, `LogicalServer/orders`; what the operation does, `create LogicalServer/orders`; or the name of whatever else it is.',
    }),
    operation: z.string().nullable().openapi({
      description:
        'The request id of the operation; of an entity, the one that runs on it, or has led it to its error state.',
    }),
    state: z.string().nullable().openapi({ description: 'The state of the entity, as it was last known.' }),
    since: time.nullable(),
    reason: z.string().openapi({
      description:
        'The kind of the cause, such as `exhausted`, `answer` or `no_worker`: the reason in its explanation.',
    }),
    cause: z.string().openapi({
      description: 'The cause in words. Concerns with the same cause may have one fix.',
      example: 'LogicalServer in Failed: rests in an error state (provider_down)',
    }),
    message: z.string(),
    what_to_do: z.string(),
    command: z.string().openapi({ description: 'The command that fixes it, or shows how.' }),
    fix: z
      .enum(['retry', 'answer', 'cancel', 'resume', 'proceed'])
      .nullable()
      .openapi({ description: 'The call that fixes it; null if an operator has to look first.' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable().openapi({ description: 'The last error.' }),
  })
  .openapi('Concern');

export const attentionSchema = z
  .object({
    at: z.iso.datetime(),
    items: z.array(concernSchema).openapi({ description: 'The oldest first; at most `top` of each kind.' }),
    workers: z
      .object({
        task_queue: z.string(),
        alive: z.number().int().openapi({
          description: 'The number of workers that polled for tasks in the last minute, without frozen ones.',
        }),
        frozen: z
          .array(z.string())
          .openapi({ description: 'The identities of workers whose processes a signal or a debugger has stopped.' }),
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
