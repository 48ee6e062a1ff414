import { z } from '@hono/zod-openapi';

const number = (description: string) => z.number().int().openapi({ description });
const milliseconds = (description: string) => z.number().nullable().openapi({ description });
const begin = z.iso.datetime().openapi({ description: 'The begin of the minute or hour, or else of the period.' });

/** Of what the times of a period are made. */
export const bucketSchema = z.enum(['minute', 'hour']);
export type Bucket = z.output<typeof bucketSchema>;

/** The transitions that went along the arrows of the state diagrams in a period. */
export const transitionSummarySchema = z
  .object({
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    by: bucketSchema.optional(),
    transitions: z
      .array(
        z.object({
          begin,
          type: z.string(),
          start_state: z.string(),
          end_state: z.string(),
          action: z.string().openapi({ description: 'The action; empty for the creation of an entity.' }),
          total: number('The number that ended in the period.'),
          failed: number('Of these, those that ended with an error, or were aborted.'),
        }),
      )
      .openapi({ description: 'By type, states and action.' }),
    states: z
      .array(
        z.object({
          begin,
          type: z.string(),
          state: z.string(),
          left: number('The number that left the state in the period.'),
          p50_ms: milliseconds('The time in it, median.'),
          p95_ms: milliseconds('The time in it, p95.'),
        }),
      )
      .openapi({ description: 'The time in each state.' }),
    rejections: z
      .array(
        z.object({
          begin,
          type: z.string(),
          event: z.string(),
          state: z.string().nullable(),
          code: z.string(),
          total: number('The number of occurrences.'),
        }),
      )
      .openapi({ description: 'The events that were rejected at once.' }),
  })
  .openapi('TransitionSummary');

export type TransitionSummary = z.output<typeof transitionSummarySchema>;
