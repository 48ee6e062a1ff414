import { z } from '@hono/zod-openapi';
import type { Change } from '../../protocol/change.js';
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
    tenant: perhaps,
    time: z.iso.datetime().openapi({ description: 'When it came to the feed.' }),
  })
  .openapi('Change');

export function representChange(store: string, row: ChangeRow): Change {
  const { position: number, transition_time, time, ...rest } = row;
  return {
    position: writePosition({ store, number }),
    kind: 'transition',
    ...rest,
    transition_time: transition_time && transition_time.toISOString(),
    time: time.toISOString(),
  };
}
