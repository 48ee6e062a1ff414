import { z } from '@hono/zod-openapi';
import type { Change, ChangedCall, ChangedWait } from '../../protocol/change.js';
import type { CallStep } from '../../protocol/call-step.js';
import type { RecordedWait } from '../../protocol/records.js';
import { writePosition, type ChangeRow } from '../../store/index.js';

const text = z.string();
const perhaps = text.nullable();
const time = z.iso.datetime();
const perhapsTime = time.nullable();

const common = {
  position: text.openapi({
    description: 'Its position in the feed. Save it when you have handled the change, and resume after it.',
    example: '1x8k2-1234',
  }),
  entity_type: text.openapi({ example: 'LogicalServer' }),
  entity_key: text.openapi({ example: 'orders' }),
  life: text.openapi({ description: 'The life of the entity: another one may use its key before or after it.' }),
  version: z
    .number()
    .int()
    .openapi({ description: 'A number that grows by one with each transition of the entity, without gaps.' }),
  tenant: perhaps,
  time: time.openapi({ description: 'The time at which it was added to the feed.' }),
};

const transition = z
  .object({
    ...common,
    kind: z.literal('transition'),
    operation: perhaps.openapi({ description: 'The request id of the operation.' }),
    event: perhaps.openapi({ example: 'create' }),
    action_name: perhaps,
    start_state: perhaps,
    end_state: perhaps.openapi({ example: 'Ready' }),
    end_state_health: perhaps,
    outcome: perhaps.openapi({ example: 'success' }),
    error: perhaps,
    transition_time: perhapsTime,
    calls: z
      .array(
        z.object({
          place: z.number().int(),
          call: text.openapi({ example: 'databases.createInstance' }),
          mode: text.openapi({ example: 'activity' }),
          start_time: time,
          end_time: perhapsTime,
          error_code: perhaps,
        }),
      )
      .openapi({ description: 'The calls that the action has made. Of more than 100, the latest ones.' }),
  })
  .openapi('TransitionChange');

const waits = z
  .object({
    ...common,
    kind: z.literal('waits'),
    waits: z
      .array(
        z.object({
          kind: z.enum(['answer', 'event', 'reservation', 'address', 'successors', 'attempt', 'timer']).openapi({
            description:
              'The kind of wait: for the answer from outside to a call or as an event, an event on another entity, the reservation of one, an ' +
              'answer at an address that raises an event, a pattern among successors, the first attempt of an action, or the time of an event.',
          }),
          on: text.openapi({ description: 'The call, entity, event, pattern or action.', example: 'approvals.ask' }),
          event: perhaps.openapi({ description: 'The event on another entity.' }),
          since: perhapsTime,
          until: perhapsTime,
        }),
      )
      .openapi({ description: 'Its present waits, at most 100; empty if it no longer waits.' }),
  })
  .openapi('WaitsChange');

/** A change, as listeners get it: the row of the view `changes`. A6 */
export const changeSchema: z.ZodType<Change> = z.discriminatedUnion('kind', [transition, waits]).openapi('Change');

export function representChange(store: string, row: ChangeRow): Change {
  const { position, entity_type, entity_key, life, version, tenant, time: cameAt, ...rest } = row;
  const said = {
    position: writePosition({ store, number: position }),
    ...{ entity_type, entity_key, life, version, tenant, time: cameAt.toISOString() },
  };
  const { kind, waits: awaited, calls, transition_time: at, ...moved } = rest;
  if (kind === 'waits')
    return { ...said, kind, waits: ((awaited ?? []) as readonly RecordedWait[]).map(representWait) };
  return {
    ...said,
    kind: 'transition',
    ...moved,
    transition_time: at && at.toISOString(),
    calls: ((calls ?? []) as readonly CallStep[]).map(representCall),
  };
}

function representWait({ kind, on, event, since, until }: RecordedWait): ChangedWait {
  return { kind, on, event: event ?? null, since: isoTime(since), until: isoTime(until) };
}

function representCall({ place, call, mode, startedAt, endedAt, error }: CallStep): ChangedCall {
  return {
    ...{ place, call, mode, start_time: new Date(startedAt).toISOString() },
    end_time: isoTime(endedAt),
    error_code: error?.code ?? null,
  };
}

function isoTime(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
