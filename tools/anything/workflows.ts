import { entityWorkflowsWith, type EntityWorkflows } from '../../src/temporal/workflows.js';
import { implement } from '../simulation/anything/act.js';
import { canary } from '../simulation/anything/canary-entity.js';
import type { DeclaredWorld } from '../simulation/anything/declare.js';
import type { WorldPlan } from '../simulation/anything/plan.js';
import { Watch } from '../simulation/anything/watch.js';

/** The workflow code of drawn worlds, with healthy entities beside them. What a simulation would note is logged here by nobody. */
export function anythingWorkflows(plans: readonly WorldPlan[], declared: readonly DeclaredWorld[]): EntityWorkflows {
  const drawn = plans.flatMap((plan, world) => implement(plan, new Watch(), declared[world]));
  return entityWorkflowsWith({ restAfter: '2s' }, canary, ...drawn);
}
