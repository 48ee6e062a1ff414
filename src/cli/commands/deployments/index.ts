import type { Command } from 'commander';
import { defineDeploymentsFollow } from './follow.js';
import { defineDeploymentsGet } from './get.js';
import { defineDeploymentsList } from './list.js';
import { defineDeploymentsPing } from './ping.js';
import { defineDeploymentsSend } from './send.js';
import { defineDeploymentsSet } from './set.js';
import { defineDeploymentsTerminate } from './terminate.js';

/** `reeve deployments`: trees of components that run on their own. W1, W4 */
export function defineDeployments(program: Command): void {
  const deployments = program
    .command('deployments')
    .description('list, get, follow, ping and terminate deployments, set their attributes, and send them events');
  for (const define of [
    defineDeploymentsList,
    defineDeploymentsGet,
    defineDeploymentsFollow,
    defineDeploymentsPing,
    defineDeploymentsTerminate,
    defineDeploymentsSet,
    defineDeploymentsSend,
  ]) {
    define(deployments);
  }
}
