import { z } from '@hono/zod-openapi';
import type { InstanceRef } from '../../distributed/index.js';
import { DISTRIBUTED, distributedWorkflowId, findInstanceName } from '../../protocol/distributed-names.js';
import { Rejected } from '../../protocol/errors.js';
import type { Access } from '../access.js';
import type { Sight } from '../change-streams.js';
import { permit, type ServiceContext } from '../context.js';
import {
  distributedSchema,
  listedDistributedSchema,
  representDistributed,
  representListed,
  representStoredDistributed,
} from '../distributed-representation.js';
import { revisionOfDistributed } from '../distributed-revision.js';
import { executionOf } from '../execution.js';
import type { ServiceParts } from '../parts.js';
import { digestOf } from '../digest.js';
import { listDistributed } from '../list-distributed.js';
import { plainText, streamHeaders } from './parameters.js';
import { jsonResponse, serve, streamResponse, type ServiceApp } from './route.js';

/** Where distributed operations are. */
export const DISTRIBUTED_PATH = '/api/distributed';

export const distributedParameter = z.object({
  name: plainText(250).openapi({
    description: 'The name of a distributed operation, percent-encoded.',
    example: 'orders.sales/line_items/buildIndex/3',
  }),
});

/** Decides whether the caller may do something with the operation that the path names. @throws ProblemError 403, 404 */
export function permittedInstance(context: ServiceContext, action: Access['action']): InstanceRef & { name: string } {
  const name = context.req.param('name')!;
  const entity = { type: DISTRIBUTED, key: name };
  const found = findInstanceName(name);
  permit(context, { action, entity, distributed: found?.type ?? '' });
  if (!found) throw context.var.guard.absent();
  return { ...found, name };
}

/**
 * How an operation is, with the address of its workflow. When that is gone or no worker answers, it comes from the store and says so. S5.2
 * @throws Rejected `absent`, `terminated`, `no_answer`
 */
export async function readDistributed(parts: ServiceParts, ref: InstanceRef & { readonly name: string }) {
  const execution = executionOf(parts, distributedWorkflowId(ref.name));
  try {
    return { ...representDistributed(await parts.reeve.distributed.read(ref), Date.now()), ...execution };
  } catch (thrown) {
    // An instance that was ended by hand would be told as if it ran.
    if (!(thrown instanceof Rejected) || thrown.code === 'terminated') throw thrown;
    const row = await parts.store?.distributed(ref.name);
    if (!row) throw thrown;
    return { ...representStoredDistributed(row), ...execution };
  }
}

/** Serves what tells of distributed operations. I1 to I8 */
export function serveDistributed(app: ServiceApp, parts: ServiceParts): void {
  const common = { method: 'get', tag: 'distributed operations' } as const;

  const query = z.object({
    target: plainText(200).optional().openapi({ description: 'Only the operations on this target.' }),
    rows: z.coerce.number().int().min(1).max(1_000).default(100),
    token: z.string().max(10_000).optional().openapi({ description: '`next` of the page before.' }),
  });
  const list = {
    ...common,
    path: DISTRIBUTED_PATH,
    operationId: 'listDistributedOperations',
    summary: 'List distributed operations',
    description:
      'From the store, the latest first, with a short delay. From Temporal, as long as it retains them, where there is no store or it is ' +
      'unavailable. A page may have fewer rows than requested and not be the last.',
    request: { query },
    responses: {
      200: jsonResponse(
        'A page of the operations that the caller may read.',
        z
          .object({
            value: z.array(listedDistributedSchema),
            next: z.string().optional(),
            '@odata.nextLink': z.string().optional().openapi({ description: 'The path of the next page.' }),
          })
          .openapi('DistributedOperations'),
      ),
    },
  } as const;
  serve(app, list, async (context) => {
    const { guard } = context.var;
    guard.list(DISTRIBUTED);
    const { target, rows, token } = query.parse(context.req.query());
    const { rows: found, next } = await listDistributed(parts, { rows, token, target });
    const value = found.filter(({ type }) => guard.readsDistributed(type)).map(representListed);
    if (next === undefined) return context.json({ value }, 200);
    const page = new URLSearchParams({ rows: `${rows}`, token: next, ...(target !== undefined && { target }) });
    return context.json({ value, next, '@odata.nextLink': `${DISTRIBUTED_PATH}?${page.toString()}` }, 200);
  });

  const read = {
    ...common,
    path: `${DISTRIBUTED_PATH}/{name}`,
    operationId: 'readDistributedOperation',
    summary: 'Read a distributed operation',
    description: 'Its progress, the work at each place, and the jobs that are retried.',
    request: { params: distributedParameter },
    responses: { 200: jsonResponse('The operation, even when it has ended.', distributedSchema) },
    problems: [410],
  } as const;
  serve(app, read, async (context) => {
    const ref = permittedInstance(context, 'read');
    return context.json(await readDistributed(parts, ref), 200);
  });

  const follow = {
    ...common,
    path: `${DISTRIBUTED_PATH}/{name}/change-stream`,
    operationId: 'followDistributedOperation',
    summary: 'Follow a distributed operation by server-sent events',
    description:
      'Each `change` is the whole operation, and `end` comes when it has ended. It resumes after Last-Event-ID.',
    request: { params: distributedParameter, headers: streamHeaders },
    responses: {
      200: streamResponse('The operation, whenever it has changed.', 'DistributedOperation'),
      204: { description: 'The end has been seen already.' },
    },
    problems: [410],
  } as const;
  serve(app, follow, async (context) => {
    const ref = permittedInstance(context, 'read');
    return parts.streams.follow(context, {
      revision: revisionOfDistributed,
      look: () => lookAtDistributed(parts, ref),
    });
  });
}

/** Looks at a distributed operation for somebody who follows it. @throws Rejected `absent`, `terminated`, `no_answer` */
export async function lookAtDistributed(
  parts: ServiceParts,
  ref: InstanceRef & { readonly name: string },
): Promise<Sight> {
  const data = await readDistributed(parts, ref);
  const { reported_time: _, estimated_end_time: _estimated, ...seen } = data;
  return { id: digestOf(seen), data, final: data.state === 'ended' };
}
