import { setTimeout as delay } from 'node:timers/promises';
import { Deployments } from '../../src/client/deployments.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { runTrees } from '../components/trees.js';
import { OWN_KINDS } from '../simulation/components/kinds.js';
import { useBank } from './bank.js';
import { Box, Counter } from './entities/definitions.js';
import { patiently } from './patience.js';
import type { Rig } from './rig.js';

/** A sequence that once broke. Gives what is wrong after it. */
export interface Sequence {
  readonly name: string;
  readonly title: string;
  /** Tells whether it takes minutes. */
  readonly long?: boolean;
  run(rig: Rig, round: number): Promise<readonly string[]>;
}

const many = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** How many trees of components run at once, and how often a worker is killed meanwhile, in milliseconds. */
const TREES = 20;
const KILLED_EVERY_MS = 4_000;

export const SEQUENCES: readonly Sequence[] = [
  {
    name: 'components',
    title: 'random trees of components, one of two workers killed every 4 s',
    long: true,
    run: async ({ client, workers }, round) => {
      const deployments = new Deployments({ client, taskQueue: DEFAULT_TASK_QUEUE, components: OWN_KINDS });
      await workers.start();
      await workers.start();
      const over = new AbortController();
      const killing = (async () => {
        while (!over.signal.aborted) {
          await delay(KILLED_EVERY_MS);
          await workers.endOldest('SIGKILL');
          await workers.start();
        }
      })();
      const problems = await runTrees(deployments, TREES, 1 + round * 100);
      over.abort();
      await killing;
      await workers.end('SIGTERM');
      return problems;
    },
  },
  {
    name: 'bank',
    title: 'a hundred transfers between five accounts, leases of 1 s, the worker killed every 7 s',
    long: true,
    run: useBank,
  },
  {
    name: 'rest-and-delete',
    title: 'at rest, the worker ended gently, deleted, a worker for a second, another one',
    run: async (rig, round) => {
      const { reeve, workers } = rig;
      const servers = many(3, `resting${round}`);
      const boxes = many(3, `resting${round}`);
      await workers.start();
      await Promise.all([
        ...servers.map((key) => settled(rig, () => reeve.create(LogicalServer, key, 'create', {}))),
        ...boxes.map((key) => settled(rig, () => reeve.create(Box, key, 'make'))),
      ]);
      // In one case the rest is over, and in the other not yet. Both have broken before.
      await delay(round % 2 === 0 ? 1_000 : 6_000);
      await workers.end('SIGTERM');
      await delay(8_000);
      const deletions = [
        ...servers.map((key) => settled(rig, () => reeve.raise(LogicalServer, key, 'delete'))),
        ...boxes.map((key) => settled(rig, () => reeve.raise(Box, key, 'remove'))),
      ];
      await workers.start();
      await delay(1_000);
      await workers.end('SIGTERM');
      await workers.start();
      const ended = await Promise.allSettled(deletions);
      await workers.end('SIGTERM');
      return ended.flatMap((each) => (each.status === 'rejected' ? [`a deletion did not end: ${each.reason}`] : []));
    },
  },
  {
    name: 'read-beside-a-timer',
    title: 'at rest, the worker killed, reads that wait for one, started as the rest is over, killed, started',
    run: async (rig, round) => {
      const { reeve, workers } = rig;
      const keys = many(10, `read${round}`);
      const read = (key: string) => patiently(`read Counter/${key}`, () => reeve.read({ type: 'Counter', key }));
      await workers.start();
      await Promise.all(keys.map((key) => settled(rig, () => reeve.create(Counter, key, 'open'))));
      await workers.end('SIGKILL');
      // A read that is sent before the rest is over waits for a worker, and the task at the end of the rest waits beside it.
      const reads = keys.map((key, index) => delay(index * 300).then(() => read(key)));
      await delay(3_500 + round * 100);
      await workers.start();
      await delay(2_000);
      await workers.end('SIGKILL');
      await workers.start(1);
      const added = await Promise.allSettled([
        ...reads,
        ...keys.map((key) => settled(rig, () => reeve.raise(Counter, key, 'add'))),
      ]);
      await workers.end('SIGTERM');
      return added.flatMap((each) => (each.status === 'rejected' ? [`no answer: ${each.reason}`] : []));
    },
  },
];

/** Raises an event and waits patiently for the end of its operation. */
async function settled(rig: Rig, raise: () => ReturnType<Rig['reeve']['raise']>): Promise<void> {
  const taken = await raise();
  await patiently(`${taken.event} ${taken.entity.type}/${taken.entity.key}`, () => rig.reeve.operations.result(taken));
}
