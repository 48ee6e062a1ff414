import type { Client } from '@temporalio/client';
import { BuildRouting } from '../../../rollout/index.js';
import { deploymentFrom } from '../../../temporal/worker-version.js';
import { withSession } from '../../session.js';

/** All that the commands of a rollout work on. */
export interface RolloutSession {
  readonly client: Client;
  readonly taskQueue: string;
  readonly routing: BuildRouting;
}

/** @throws Unreachable */
export function withRouting<T>(work: (session: RolloutSession) => Promise<T>): Promise<T> {
  return withSession(({ client, taskQueue }) =>
    work({ client, taskQueue, routing: new BuildRouting(client, deploymentFrom(process.env, taskQueue)) }),
  );
}
