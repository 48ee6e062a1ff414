import { z } from '@hono/zod-openapi';
import { StartRefused } from '../../client/distributed.js';
import {
  nameOf,
  operationOutcome,
  type AnyDistributedOperation,
  type InstanceReading,
  type InstanceRef,
} from '../../distributed/index.js';
import { DISTRIBUTED, distributedWorkflowId } from '../../protocol/distributed-names.js';
import { requestOn } from '../../protocol/request-id.js';
import { MOST_ACTIVITIES } from '../../definition/limits.js';
import { rolesForDistributed } from '../access.js';
import { startedOn } from '../../client/distributed-reading.js';
import { timeLimit } from '../../client/time-limit.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf } from '../asking.js';
import { permit, type ServiceContext } from '../context.js';
import { accepting, issuesIn, jsonSchemaOf, takesNothing, type JsonSchema } from '../declared-schema.js';
import { distributedSchema } from '../distributed-representation.js';
import { executionOf } from '../execution.js';
import { noteFirstResponse, RETRY_AFTER } from '../operation-answer.js';
import { executionSchema, pathOfOperation } from '../operation-representation.js';
import type { ServiceParts } from '../parts.js';
import { preferredWait } from '../preference.js';
import { ProblemError } from '../problem.js';
import { DISTRIBUTED_PATH, distributedParameter, permittedInstance, readDistributed } from './distributed.js';
import { plainText, requestHeaders } from './parameters.js';
import { FOLLOWED } from './operation-responses.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const started = z
  .object({
    ...{ name: z.string(), target: z.string(), type: z.string(), instance: z.number().int() },
    request_id: z.string().openapi({ description: 'The id of its operation.' }),
    outcome: z.enum(['running', 'success', 'failed', 'canceled']),
    reason: z.string().nullable().openapi({ description: 'The reason why it ended without success.' }),
    '@reeve.execution': executionSchema,
  })
  .openapi('StartedDistributedOperation');
const atOnce = z.number().int().min(1).max(MOST_ACTIVITIES);
const limits = z
  .strictObject({
    at_once: atOnce.optional().openapi({ description: 'The limit of jobs that run in parallel.' }),
    per_second: z
      .number()
      .positive()
      .optional()
      .openapi({ description: 'The rate limit of each job, in units of work a second.' }),
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
      await context.var.guard.attempt(
        answeredWithin(parts.settings.answerMs, tell(ref, body)),
        ({ request }) => request,
      );
      return context.json(await readDistributed(parts, ref), 200);
    });
  }

  steer(
    'pause',
    {
      summary: 'Pause a distributed operation',
      description: 'Within a second, no more jobs start, and jobs that can be interrupted stop.',
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
    description: `One job runs on each partition of the target. If it is rejected, nothing is stored.\n${types.map(describeType).join('')}`,
    request: {
      headers: requestHeaders,
      body: { content: { 'application/json': { schema } }, required: true },
    },
    responses: {
      200: jsonResponse(
        'It has ended within the time that the caller preferred to wait, or had been started before.',
        started,
        { ...FOLLOWED, Location: 'Its address.' },
      ),
      202: jsonResponse('It runs.', started, {
        ...FOLLOWED,
        Location: 'Its address.',
        'Retry-After': 'The seconds after which to read the operation.',
      }),
    },
    problems: [404, 409],
  } as const;
  serve(app, route, async (context) => {
    const { type, target, argument = {}, partitions, at_once: jobs } = body.parse(await context.req.json());
    const ref = { type: DISTRIBUTED, key: `${target}/${type}` };
    permit(context, { action: 'start', entity: ref, distributed: type });
    // The key is that of a start on the target: with another type it is a conflict. S2.5
    const on = startedOn(target);
    const requestId = requestOn(target, askingOf(context, on).requestId);
    const starting = reeve.distributed
      .start(type, target, argument, {
        requestId,
        ...(partitions !== undefined && { partitions }),
        ...(jobs !== undefined && { atOnce: jobs }),
      })
      .catch((thrown: unknown) => {
        if (!(thrown instanceof StartRefused)) throw thrown;
        throw refused(thrown, reeve.distributed.types.get(type)!, argument);
      });
    const { instance } = await context.var.guard.attempt(answeredWithin(settings.answerMs, starting));
    const name = nameOf({ target, type, instance });
    parts.places.note(requestId, on);
    noteFirstResponse(parts, requestId, on);
    context.set('operation', requestId);
    context.header('Location', `${DISTRIBUTED_PATH}/${encodeURIComponent(name)}`);
    context.header('Operation-Location', pathOfOperation(requestId, on));
    const ended = await endWithin(context, parts, { target, type, instance });
    if (!ended) context.header('Retry-After', RETRY_AFTER);
    const answer = {
      ...{ name, target, type, instance, request_id: requestId },
      ...{ outcome: ended ? operationOutcome(ended.outcome) : 'running', reason: ended?.reason ?? null },
      ...executionOf(parts, distributedWorkflowId(name)),
    } as const;
    return context.json(answer, ended ? 200 : 202);
  });
}

/** How it has ended, where it has done so before, or within the time that the caller prefers to wait. S4.7 */
async function endWithin(
  context: ServiceContext,
  { reeve, settings }: ServiceParts,
  ref: InstanceRef,
): Promise<InstanceReading | undefined> {
  const seconds = preferredWait(context.req.header('prefer'), settings.longestWait);
  if (seconds !== undefined) context.header('Preference-Applied', `wait=${seconds}`);
  const mayBeOld = context.req.header('idempotency-key') !== undefined;
  if (seconds === undefined && !mayBeOld) return undefined;
  if (seconds === undefined) {
    const reading = await reeve.distributed.read(ref).catch(() => undefined);
    return reading?.endedAt === undefined ? undefined : reading;
  }
  const { signal, clear } = timeLimit(seconds * 1_000, context.req.raw.signal);
  try {
    return await reeve.distributed.result(ref, signal);
  } catch (thrown) {
    // It goes on, even when nobody waits any longer.
    if (signal.aborted) return undefined;
    throw thrown;
  } finally {
    clear();
  }
}

function startOf(types: readonly AnyDistributedOperation[]) {
  return z.strictObject({
    type: z.enum(types.map(({ type }) => type)),
    target: plainText(200).openapi({ example: 'orders.sales/line_items' }),
    argument: z.unknown().optional().openapi({ description: 'The argument of the type.' }),
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
  return `\n- \`${operation.type}\` requires one of the roles: ${may}. Its argument: \`${argument}\``;
}

/** The members of the body to which refusals belong. */
const REFUSED_MEMBERS: Readonly<Record<string, string>> = { unknown_target: 'target', unknown_partition: 'partitions' };

/** Names what is in the way, and the members of the body that are wrong. I4, I8 */
function refused(
  { code, message, running }: StartRefused,
  { argument: schema }: AnyDistributedOperation,
  argument: unknown,
): ProblemError {
  const member = REFUSED_MEMBERS[code];
  const issues =
    member === undefined
      ? issuesIn(schema, argument, ['argument']).map(({ path, message: wrong }) => ({
          path: path.join('.'),
          message: wrong,
        }))
      : [{ path: member, message }];
  return ProblemError.declared(code, message, {
    ...(running && { running }),
    ...(issues.length > 0 && { issues }),
  });
}
