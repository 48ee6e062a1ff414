import { z } from 'zod';
import { makeShareable } from '../definition/shareable.js';
import { SEARCH_ATTRIBUTES } from './names.js';
import type { Described } from './plain.js';

const deploymentOrigin = z.object({
  /** The component that was deployed, or of which this was let go: its roles say who may do what. */
  component: z.string(),
  /** The tenant to which the deployment belongs. */
  tenant: z.string().optional(),
  /** Tells who has deployed it. */
  subject: z.string().optional(),
  /** The id of the request, and a short value made of what was to be deployed. S2.5 */
  request: z.string().optional(),
  fingerprint: z.string().optional(),
  /** The tree that has let it go: `deployment/shop`. W4 */
  detachedFrom: z.string().optional(),
});
makeShareable(deploymentOrigin);

/**
 * Where a deployment comes from, and whose it is. This never changes. It stands in the memo of the workflow, so that it is known
 * without a worker. S6.5
 */
export type DeploymentOrigin = Described<typeof deploymentOrigin>;

/** The member of the memo. */
const MEMBER = 'reeve';

/** The memo of a deployment's workflow. */
export function memoOf(origin: DeploymentOrigin): Readonly<Record<string, unknown>> {
  return { [MEMBER]: origin };
}

/** The origin in a memo; nothing where somebody has started the workflow without one. */
export function originIn(memo: Readonly<Record<string, unknown>> | undefined): DeploymentOrigin | undefined {
  return deploymentOrigin.safeParse(memo?.[MEMBER]).data;
}

/** The search attributes with which a deployment begins. S5.2 */
export function attributesAtDeployment({ component, tenant }: DeploymentOrigin): Record<string, string[]> {
  return {
    [SEARCH_ATTRIBUTES.component]: [component],
    [SEARCH_ATTRIBUTES.state]: ['created'],
    ...(tenant !== undefined && { [SEARCH_ATTRIBUTES.tenant]: [tenant] }),
  };
}
