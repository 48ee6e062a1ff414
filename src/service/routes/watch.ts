import { z } from '@hono/zod-openapi';
import type { AnyEntity } from '../../definition/entity.js';
import { allowedEvents } from '../../kernel/index.js';
import { DISTRIBUTED, findInstanceName } from '../../protocol/distributed-names.js';
import {
  DEPLOYMENT,
  deploymentWorkflowId,
  entityId,
  operationWorkflowId,
  parseEntityId,
  type EntityRef,
} from '../../protocol/names.js';
import type { ServiceContext } from '../context.js';
import { representEntity } from '../entity-representation.js';
import { entityTag } from '../entity-tag.js';
import { executionOf } from '../execution.js';
import { WATCH, type Guard } from '../guard.js';
import type { Catalogue } from '../lists/catalogue.js';
import { Visible } from '../lists/visible.js';
import { typesOf } from '../module.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { living, readOwn, readRow } from '../read-entity.js';
import { readOperationOrRow, revisionOfOperation } from '../read-operation.js';
import type { ServiceStore } from '../service-store.js';
import type { SharedCounts } from '../summary/shared-counts.js';
import type { Subject, Watching } from '../watching.js';
import { digestOf } from '../digest.js';
import { readDeployment } from './deployments.js';
import { revisionOfDistributed } from '../distributed-revision.js';
import { lookAtDistributed } from './distributed.js';
import { serve, unnumberedStreamResponse, type ServiceApp } from './route.js';

/** How many things one stream can be about. */
const MOST = 50;
const SUMMARY = 'summary';
/** `op/<request id>`, and after ` on ` the entity on which it was opened. */
const OPERATION = /^op\/(\S{1,900})(?: on (\S.*))?$/;

/** `deployment/shop`, `distributed/orders.sales/line_items/buildIndex/3`. */
const NAMED = /^([a-z]+)\/(.{1,250})$/;

/** Describes what can be watched, for the document. */
function subjectPattern({ modules }: ServiceParts): string {
  const kinds = [DEPLOYMENT, DISTRIBUTED, ...typesOf(modules)].join('|');
  return `^(${SUMMARY}|op/\\S{1,900}( on \\S.*)?|(${kinds})/.{1,200})$`;
}

interface Watched {
  readonly watching: Watching;
  readonly counts: SharedCounts;
  readonly store: ServiceStore;
}

/** Serves one stream for many things: entities, operations, deployments, distributed operations and the counts of all. S6.1 */
export function serveWatch(app: ServiceApp, parts: ServiceParts, catalogue: Catalogue, watched: Watched): void {
  const route = {
    method: 'get',
    path: '/api/watch',
    operationId: 'watch',
    tag: 'changes',
    summary: 'Follow many things in one stream of server-sent events',
    description:
      `Each \`change\` is one whole thing, under the name of the request: an entity with its ETag and its ` +
      'valid events, an operation, a deployment, a distributed operation, or the counts of all entities. A ' +
      `\`problem\` has the reason why one of them cannot be read; the read is retried. A stream follows at most ${MOST} things.`,
    request: {
      query: z.object({
        of: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .openapi({
            ...{
              type: 'array',
              items: { type: 'string', pattern: subjectPattern(parts) },
              minItems: 1,
              maxItems: MOST,
            },
            ...{ param: { required: true }, example: ['LogicalServer/orders', SUMMARY] },
            description:
              'Each thing: `LogicalServer/orders`; `op/<request id>`, with ` on LogicalServer/orders` where the operation ' +
              `may not have appeared yet; \`deployment/shop\`; \`distributed/orders.sales/line_items/buildIndex/3\`; \`${SUMMARY}\`.`,
          }),
      }),
    },
    responses: { 200: unnumberedStreamResponse('The present representation, and each change.', 'Watched') },
  } as const;
  app.openAPIRegistry.register('Watched', watchedSchema);
  serve(app, route, async (context) => {
    context.var.guard.list(WATCH);
    const names = new URL(context.req.url).searchParams.getAll('of');
    if (names.length === 0 || names.length > MOST) throw wrong(`names ${names.length} things: name 1 to ${MOST}`);
    return watched.watching.watch(
      context,
      [...new Set(names)].map((name) => subjectOf(context, name)),
    );
  });

  function subjectOf(context: ServiceContext, of: string): Subject {
    const guard = context.var.guard.another();
    const conceal = (thrown: unknown) => guard.conceal(thrown);
    if (of === SUMMARY) return { of, conceal, ...summary(guard) };
    const [, id, opened] = OPERATION.exec(of) ?? [];
    if (id !== undefined) return { of, conceal, ...operation(guard, id, parseEntityId(opened ?? '')) };
    const [, kind = '', name = ''] = NAMED.exec(of) ?? [];
    if (kind === DEPLOYMENT) return { of, conceal, ...deployment(guard, { type: DEPLOYMENT, key: name }) };
    if (kind === DISTRIBUTED) return { of, conceal, ...distributed(guard, { type: DISTRIBUTED, key: name }) };
    const ref = parseEntityId(of);
    const entity = parts.modules.flatMap(({ entities }) => entities).find(({ name }) => name === ref?.type);
    if (!ref || !entity)
      throw wrong(`'${of}' is no entity that is served here, no operation, no deployment and not '${SUMMARY}'`);
    return { of, conceal, ...one(guard, entity, ref) };
  }

  function one(guard: Guard, entity: AnyEntity, ref: EntityRef) {
    const permit = once(() => guard.permit({ action: 'read', entity: ref }));
    return {
      revision: async () => {
        permit();
        return parts.reeve.revision(entityId(ref));
      },
      look: async () => {
        try {
          const { snapshot } = living(parts, entity, await readOwn(guard, parts, ref));
          const { reported_time, ...shown } = representEntity(entity, snapshot, Date.now());
          const events = allowedEvents(entity, snapshot, guard.credentials.actor);
          const data = { ...shown, '@odata.etag': entityTag(shown), ...executionOf(parts, shown.id), events };
          return { id: digestOf(data), data: { ...data, reported_time } };
        } catch (thrown) {
          const row = await readRow(guard, parts, entity, ref, thrown);
          // Nobody can say what is allowed.
          const data = { ...row, '@odata.etag': entityTag(row), ...executionOf(parts, row.id), events: [] };
          return { id: digestOf(data), data, passing: true };
        }
      },
    };
  }

  function operation(guard: Guard, id: string, on: EntityRef | undefined) {
    const address = { id, on };
    const permit = once(() => guard.permit({ action: 'read', operation: id }));
    return {
      revision: async () => {
        permit();
        return revisionOfOperation(parts, address).catch(() => `no ${operationWorkflowId(id)}`);
      },
      look: async () => {
        const data = await readOperationOrRow(guard, parts, address);
        return { id: digestOf(data), data, passing: data.stale && data.outcome === 'running' };
      },
    };
  }

  function deployment(guard: Guard, ref: EntityRef) {
    const permit = once(() => guard.permit({ action: 'read', entity: ref }));
    return {
      revision: async () => {
        permit();
        // One that Temporal has forgotten is told by the store.
        return parts.reeve.revision(deploymentWorkflowId(ref.key)).catch(() => `no ${entityId(ref)}`);
      },
      look: async () => {
        const { reported_time, ...data } = await readDeployment(guard, parts, ref.key);
        return { id: digestOf(data), data: { ...data, reported_time }, passing: data.stale && data.end === null };
      },
    };
  }

  function distributed(guard: Guard, ref: EntityRef) {
    const found = findInstanceName(ref.key);
    const permit = once(() => guard.permit({ action: 'read', entity: ref, distributed: found?.type ?? '' }));
    return {
      revision: async () => {
        permit();
        if (!found) throw guard.absent();
        return revisionOfDistributed();
      },
      look: () => lookAtDistributed(parts, { ...found!, name: ref.key }),
    };
  }

  function summary(guard: Guard) {
    const visible = Visible.to(guard, 'entities', catalogue.dimensions);
    const read = () => watched.counts.of(guard.readable, () => watched.store.countEntities(visible));
    return {
      // It is counted anew each second, whoever asks.
      revision: async () => (await read()).at,
      look: async () => {
        const data = await read();
        return { id: digestOf(data.items), data };
      },
    };
  }
}

const watchedSchema = z.object({
  of: z.string(),
  data: z.looseObject({}).optional().openapi({ description: 'With `change`: its representation.' }),
  problem: z.looseObject({}).optional().openapi({ description: 'With `problem`: the reason why it cannot be read.' }),
});

/** Decides once, however often it is looked at, so that the audit trail has one entry. A refusal is thrown each time. */
function once(decide: () => void): () => void {
  let decided: { readonly refusal?: unknown } | undefined;
  return () => {
    if (!decided) {
      try {
        decide();
        decided = {};
      } catch (refusal) {
        decided = { refusal };
      }
    }
    if ('refusal' in decided) throw decided.refusal;
  };
}

function wrong(message: string): ProblemError {
  return ProblemError.invalid('invalid_parameters', [{ path: 'of', message }]);
}
