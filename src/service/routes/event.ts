import { z } from '@hono/zod-openapi';
import { NOT_ALLOWED_NOW } from '../../definition/guard.js';
import { describeCondition } from '../../definition/condition.js';
import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import { rolesForAccess } from '../access.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf } from '../asking.js';
import { permit } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { accepting, declaredRejections, takesNothing } from '../declared-schema.js';
import { expectedVersion } from '../entity-tag.js';
import { orGone } from '../gone.js';
import { pathOfType, type EntityModule } from '../module.js';
import { answerTaken } from '../operation-answer.js';
import { preferredHold } from '../preference.js';
import { problemSchema } from '../problem.js';
import { keyParameter, versionedHeaders } from './parameters.js';
import { operationLinks } from './links.js';
import { operationResponses } from './operation-responses.js';
import { serve, type Route, type ServiceApp } from './route.js';

/**
 * Serves `POST /api/control-plane/v1/LogicalServer/orders/delete`, which raises an event with its parameters as the body. S2.1
 */
export function serveEvent(
  app: ServiceApp,
  parts: ServiceParts,
  module: EntityModule,
  entity: AnyEntity,
  event: string,
): void {
  const { reeve, settings } = parts;
  const { params, in: states, displayName, description } = entity.events[event]!;
  const schema = accepting(params ?? z.strictObject({}));
  const route: Route = {
    method: 'post',
    path: `${pathOfType(module, entity.name)}/{key}/${event}`,
    roles: rolesForAccess(entity, { action: 'raise', event }),
    operationId: `raise_${entity.name}_${event}`,
    tag: entity.name,
    summary: `Raise '${event}' on a ${entity.name}${displayName === undefined ? '' : `: ${displayName}`}`,
    description: [description, `It is valid in ${asList(states).join(', ')}.`].filter(Boolean).join(' '),
    request: {
      params: keyParameter(entity),
      headers: versionedHeaders,
      body: { content: { 'application/json': { schema } }, required: !takesNothing(params) },
    },
    responses: { ...operationResponses(operationLinks(entity, '$request.path.key')), 409: conflict(entity, event) },
    problems: [410],
  };
  serve(app, route, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    const expects = expectedVersion(context.req.header('if-match'));
    const asking = askingOf(context, ref, expects);
    permit(context, { action: 'raise', event, entity: ref, operation: asking.requestId });
    // The body has already been checked against the parameters of the event.
    const given = params ? context.req.valid('json' as never) : undefined;
    const raised = reeve.raiseAny(entity, ref.key, event, {
      ...asking,
      params: given,
      ...preferredHold(context.req.header('prefer'), settings),
    });
    const answered = orGone(context, parts, ref, answeredWithin(settings.answerMs, raised));
    return answerTaken(context, parts, await context.var.guard.entity(answered));
  });
}

/** Says every way in which the state can forbid the event, by its code. S2.2 */
function conflict(entity: AnyEntity, event: string): Route['responses'][string] {
  const declared = declaredRejections(entity, event);
  const guards = (entity.events[event]?.when ?? []).map(({ is, otherwise }) => ({
    code: otherwise?.code ?? NOT_ALLOWED_NOW,
    is: describeCondition(is),
  }));
  const lines = [
    ...[...declared].map(([code, states]) => `- \`${code}\` in ${states.join(', ')}`),
    ...guards.map(({ code, is }) => `- \`${code}\` unless ${is}`),
  ];
  const description = [
    `The state ${guards.length > 0 ? 'or what the entity holds ' : ''}does not allow it, and nothing has changed. The \`code\` is the reason:`,
    ...lines,
    '- `not_valid` in any other state that does not allow it; `terminal` at the end',
  ].join('\n');
  const codes = [...new Set([...declared.keys(), ...guards.map(({ code }) => code), 'not_valid', 'terminal'])];
  const schema = problemSchema.and(z.object({ code: z.enum(codes) }));
  return { description, content: { 'application/problem+json': { schema } } };
}
