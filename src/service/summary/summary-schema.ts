import { z } from '@hono/zod-openapi';

const number = (description: string) => z.number().int().nullable().openapi({ description });
const milliseconds = (description: string) => z.number().nullable().openapi({ description });

/** Null is what only the store knows. */
const counts = {
  total: number('All of these: finished, running and waiting.'),
  started: number('Of these, those that began in the period.'),
  running: number('Running at the end of the period, with a running event on an entity.'),
  waiting: number('Running at the end of the period, while all their entities rest: for a report, a time or an event.'),
  hung: number('Of those that run or wait now, those past their budget.'),
  finished: number('Ended in the period.'),
  succeeded: number('Finished, with success.'),
  failed: number('Finished, and failed.'),
  canceled: number('Finished, since they were canceled.'),
  rescheduled: number('Of these, those with a retry or a resumption.'),
  attempts: number('Executions of automatic actions beyond the first one in a state.'),
  resumptions: number('Resumptions after a failure.'),
  mean_ms: milliseconds('From the start to the end of those that have finished, on average.'),
  p95_ms: milliseconds('The duration, p95.'),
};

export const operationCountsSchema = z.object(counts).openapi('OperationCounts');

/** Counts and times of operations over a period, all of them and by group. A4 */
export const operationSummarySchema = z
  .object({
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    by: z.array(z.string()).openapi({ description: '`name` and dimensions, by which they are grouped.' }),
    '@reeve.source': z
      .literal('temporal')
      .optional()
      .openapi({ description: 'The store is unavailable. These run now, and Temporal has counted them.' }),
    all: operationCountsSchema,
    groups: z
      .array(
        z.object({
          group: z.record(z.string(), z.string().nullable()).openapi({
            example: { name: 'create LogicalServer' },
            description: 'Null if they have no such dimension.',
          }),
          ...counts,
        }),
      )
      .openapi({ description: 'The largest first.' }),
    more: z.literal(true).optional().openapi({ description: '`true` if there are more groups than requested.' }),
    partial: z
      .literal(true)
      .optional()
      .openapi({ description: '`true` if more run than were counted. Only if Temporal counts them.' }),
  })
  .openapi('OperationSummary');

export type OperationCounts = z.output<typeof operationCountsSchema>;
export type OperationSummary = z.output<typeof operationSummarySchema>;
export type OperationGroup = OperationSummary['groups'][number];
