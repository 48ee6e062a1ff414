import { z } from '@hono/zod-openapi';

const number = (description: string) => z.number().int().openapi({ description });

/** The entities of a type that are in one state and health. */
export const entityCountSchema = z
  .object({
    type: z.string(),
    state: z.string(),
    health: z.string(),
    total: number('All of these.'),
    in_progress: number('Of these, those that have not settled.'),
    stuck: number('Of these, the entities that need an operator to make progress.'),
    hung: number('Of these, those whose operation is past its budget.'),
    stuck_since: z.iso.datetime().nullable().openapi({ description: 'When the first of these got stuck.' }),
  })
  .openapi('EntityCount');

export const entitySummarySchema = z
  .object({
    at: z.iso.datetime().openapi({ description: 'The time of the count: at most a second ago.' }),
    items: z
      .array(entityCountSchema)
      .openapi({ description: 'By type, state and health; none if there is no entity.' }),
  })
  .openapi('EntitySummary');

export type EntityCount = z.output<typeof entityCountSchema>;
export type EntitySummary = z.output<typeof entitySummarySchema>;
