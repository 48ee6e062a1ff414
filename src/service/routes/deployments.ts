import { z } from '@hono/zod-openapi';
import type { FoundDeployment } from '../../client/found-deployment.js';
import { Rejected } from '../../protocol/errors.js';
import { DEPLOYMENT, deploymentWorkflowId, type EntityRef } from '../../protocol/names.js';
import type { Sight } from '../change-streams.js';
import { permit, type ServiceContext } from '../context.js';
import { deploymentSchema, representDeployment, type DeploymentRepresentation } from '../deployment-representation.js';
import { executionOf } from '../execution.js';
import type { Guard } from '../guard.js';
import type { ServiceParts } from '../parts.js';
import { originOfStored, representStored } from '../stored-deployment.js';
import { digestOf } from '../digest.js';
import { plainText, streamHeaders } from './parameters.js';
import { jsonResponse, serve, streamResponse, type ServiceApp } from './route.js';

/** Where deployments are. */
export const DEPLOYMENTS = '/api/deployments';

export const deploymentParameter = z.object({
  name: plainText(200).openapi({ description: 'The name of a deployment, percent-encoded.', example: 'shop' }),
});

/** Names the deployment that a request is about, for decisions and the audit trail. S6.5 */
export function deploymentIn(context: ServiceContext): EntityRef {
  return { type: DEPLOYMENT, key: context.req.param('name')! };
}

/** Finds a deployment and decides whether the caller may do with it what was asked for. @throws ProblemError 403; Rejected */
export async function foundFor(
  guard: Guard,
  { reeve }: Pick<ServiceParts, 'reeve'>,
  name: string,
): Promise<FoundDeployment> {
  const found = await reeve.deployments.find(name);
  guard.deployment(found.origin);
  return found;
}

/** Looks at a deployment for somebody who follows it. What is the same tree has the same id, whenever somebody looks at it. */
export async function lookAtDeployment(guard: Guard, parts: ServiceParts, name: string): Promise<Sight> {
  const { deployments } = parts.reeve;
  const found = await foundFor(guard, parts, name);
  const tree = await deployments.tree(found.name);
  const now = Date.now();
  const data = representDeployment(found, deployments.explanationOf(tree, now), now);
  const seen = deployments.explanationOf(tree, tree.now);
  return {
    id: `${found.life}.${digestOf([found.status, seen])}`,
    data: { ...data, ...executionOf(parts, deploymentWorkflowId(found.name)) },
    final: found.status !== 'running',
  };
}

/** Reads a deployment from its workflow, which is the truth. Where that is gone, or no worker answers, it comes from the store. S5.2 */
export async function readDeployment(
  guard: Guard,
  parts: ServiceParts,
  name: string,
): Promise<DeploymentRepresentation & { '@reeve.execution'?: string }> {
  try {
    const found = await foundFor(guard, parts, name);
    const read = representDeployment(found, await parts.reeve.deployments.explain(found.name), Date.now());
    return { ...read, ...executionOf(parts, deploymentWorkflowId(name)) };
  } catch (thrown) {
    if (!(thrown instanceof Rejected) || !['absent', 'no_answer'].includes(thrown.code)) throw thrown;
    const stored = await parts.store?.deployment(name);
    if (!stored) throw thrown;
    guard.deployment(originOfStored(stored));
    return representStored(stored);
  }
}

/** Serves single deployments: trees of components that run on their own. W1 */
export function serveDeployments(app: ServiceApp, parts: ServiceParts): void {
  const common = { method: 'get', tag: 'deployments' } as const;

  const read = {
    ...common,
    path: `${DEPLOYMENTS}/{name}`,
    operationId: 'readDeployment',
    summary: 'Read a deployment',
    description: 'Each component of its tree: its phase, since when, and its activity or wait.',
    request: { params: deploymentParameter },
    responses: { 200: jsonResponse('The deployment, even when it has ended.', deploymentSchema) },
  } as const;
  serve(app, read, async (context) => {
    permit(context, { action: 'read', entity: deploymentIn(context) });
    return context.json(await readDeployment(context.var.guard, parts, deploymentIn(context).key), 200);
  });

  const follow = {
    ...common,
    path: `${DEPLOYMENTS}/{name}/change-stream`,
    operationId: 'followDeployment',
    summary: 'Follow a deployment by server-sent events',
    description:
      'Each `change` is the whole deployment, and `end` comes when it has ended. It resumes after Last-Event-ID.',
    request: { params: deploymentParameter, headers: streamHeaders },
    responses: {
      200: streamResponse('The deployment, whenever it has changed.', 'Deployment'),
      204: { description: 'The end has been seen already.' },
    },
  } as const;
  serve(app, follow, async (context) => {
    permit(context, { action: 'read', entity: deploymentIn(context) });
    const name = deploymentIn(context).key;
    return parts.streams.follow(context, {
      revision: () => parts.reeve.revision(deploymentWorkflowId(name)),
      look: () => lookAtDeployment(context.var.guard, parts, name),
    });
  });
}
