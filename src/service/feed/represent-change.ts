import { z } from '@hono/zod-openapi';
import type { Change, ChangedCall } from '../../protocol/change.js';
import type { CallStep } from '../../protocol/call-step.js';
import { writePosition, type ChangeRow } from '../../store/index.js';

const text = z.string();
const perhaps = text.nullable();

/** A change, as listeners get it: the row of the view `changes`. A6 */
export const changeSchema: z.ZodType<Change> = z
  .object({
    position: text.openapi({
      description: 'Where it stands in the feed. Keep it when the change is done with, and go on after it.',
      example: '1x8k2-1234',
    }),
    kind: z.literal('transition'),
    entity_type: text.openapi({ example: 'LogicalServer' }),
    entity_key: text.openapi({ example: 'orders' }),
    life: text.openapi({ description: 'Tells the entity from others that have its key before or after it.' }),
    version: z.number().int().openapi({ description: 'Grows by one in a life, without gaps.' }),
    operation: perhaps.openapi({ description: 'The request id of the operation.' }),
    event: perhaps.openapi({ example: 'create' }),
    action_name: perhaps,
    start_state: perhaps,
    end_state: perhaps.openapi({ example: 'Ready' }),
    end_state_health: perhaps,
    outcome: perhaps.openapi({ example: 'success' }),
    error: perhaps,
    transition_time: z.iso.datetime().nullable(),
    calls: z
      .array(
        z.object({
          place: z.number().int(),
          call: text.openapi({ example: 'databases.createInstance' }),
          way: text.openapi({ example: 'activity' }),
          start_time: z.iso.datetime(),
          end_time: z.iso.datetime().nullable(),
          error_code: perhaps,
        }),
      )
      .openapi({ description: 'The calls that the action has made. Of more than 100, the latest ones.' }),
    tenant: perhaps,
    time: z.iso.datetime().openapi({ description: 'When it came to the feed.' }),
  })
  .openapi('Change');

export function representChange(store: string, row: ChangeRow): Change {
  const { position: number, transition_time, time, calls, ...rest } = row;
  return {
    position: writePosition({ store, number }),
    kind: 'transition',
    ...rest,
    transition_time: transition_time && transition_time.toISOString(),
    calls: ((calls ?? []) as readonly CallStep[]).map(representCall),
    time: time.toISOString(),
  };
}

function representCall({ place, call, way, startedAt, endedAt, error }: CallStep): ChangedCall {
  return {
    ...{ place, call, way, start_time: isoTime(startedAt) },
    end_time: endedAt === undefined ? null : isoTime(endedAt),
    error_code: error?.code ?? null,
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
