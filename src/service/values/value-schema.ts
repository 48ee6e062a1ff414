import { z } from '@hono/zod-openapi';

const paths = z.array(z.string()).optional();

export const shownValueSchema = z
  .object({
    status: z.enum(['recorded', 'none', 'not_recorded', 'gone', 'unreadable', 'hidden']).openapi({
      description:
        '`none`: there is no value. `not_recorded`: the history does not have it. `gone`: the history is gone. `unreadable`: it cannot be ' +
        'decrypted here. `hidden`: the caller may not see it.',
    }),
    value: z.unknown().optional(),
    reason: z.string().optional().openapi({ description: 'Why there is no value.' }),
    masked: paths.openapi({ description: 'The paths at which secrets are replaced by `***`.' }),
    cut: paths.openapi({ description: 'What was left out because it is large, by its path.' }),
  })
  .openapi('HistoryValue');

export type ShownValue = z.output<typeof shownValueSchema>;

const errorSchema = z.object({ code: z.string(), message: z.string() });
const time = z.iso.datetime();

export const eventValuesSchema = z
  .object({
    event_id: z.number().int(),
    entity: z.string(),
    event: z.string(),
    operation: z.string().openapi({ description: 'The request id of its operation.' }),
    history: z.enum(['complete', 'incomplete', 'gone', 'unreadable']),
    reason: z.string().optional().openapi({ description: 'Why the history is not complete.' }),
    parameters: shownValueSchema,
    construct: shownValueSchema.optional().openapi({ description: 'The values that were given for a new entity.' }),
    result: z
      .object({
        result: z.string().openapi({ example: 'success' }),
        state: z.string().nullable(),
        version: z.number().int().nullable(),
        error: errorSchema.optional(),
        rejection: errorSchema.optional(),
      })
      .nullable()
      .openapi({ description: 'From the store; null while it has not ended.' }),
    calls: z.array(
      z.object({
        call: z.string().openapi({ example: 'databases.createInstance' }),
        action: z.string(),
        mode: z.enum(['activity', 'inline', 'callback']),
        start_time: time,
        end_time: time.nullable(),
        worker: z.string().optional().openapi({
          description: 'The identity of the worker that made it last, as Temporal has it.',
          example: '4203@host',
        }),
        attempts: z.number().int().openapi({ description: 'More than 1 if a worker was lost during it.' }),
        input: shownValueSchema,
        output: shownValueSchema,
        error: errorSchema.optional(),
        earlier_error: z.string().optional().openapi({ description: 'Why the attempt before has ended.' }),
      }),
    ),
  })
  .openapi('EventValues');

export type EventValuesAnswer = z.output<typeof eventValuesSchema>;
