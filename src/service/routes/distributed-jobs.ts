import { z } from '@hono/zod-openapi';
import type { InstanceReading, InstanceRef } from '../../distributed/index.js';
import { DISTRIBUTED } from '../../protocol/distributed-names.js';
import { startedOn } from '../../client/distributed-reading.js';
import type { RequestOptions } from '../../client/distributed.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf } from '../asking.js';
import { distributedSchema } from '../distributed-representation.js';
import { RETRY_AFTER } from '../operation-answer.js';
import { pathOfOperation } from '../operation-representation.js';
import type { ServiceParts } from '../parts.js';
import { DISTRIBUTED_PATH, distributedParameter, permittedInstance, readDistributed } from './distributed.js';
import { FOLLOWED } from './operation-responses.js';
import { idempotencyHeaders, plainText } from './parameters.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const jobParameters = distributedParameter.extend({
  partition: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    // Its type is told, since what is coerced may be null for the document; then its limits have to be told, too.
    .openapi({
      ...{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      ...{ description: 'The partition of the job.', example: 7 },
    }),
});
const destination = z
  .strictObject({ place: plainText(200).openapi({ description: 'A place with a replica.', example: 'west' }) })
  .openapi('DistributedJobMove');

/** Serves what operators can do about one job. I1, I5 */
export function serveDistributedJobs(app: ServiceApp, parts: ServiceParts): void {
  const { distributed } = parts.reeve;

  function change(
    action: 'retry' | 'move',
    words: { readonly summary: string; readonly description: string },
    tell: (ref: InstanceRef, partition: number, body: unknown, options: RequestOptions) => Promise<InstanceReading>,
    schema?: z.ZodType,
  ): void {
    const route = {
      method: 'post',
      path: `${DISTRIBUTED_PATH}/{name}/jobs/{partition}/${action}`,
      operationId: `${action}DistributedJob`,
      tag: 'distributed operations',
      ...words,
      request: {
        params: jobParameters,
        headers: idempotencyHeaders,
        ...(schema && { body: { content: { 'application/json': { schema } }, required: true } }),
      },
      responses: {
        202: jsonResponse('The operation afterwards. The job follows.', distributedSchema, {
          ...FOLLOWED,
          'Retry-After': 'After how many seconds to look at the operation.',
        }),
      },
      problems: [409, 410, 422],
    } as const;
    serve(app, route, async (context) => {
      const ref = permittedInstance(context, action);
      const { partition } = jobParameters.parse(context.req.param());
      const body: unknown = schema && (await context.req.json());
      const { requestId } = askingOf(context, { type: DISTRIBUTED, key: ref.name });
      const telling = answeredWithin(parts.settings.answerMs, tell(ref, partition, body, { requestId }));
      const { request } = await context.var.guard.attempt(telling, (answer) => answer.request);
      if (request !== undefined) {
        context.set('operation', request);
        context.header('Operation-Location', pathOfOperation(request, startedOn(ref.target)));
      }
      context.header('Retry-After', RETRY_AFTER);
      return context.json(await readDistributed(parts, ref), 202);
    });
  }

  change(
    'retry',
    {
      summary: 'Retry a job of a distributed operation',
      description:
        'The next attempt of a job that waits for it begins now. A failed job runs again, while other jobs of the operation still run.',
    },
    (ref, partition, _, options) => distributed.retryJob(ref, partition, options),
  );
  change(
    'move',
    {
      summary: 'Move a job of a distributed operation',
      description:
        'The job is cleaned up where it is, and then runs at the other place, which has a replica of its partition. Types whose jobs run ' +
        'where the primary is have no other place.',
    },
    (ref, partition, body, options) => distributed.moveJob(ref, partition, destination.parse(body).place, options),
    destination,
  );
}
