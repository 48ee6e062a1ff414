import { setTimeout as delay } from 'node:timers/promises';
import type { Deployments } from '../../src/client/deployments.js';
import { DeclarationError } from '../../src/definition/declaration-error.js';
import { Rejected } from '../../src/protocol/errors.js';
import { Random } from '../../src/simulation/index.js';
import { patiently } from '../replay/patience.js';
import { someDescription } from '../simulation/components/description.js';

const DEPTH = 4;
/** For how long random trees are left alone, in milliseconds, and how long they may take to end once they were told to. */
const LEFT_ALONE_MS = 15_000;
const WITHIN_MS = 180_000;

/** Runs so many random trees, and ends what does not end by itself. Gives what does not end. */
export async function runTrees(deployments: Deployments, count: number, seed: number): Promise<readonly string[]> {
  for (let number = seed, grown = 0; grown < count; number++) {
    const description = someDescription(new Random(number), DEPTH);
    try {
      await patiently('deploy', () => deployments.deploy(description, `tree-${number}`));
      grown++;
    } catch (thrown) {
      // A random tree can have mistakes that are told before it starts.
      if (!(thrown instanceof DeclarationError)) throw thrown;
    }
  }
  await delay(LEFT_ALONE_MS);
  for (const until = Date.now() + WITHIN_MS; ;) {
    const { rows } = await patiently('list', () => deployments.list({ rows: 1_000 }));
    if (rows.length === 0 || Date.now() > until) return rows.map(({ name }) => `the deployment ${name} does not end`);
    for (const { name } of rows) {
      const end = { type: 'normal', description: 'it is over' };
      // It may have ended meanwhile.
      await patiently('end', () => deployments.terminate(name, end)).catch((thrown: unknown) => {
        if (!(thrown instanceof Rejected)) throw thrown;
      });
    }
    await delay(2_000);
  }
}
