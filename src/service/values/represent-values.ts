import type { CallValues, EventValues, Recorded } from '../../client/values/event-values.js';
import { withoutCredentials } from '../../definition/credentials.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Resource } from '../../definition/resource.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import { entityId } from '../../protocol/names.js';
import type { EventOrigin } from '../../store/index.js';
import { jsonSchemaOf, type JsonSchema } from '../declared-schema.js';
import { shapeOf } from '../pending-callbacks.js';
import { Mask } from './mask.js';
import { shorten } from './shorten.js';
import type { EventValuesAnswer, ShownValue } from './value-schema.js';

const INLINE = 'A history does not have the inputs of inline calls.';
const ALIKE = 'Several inline calls ended in the same millisecond, and the history does not tell them apart.';
const SENT_WITHOUT_ID = 'The history does not tell which signal raised it. Send signals with a request id.';
const OWN = 'Reeve raised it by itself.';
const FROM_HIDDEN = 'It was sent by an entity that you may not read.';

export interface ValueDeclarations {
  readonly entity: AnyEntity;
  readonly entities: readonly AnyEntity[];
  readonly resources: readonly Resource[];
  /** Tells whether the caller may read entities of a type. */
  readonly reads: (type: string) => boolean;
}

/** The values of an event as its reader may see them: masked, and cut to a readable size. mask.1 */
export function representValues(
  eventId: number,
  origin: EventOrigin,
  values: EventValues,
  { entity, entities, resources, reads }: ValueDeclarations,
): EventValuesAnswer {
  const { request, calls, history, reason } = values;
  const mask = new Mask(entities);
  const params = Object.hasOwn(entity.events, origin.event) ? entity.events[origin.event]?.params : undefined;
  const schemas = {
    params: params ? bothWays(params) : [],
    construct: bothWays(entity.properties),
  };
  const shapes = calls.map(({ call }) => {
    const shape = shapeOf(resources, call);
    return { input: shape ? bothWays(shape.input) : [], output: shape ? bothWays(shape.output) : [] };
  });
  // All of them first: what is hidden in one is hidden in the others. mask.2
  mask.note(request?.params, schemas.params);
  mask.note(request?.construct, schemas.construct);
  calls.forEach(({ input, output }, index) => {
    mask.note(valueIn(input), shapes[index]!.input);
    mask.note(valueIn(output), shapes[index]!.output);
  });
  const show = (value: unknown, by: readonly JsonSchema[]): ShownValue => shown(mask, value, by);
  const recorded = (value: Recorded | undefined, by: readonly JsonSchema[], otherwise: ShownValue): ShownValue => {
    if (!value) return otherwise;
    return 'value' in value ? show(value.value, by) : { status: 'unreadable', reason: value.unreadable };
  };
  const isHidden = request?.from !== undefined && !reads(request.from);
  const hidden: ShownValue = { status: 'hidden', reason: FROM_HIDDEN };
  const text = (said: string) => String(mask.apply(said, []).value);
  return {
    ...{ event_id: eventId, entity: entityId(origin), event: origin.event, operation: origin.operation, history },
    ...(reason !== undefined && { reason }),
    parameters: isHidden ? hidden : request ? show(request.params, schemas.params) : withoutRequest(origin, values),
    ...(request?.construct !== undefined && {
      construct: isHidden ? hidden : show(request.construct, schemas.construct),
    }),
    result: resultOf(origin),
    calls: calls.map((call, index) => ({
      ...{ call: call.call, action: call.action, mode: call.mode, attempts: call.attempts },
      ...{ start_time: iso(call.startedAt), end_time: call.endedAt === undefined ? null : iso(call.endedAt) },
      ...(call.worker !== undefined && { worker: call.worker }),
      input: recorded(call.input, shapes[index]!.input, { status: 'not_recorded', reason: INLINE }),
      output: recorded(call.output, shapes[index]!.output, withoutOutput(call, history)),
      ...(call.error && { error: { code: call.error.code, message: text(call.error.message) } }),
      ...(call.earlierError !== undefined && { earlier_error: text(call.earlierError) }),
    })),
  };
}

/** Says why parameters were not found. */
function withoutRequest({ event_type: type }: EventOrigin, { history, reason = '' }: EventValues): ShownValue {
  if (type !== 'raised') return { status: 'none', reason: OWN };
  switch (history) {
    case 'gone':
    case 'unreadable':
      return { status: history, reason };
    case 'incomplete':
      return { status: 'not_recorded', reason };
    case 'complete':
      return { status: 'not_recorded', reason: SENT_WITHOUT_ID };
  }
}

function withoutOutput({ mode, error, endedAt }: CallValues, history: EventValues['history']): ShownValue {
  if (error || endedAt === undefined || mode !== 'inline') return { status: 'none' };
  return history === 'gone' ? { status: 'gone' } : { status: 'not_recorded', reason: ALIKE };
}

function resultOf({ end_state: state, end_version: version, end_details: given, result }: EventOrigin) {
  if (result === null) return null;
  const { error, rejection } = (given ?? {}) as Partial<EngagementOutcome>;
  const told = (each: { readonly code: string; readonly message: string }) => ({
    code: each.code,
    message: withoutCredentials(each.message),
  });
  return {
    ...{ result, state, version },
    ...(error && { error: told(error) }),
    ...(rejection && { rejection: told(rejection) }),
  };
}

function shown(mask: Mask, value: unknown, schemas: readonly JsonSchema[]): ShownValue {
  if (value === undefined) return { status: 'none' };
  const { value: visible, masked } = mask.apply(value, schemas);
  const { value: short, cut } = shorten(visible);
  return {
    ...{ status: 'recorded', value: short },
    ...(masked.length > 0 && { masked: [...masked.slice(0, MOST_PATHS)] }),
    ...(cut.length > 0 && { cut: [...cut] }),
  };
}

/** The most paths of hidden values that are listed. */
const MOST_PATHS = 20;

/** A schema as it takes values, and as it gives them: a mark of either counts. */
function bothWays(schema: Parameters<typeof jsonSchemaOf>[0]): readonly JsonSchema[] {
  return [jsonSchemaOf(schema, 'input'), jsonSchemaOf(schema, 'output')];
}

function valueIn(recorded: Recorded | undefined): unknown {
  return recorded && 'value' in recorded ? recorded.value : undefined;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
