import { z } from '@hono/zod-openapi';
import { DURATION, parseDuration, type Duration } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { LATEST_UNTIL } from '../../protocol/callback.js';
import type { CallbackSettings } from '../../temporal/callback-address.js';
import { rolesForAccess } from '../access.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf } from '../asking.js';
import { permit } from '../context.js';
import { pathOfType, type EntityModule } from '../module.js';
import { pendingCallbacks } from '../pending-callbacks.js';
import { answerTaken } from '../operation-answer.js';
import type { ServiceParts } from '../parts.js';
import { operationLinks } from './links.js';
import { operationResponses } from './operation-responses.js';
import { keyParameter, plainText, requestHeaders } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const pendingCallback = z
  .object({
    id: z.string(),
    call: z.string().optional().openapi({ description: 'The call that is answered.', example: 'approvals.ask' }),
    event: z
      .string()
      .optional()
      .openapi({ description: 'The event that the answer raises, if it does not answer a call.' }),
    since: z.number().int(),
    until: z.number().int(),
    url: z
      .string()
      .optional()
      .openapi({ description: 'The address for the answer. Anyone with the address can answer.' }),
    output: z.looseObject({}).optional().openapi({ description: 'The JSON Schema of the output.' }),
  })
  .openapi('PendingCallback', { description: 'Times are milliseconds since 1970.' });
const callback = plainText(1_000).openapi({ description: 'The id of the callback, as the list shows it.' });
const named = z.strictObject({ callback }).openapi('NamedCallback');
const extension = z
  .strictObject({
    callback,
    within: z
      .string()
      .regex(DURATION, { error: `is not a duration: write '2d'` })
      .refine((text) => untilOf(text) <= LATEST_UNTIL, { error: 'goes beyond the year 9999' })
      .openapi({ description: 'The new time limit, from now.', example: '2d' }),
  })
  .openapi('ExtendedCallback');

/** When a time from now is over, in milliseconds since 1970. */
function untilOf(within: string): number {
  return Math.ceil(Date.now() + (parseDuration(within as Duration) ?? 0));
}

/** Serves what an operator can do about answers that are awaited from outside. A1, A2 */
export function serveCallbackOversight(
  app: ServiceApp,
  parts: ServiceParts,
  module: EntityModule,
  entity: AnyEntity,
  settings: CallbackSettings | undefined,
): void {
  const { reeve, modules } = parts;
  const path = `${pathOfType(module, entity.name)}/{key}`;
  const roles = rolesForAccess(entity, { action: 'callbacks' });
  const params = keyParameter(entity);
  const resources = modules.flatMap((each) => each.resources ?? []);

  const list = {
    method: 'get',
    tag: entity.name,
    roles,
    path: `${path}/pending-callbacks`,
    operationId: `listPendingCallbacksOf${entity.name}`,
    summary: `List the answers that a ${entity.name} awaits from outside`,
    description: 'The list has the addresses for the answers, so it is only for operators.',
    request: { params },
    responses: {
      200: jsonResponse('The pending callbacks, the oldest first.', z.object({ items: z.array(pendingCallback) })),
    },
  } as const;
  serve(app, list, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    permit(context, { action: 'callbacks', entity: ref });
    const { snapshot } = await answeredWithin(parts.settings.answerMs, reeve.read(ref));
    context.var.guard.own(snapshot.tenant);
    const items = pendingCallbacks(entity, snapshot, { now: Date.now(), settings, resources });
    return context.json({ items }, 200);
  });

  const common = {
    method: 'post',
    tag: entity.name,
    roles,
    responses: operationResponses(operationLinks(entity, '$request.path.key')),
    problems: [410],
  } as const;
  const bodyOf = (schema: z.ZodType) => ({ content: { 'application/json': { schema } }, required: true });
  const request = { params, headers: requestHeaders };

  const extend = {
    ...common,
    path: `${path}/extend-callback`,
    operationId: `extendCallbackOf${entity.name}`,
    summary: 'Wait longer for an answer from outside',
    description: 'Its address stays the same. You can only extend the time.',
    request: { ...request, body: bodyOf(extension) },
  } as const;
  serve(app, extend, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    const { callback: id, within } = (await context.req.json()) as z.output<typeof extension>;
    permit(context, { action: 'extend-callback', entity: ref });
    const raised = reeve.extendCallback(ref, { callback: id, until: untilOf(within) }, askingOf(context, ref));
    return answerTaken(context, parts, await context.var.guard.entity(answeredWithin(parts.settings.answerMs, raised)));
  });

  const revoke = {
    ...common,
    path: `${path}/revoke-callback`,
    operationId: `revokeCallbackOf${entity.name}`,
    summary: 'Give up an answer from outside',
    description: 'Its address is closed. The call fails with the code `call_revoked`, and its action decides.',
    request: { ...request, body: bodyOf(named) },
  } as const;
  serve(app, revoke, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    const { callback: id } = (await context.req.json()) as z.output<typeof named>;
    permit(context, { action: 'revoke-callback', entity: ref });
    const raised = reeve.revokeCallback(ref, id, askingOf(context, ref));
    return answerTaken(context, parts, await context.var.guard.entity(answeredWithin(parts.settings.answerMs, raised)));
  });
}
