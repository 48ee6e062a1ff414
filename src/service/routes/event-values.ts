import { z } from '@hono/zod-openapi';
import type { AskedEvent } from '../../client/values/event-values.js';
import { permit, type ServiceContext } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { NO_STORE } from '../service-store.js';
import type { EventOrigin } from '../../store/index.js';
import { representValues } from '../values/represent-values.js';
import { eventValuesSchema } from '../values/value-schema.js';
import { numberText } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

/** How many histories an instance reads at once. */
const MOST_AT_ONCE = 8;

/** Serves the parameters of an event, and the inputs and outputs of its calls: `GET /api/events/12/values`. S5.1 */
export function serveEventValues(app: ServiceApp, parts: ServiceParts): void {
  const { reeve, modules } = parts;
  const store = parts.store ?? NO_STORE;
  const entities = modules.flatMap((module) => module.entities);
  const resources = modules.flatMap((module) => module.resources ?? []);
  let reading = 0;
  const route = {
    method: 'get',
    path: '/api/events/{event_id}/values',
    operationId: 'readEventValues',
    tag: 'lists',
    summary: 'Read the parameters of an event, and the inputs and outputs of its calls',
    description:
      "They come from Temporal's history, for as long as Temporal keeps it, and only for those who may read the entity. Secrets are " +
      'masked, and large values are cut.',
    request: { params: z.object({ event_id: numberText }) },
    responses: { 200: jsonResponse('The values that the history has.', eventValuesSchema) },
    problems: [504],
  } as const;
  serve(app, route, async (context) => {
    const id = Number(context.req.param('event_id'));
    const { guard } = context.var;
    const origin = await visibleOrigin(context, id, (event) => store.eventOrigin(event));
    const entity = entities.find(({ name }) => name === origin.type)!;
    if (reading >= MOST_AT_ONCE) {
      const message = 'Too many histories are being read. Try again in a moment.';
      throw new ProblemError('try_again', message, {}, { 'Retry-After': '1' });
    }
    reading++;
    try {
      const values = await reeve.values(askedEvent(origin));
      const reads = (type: string) => guard.readable.everything || guard.readable.types.includes(type);
      return context.json(representValues(id, origin, values, { entity, entities, resources, reads }), 200);
    } finally {
      reading--;
    }
  });
}

/**
 * The event, if its entity is the caller's. One of somebody else is answered like one that does not exist. guard.2
 * @throws ProblemError 403 for those who may read no entities; 404
 */
async function visibleOrigin(
  context: ServiceContext,
  id: number,
  read: (id: number) => Promise<EventOrigin | undefined>,
): Promise<EventOrigin> {
  const { guard } = context.var;
  const { types, everything } = guard.readable;
  if (types.length === 0 && !everything) guard.list('events');
  const origin = await read(id);
  const absent = new ProblemError('absent', `In events, the store has no row '${id}'.`);
  if (!origin) {
    guard.list('events');
    throw absent;
  }
  const { type, key, operation, tenant } = origin;
  try {
    permit(context, { action: 'read', list: 'values', entity: { type, key }, operation });
    guard.own(tenant ?? undefined);
  } catch (thrown) {
    throw thrown instanceof ProblemError ? absent : thrown;
  }
  return origin;
}

function askedEvent({ type, key, life, id, event, start_time: start, end_time: end, inline }: EventOrigin): AskedEvent {
  return {
    ...{ entity: { type, key }, life, id, event, startedAt: start.getTime() },
    ...(end && { endedAt: end.getTime() }),
    inline: inline.map((call) => ({
      ...{ call: call.call_name, action: call.action_name ?? '', startedAt: call.start_time.getTime() },
      ...(call.end_time && { endedAt: call.end_time.getTime() }),
      ...(call.error_code !== null && { error: { code: call.error_code, message: call.error_message ?? '' } }),
    })),
  };
}
