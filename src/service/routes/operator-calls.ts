import { z } from '@hono/zod-openapi';
import type { AnyEntity } from '../../definition/entity.js';
import { parseEntityId } from '../../protocol/names.js';
import { rolesForAccess } from '../access.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf } from '../asking.js';
import { permit } from '../context.js';
import type { ServiceParts } from '../parts.js';
import { expectedVersion } from '../entity-tag.js';
import { pathOfType, type EntityModule } from '../module.js';
import { answerTaken } from '../operation-answer.js';
import { operationLinks } from './links.js';
import { operationResponses } from './operation-responses.js';
import { entityIdText, keyParameter, requestHeaders, versionedHeaders } from './parameters.js';
import { serve, type ServiceApp } from './route.js';

const successorSchema = z
  .strictObject({ successor: entityIdText.openapi({ example: 'SqlApplication/orders' }) })
  .openapi('LostSuccessor');

/** Serves what an operator can do where nothing goes on by itself. S3.5, S4.4 */
export function serveOperatorCalls(
  app: ServiceApp,
  parts: ServiceParts,
  module: EntityModule,
  entity: AnyEntity,
): void {
  const { reeve, settings } = parts;
  const path = `${pathOfType(module, entity.name)}/{key}`;
  const roles = rolesForAccess(entity, { action: 'retry' });
  const responses = operationResponses(operationLinks(entity, '$request.path.key'));
  const common = { method: 'post', tag: entity.name, roles, responses } as const;
  const params = keyParameter(entity);

  const retry = {
    ...common,
    path: `${path}/retry-action`,
    operationId: `retryActionOf${entity.name}`,
    summary: 'Retry an action that has used up its attempts',
    description: 'Its attempts are reset. The answer is `not_exhausted` if there is no such action.',
    request: { params, headers: versionedHeaders },
    problems: [410],
  } as const;
  serve(app, retry, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    const expects = expectedVersion(context.req.header('if-match'));
    const asking = askingOf(context, ref, expects);
    permit(context, { action: 'retry', entity: ref, operation: asking.requestId });
    const raised = answeredWithin(settings.answerMs, reeve.retry(ref, asking));
    return answerTaken(context, parts, await context.var.guard.entity(raised));
  });

  const markLost = {
    ...common,
    path: `${path}/mark-lost`,
    operationId: `markLostSuccessorOf${entity.name}`,
    summary: 'Mark a successor as lost',
    description:
      'The entity stops waiting for it, and it counts as failed. The answer is `no_such_successor` if there is none of ' +
      'that name. A success names the operation that had waited for it.',
    request: {
      params,
      headers: requestHeaders,
      body: { content: { 'application/json': { schema: successorSchema } }, required: true },
    },
    problems: [410],
  } as const;
  serve(app, markLost, async (context) => {
    const ref = { type: entity.name, key: context.req.param('key')! };
    const { successor: name } = (await context.req.json()) as z.output<typeof successorSchema>;
    const successor = parseEntityId(name)!;
    permit(context, { action: 'mark-lost', entity: ref });
    const raised = answeredWithin(settings.answerMs, reeve.markLost(ref, successor, askingOf(context, ref)));
    return answerTaken(context, parts, await context.var.guard.entity(raised));
  });
}
