import { z } from '@hono/zod-openapi';
import { StartRefused } from '../../client/distributed.js';
import {
  nameOf,
  type AnyDistributedOperation,
  type InstanceReading,
  type InstanceRef,
} from '../../distributed/index.js';
import { DISTRIBUTED, distributedWorkflowId } from '../../protocol/distributed-names.js';
import { MOST_ACTIVITIES } from '../../definition/limits.js';
import { rolesForDistributed } from '../access.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf } from '../asking.js';
import { permit } from '../context.js';
import { accepting, jsonSchemaOf, takesNothing, type JsonSchema } from '../declared-schema.js';
import { distributedSchema } from '../distributed-representation.js';
import { executionOf } from '../execution.js';
import { executionSchema } from '../operation-representation.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { statusOf } from '../rejection-status.js';
import { DISTRIBUTED_PATH, distributedParameter, permittedInstance, readDistributed } from './distributed.js';
import { idempotencyHeaders, plainText } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const started = z
  .object({
    ...{ name: z.string(), target: z.string(), type: z.string(), instance: z.number().int() },
    '@reeve.execution': executionSchema,
  })
  .openapi('StartedDistributedOperation');
const atOnce = z.number().int().min(1).max(MOST_ACTIVITIES);
const limits = z
  .strictObject({
    at_once: atOnce.optional().openapi({ description: 'How many jobs run at once.' }),
    per_second: z.number().positive().optional().openapi({ description: 'How much each job does in a second.' }),
  })
  .refine((given) => given.at_once !== undefined || given.per_second !== undefined, {
    error: 'names nothing: name at_once, per_second, or both',
  })
  .openapi('DistributedLimits', { minProperties: 1 });
const cancellation = z.strictObject({ reason: z.string().max(10_000).optional() }).openapi('DistributedCancellation');

/** Serves what starts distributed operations, and what operators can do with them. I5, I8 */
export function serveDistributedCalls(app: ServiceApp, parts: ServiceParts): void {
  const { distributed } = parts.reeve;
  serveStart(app, parts, [...distributed.types.values()]);

  function steer(
    action: 'pause' | 'resume' | 'limit' | 'cancel' | 'proceed',
    words: { readonly summary: string; readonly description: string },
    tell: (ref: InstanceRef, body: unknown) => Promise<InstanceReading>,
    schema?: z.ZodType,
  ): void {
    const route = {
      method: 'post',
      path: `${DISTRIBUTED_PATH}/{name}/${action}`,
      operationId: `${action}DistributedOperation`,
      tag: 'distributed operations',
      ...words,
      request: {
        params: distributedParameter,
        ...(schema && { body: { content: { 'application/json': { schema } }, required: true } }),
      },
      responses: { 200: jsonResponse('The operation afterwards.', distributedSchema) },
      problems: [409, 410],
    } as const;
    serve(app, route, async (context) => {
      const ref = permittedInstance(context, action);
      const body: unknown = schema && (await context.req.json());
      await answeredWithin(parts.settings.answerMs, tell(ref, body));
      return context.json(await readDistributed(parts, ref), 200);
    });
  }

  steer(
    'pause',
    {
      summary: 'Pause a distributed operation',
      description: 'Within a second no job starts, and jobs that can be interrupted stop.',
    },
    (ref) => distributed.pause(ref),
  );
  steer(
    'resume',
    { summary: 'Resume a distributed operation', description: 'Jobs continue where they stopped.' },
    (ref) => distributed.resume(ref),
  );
  steer(
    'limit',
    { summary: 'Limit a distributed operation', description: 'Omitted limits do not change.' },
    (ref, body) => {
      const { at_once: jobs, per_second: perSecond } = limits.parse(body);
      return distributed.limit(ref, {
        ...(jobs !== undefined && { atOnce: jobs }),
        ...(perSecond !== undefined && { perSecond }),
      });
    },
    limits,
  );
  steer(
    'cancel',
    { summary: 'Cancel a distributed operation', description: 'Its jobs stop and are cleaned up. Then it completes.' },
    (ref, body) => distributed.cancel(ref, cancellation.parse(body).reason),
    cancellation,
  );
  steer(
    'proceed',
    {
      summary: 'Skip failing clean-ups of a distributed operation',
      description:
        'Each failing clean-up is retried once more. If it fails again, it is skipped, and its leftovers stay.',
    },
    (ref) => distributed.proceed(ref),
  );
}

function serveStart(app: ServiceApp, parts: ServiceParts, types: readonly AnyDistributedOperation[]): void {
  const { reeve, settings } = parts;
  const body = startOf(types);
  const schema = accepting(body, describeStart(body, types)).openapi('StartDistributedOperation');
  const route = {
    method: 'post',
    path: DISTRIBUTED_PATH,
    operationId: 'startDistributedOperation',
    tag: 'distributed operations',
    summary: 'Start a distributed operation',
    description: `One job runs on each partition of the target. Where it is refused, nothing of it is left.\n${types.map(describeType).join('')}`,
    request: {
      headers: idempotencyHeaders,
      body: { content: { 'application/json': { schema } }, required: true },
    },
    responses: { 201: jsonResponse('It has started.', started, { Location: 'Where it is.' }) },
    problems: [404, 409],
  } as const;
  serve(app, route, async (context) => {
    const { type, target, argument = {}, partitions, at_once: jobs } = body.parse(await context.req.json());
    const ref = { type: DISTRIBUTED, key: `${target}/${type}` };
    permit(context, { action: 'start', entity: ref, distributed: type });
    // The key is that of a start on the target: with another type it is a conflict. S2.5
    const { requestId } = askingOf(context, { type: DISTRIBUTED, key: target });
    const starting = reeve.distributed
      .start(type, target, argument, {
        ...(context.req.header('idempotency-key') !== undefined && { requestId }),
        ...(partitions !== undefined && { partitions }),
        ...(jobs !== undefined && { atOnce: jobs }),
      })
      .catch((thrown: unknown) => {
        throw thrown instanceof StartRefused ? refused(thrown) : thrown;
      });
    const { instance } = await answeredWithin(settings.answerMs, starting);
    const name = nameOf({ target, type, instance });
    context.header('Location', `${DISTRIBUTED_PATH}/${encodeURIComponent(name)}`);
    return context.json({ name, target, type, instance, ...executionOf(parts, distributedWorkflowId(name)) }, 201);
  });
}

function startOf(types: readonly AnyDistributedOperation[]) {
  return z.strictObject({
    type: z.enum(types.map(({ type }) => type)),
    target: plainText(200).openapi({ example: 'orders.sales/line_items' }),
    argument: z.unknown().optional().openapi({ description: 'What the type takes.' }),
    partitions: z.string().min(1).max(10_000).optional().openapi({
      pattern: '^\\d+(-\\d+)?(,\\d+(-\\d+)?)*$',
      description: 'Only these; all without it.',
      example: '0-99,120',
    }),
    at_once: atOnce
      .optional()
      .openapi({ description: 'The maximum number of parallel jobs (default: that of the type).' }),
  });
}

/** The schema of the body. It has one alternative for each type, with the argument that it takes. */
function describeStart(body: ReturnType<typeof startOf>, types: readonly AnyDistributedOperation[]): JsonSchema {
  const { properties, ...common } = jsonSchemaOf(body, 'input');
  const anyOf = types.map(({ type, argument }) => ({
    ...{ ...common, title: type },
    properties: { ...(properties as object), type: { const: type }, argument: jsonSchemaOf(argument, 'input') },
    required: ['type', 'target', ...(takesNothing(argument) ? [] : ['argument'])],
  }));
  return { type: 'object', anyOf };
}

/** Says of a type what its argument is, and who may start it. S6.5 */
function describeType(operation: AnyDistributedOperation): string {
  const argument = JSON.stringify(jsonSchemaOf(operation.argument, 'input'));
  const may = rolesForDistributed(operation, 'start').join(', ');
  return `\n- \`${operation.type}\` takes one of the roles: ${may}. Its argument: \`${argument}\``;
}

/** Names what is in the way. I4, I8 */
function refused({ code, message, running }: StartRefused): ProblemError {
  return new ProblemError(statusOf(code), code, message, running && { running });
}
