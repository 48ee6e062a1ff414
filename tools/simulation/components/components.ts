import { Random } from '../../../src/simulation/index.js';
import { EVENTS, someDescription } from './description.js';
import { Forest } from './forest.js';
import { all, pathOf } from './laws/look.js';

/** Runs one simulation of workflow components: a random tree, and what people, time and the world do to it. W1 to W4 @throws InvariantViolated */
export async function simulateComponents(
  seed: number,
): Promise<{ readonly steps: number; readonly trace: readonly string[] }> {
  const random = new Random(seed ^ 0x7ee5);
  const forest = new Forest(seed, random, someDescription(random, 5));
  await forest.tell('deployment/sim', { kind: 'deploy' });
  for (let count = 3 + random.below(12), number = 1; number <= count; number++) {
    await someDeed(forest, random, number);
    if (random.chance(0.3)) await forest.renew(random.pick(forest.runs));
    if (random.chance(0.6)) await forest.go(forest.now + random.pick([1, 100, 400, 1_200]), 60);
  }
  await forest.go(forest.now + 5_000, 100);
  await forest.answerAll();
  for (const run of forest.runs) {
    await forest.tell(run, { kind: 'terminate', path: '', end: { type: 'normal', description: 'it is over' } });
  }
  // Components that clean up at their end may wait for calls again.
  for (let turns = 0; turns < 20; turns++) {
    await forest.go(forest.now + 5_000, 100);
    await forest.answerAll();
  }
  for (const run of forest.runs) {
    await forest.tell(run, { kind: 'terminate', path: '', end: { type: 'normal', description: 'it is over now' } });
  }
  await forest.go(forest.now + 5_000, 100);
  await forest.answerAll();
  forest.mustHaveEnded();
  return forest;
}

/** Something that somebody does to a component. */
async function someDeed(forest: Forest, random: Random, number: number): Promise<void> {
  const run = random.pick(forest.runs);
  const tree = forest.tree(run);
  const path = pathOf(tree, random.pick(all(tree)));
  // A component that was detached in this moment, and is about to end, has no path from the root.
  if (path.includes('~')) return;
  switch (random.below(7)) {
    case 0:
    case 1:
      return forest.tell(run, { kind: 'event', path, event: `e${number}` });
    case 2:
      return forest.tell(run, { kind: 'event', path, event: random.pick(EVENTS) });
    case 3:
      return forest.tell(run, { kind: 'ping' });
    case 4:
      return forest.tell(run, { kind: 'set', path, name: 'mark', value: `set ${number}` });
    case 5:
      return forest.tell(run, {
        kind: 'terminate',
        path,
        end: { type: random.pick(['normal', 'abnormal']), description: `end ${number}` },
      });
    default:
      return forest.go(forest.now + 50, 20);
  }
}
