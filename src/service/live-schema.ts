import { z } from '@hono/zod-openapi';

export const time = z.iso.datetime({ offset: true });
const stuckSchema = z.object({ reason: z.string(), message: z.string(), what_to_do: z.string() });
const errorSchema = z.object({ code: z.string(), message: z.string() });

/** What only the entity itself tells, beside all that its row has. */
export const liveShape = {
  id: z.string().openapi({ description: 'Type and key.' }),
  running: z.object({ action: z.string(), since: time }).nullable().openapi({ description: 'The action that runs.' }),
  attempt: z.number().int().nullable().openapi({ description: 'Of the automatic action, from 1 on; 0 before.' }),
  attempts: z.number().int().nullable().openapi({ description: 'How often the action of its state is tried at most.' }),
  next_attempt_time: time.nullable(),
  exhausted: z.boolean().openapi({ description: 'An action has used up its attempts.' }),
  stuck: stuckSchema.nullable().openapi({
    description:
      'Why it does not get on until a person acts. Its `explanation` also says what is stuck of all that it waits for.',
  }),
  last_error: errorSchema.nullable(),
  waiting: z
    .array(z.object({ event: z.string(), operation: z.string() }))
    .openapi({ description: 'Events that wait.' }),
  reserved_by: z.object({ entity: z.string(), until: time }).nullable(),
  successors: z.array(
    z.object({
      entity: z.string(),
      role: z.string().nullable(),
      event: z.string(),
      state: z.string().nullable(),
      rejected: z.string().nullable().openapi({ description: 'The code with which the event was rejected.' }),
    }),
  ),
  stale: z.boolean().openapi({ description: 'No worker answers: this is how it was when it last told the store.' }),
};

/** The same, as what can be asked of it. S6.2 */
export const liveSchema = z.object(liveShape);
