import { z } from '@hono/zod-openapi';
import type { FoundDeployment } from '../client/found-deployment.js';
import type { End, Explanation } from '../components/index.js';
import { time } from './live-schema.js';
import { executionSchema, isoTime } from './operation-representation.js';
import { orNull } from './or-null.js';

/** How a component, or all of a deployment, has ended. W1 */
export const endSchema = z
  .object({
    type: z.string().openapi({ description: '`normal`, `abnormal`, or any other word.' }),
    description: z.string(),
    component: z.string().openapi({ description: 'The path of the component that ended first.' }),
    undeployed: z.literal(true).optional().openapi({ description: 'The deployment has failed to deploy.' }),
  })
  .openapi('EndRecord');

const componentSchema = z
  .looseObject({
    path: z.string().openapi({ description: 'The path from the root; empty for the root.' }),
    name: z.string(),
    kind: z.string(),
    phase: z.enum(['to come', 'created', 'deployed', 'starting', 'up', 'ending', 'ended', 'detached']),
    since: z.number().int().optional(),
    doing: z.array(z.string()).openapi({ description: 'Its activity or wait.' }),
    due: z.number().int().optional().openapi({ description: 'The time at which its timer fires.' }),
    end: endSchema.optional(),
    children: z.array(z.looseObject({ path: z.string() })),
  })
  .openapi('ExplainedComponent', { description: 'A component, with those in it. Times are milliseconds since 1970.' });

/** The schema of a deployment as it is read. W1 */
export const deploymentSchema = z
  .object({
    name: z.string(),
    life: z.string().openapi({ description: 'Another deployment under the same name has another value.' }),
    component: z.string().openapi({ description: 'The component that was deployed.' }),
    tenant: z.string().nullable(),
    subject: z.string().nullable().openapi({ description: 'The caller who deployed it.' }),
    request_id: z.string().nullable(),
    detached_from: z.string().nullable().openapi({ description: 'The deployment from which it was detached.' }),
    phase: z.enum(['created', 'deployed', 'starting', 'up', 'ending', 'ended', 'detached', 'lost']).openapi({
      description: 'The phase of its root. `lost`: its workflow was ended by hand before the tree had ended.',
    }),
    phase_time: time.nullable().openapi({ description: 'The time since then.' }),
    end: orNull(endSchema),
    tree: componentSchema,
    stale: z.boolean().openapi({
      description: '`true` if this is from the store, because its workflow is gone or no worker runs.',
    }),
    reported_time: time.openapi({ description: 'The time of this report.' }),
    '@reeve.execution': executionSchema,
  })
  .openapi('Deployment');

/** A deployment for those outside. Times are in ISO 8601, and in the tree in milliseconds since 1970. */
export interface DeploymentRepresentation {
  readonly name: string;
  readonly life: string;
  readonly component: string;
  readonly tenant: string | null;
  readonly subject: string | null;
  readonly request_id: string | null;
  readonly detached_from: string | null;
  readonly phase: string;
  readonly phase_time: string | null;
  readonly end: End | null;
  readonly tree: Explanation;
  readonly stale: boolean;
  readonly reported_time: string;
  readonly '@reeve.execution'?: string | undefined;
}

/** The representation of a deployment that has answered. `now` is in milliseconds since 1970. */
export function representDeployment(
  { name, life, origin, status }: FoundDeployment,
  tree: Explanation,
  now: number,
): DeploymentRepresentation {
  const { component, tenant = null, subject = null, request = null, detachedFrom = null } = origin;
  const { phase, since, end = null } = tree;
  return {
    ...{ name, life, component, tenant, subject, request_id: request, detached_from: detachedFrom },
    phase: status === 'lost' ? status : phase,
    phase_time: since === undefined ? null : isoTime(since),
    ...{ end, tree, stale: false, reported_time: isoTime(now) },
  };
}
