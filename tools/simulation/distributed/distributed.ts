import { membersOf, NO_PARTITIONS } from '../../../src/distributed/index.js';
import { Random } from '../../../src/simulation/index.js';
import { logicsIn } from './jobs.js';
import { JUDGED, OPERATIONS } from './types.js';
import { World } from './world.js';

const PLACES = ['east', 'west', 'north'];

/** Runs one simulation of distributed operations: executors and coordinators die, primaries move. I1 to I6 @throws InvariantViolated */
export async function simulateDistributed(
  seed: number,
): Promise<{ readonly steps: number; readonly trace: readonly string[] }> {
  const random = new Random(seed ^ 0xd157);
  const partitions = 2 + random.below(9);
  const primaries = Array.from({ length: partitions }, () => random.pick(PLACES));
  const begin = { target: 'orders/items', places: PLACES, primaries, types: JUDGED, logics: logicsIn };
  const world = new World({ seed, random, ...begin });
  world.ready();
  someStart(world, random, 0);
  for (let count = 4 + random.below(16), number = 1; number <= count; number++) {
    if (random.chance(0.1)) await awayWhileItMoves(world, random, partitions);
    someDeed(world, random, number, partitions);
    await world.go(world.now + random.pick([0, 100, 1_000, 8_000]), 5 + random.below(60));
  }
  // From now on nothing goes wrong any more: all has to come to its end.
  world.faulty = false;
  for (const place of PLACES) world.revive(place);
  for (const name of world.instances.keys()) world.tell(name, { kind: 'resume' });
  await world.go(world.now + 20 * 60_000);
  // Anything that was left to the next start of an executor goes then.
  for (const place of PLACES) {
    world.kill(place);
    world.revive(place);
  }
  await world.go(world.now + 20 * 60_000);
  await world.mustBeQuiet();
  return world;
}

function someDeed(world: World, random: Random, number: number, partitions: number): void {
  const place = random.pick(PLACES);
  const name = random.pick([...world.instances.keys(), '']);
  const opened = openedAgain(world);
  if (opened !== undefined && random.chance(0.3)) return world.tell(opened, { kind: 'cancel' });
  switch (random.below(15)) {
    case 0:
    case 1:
    case 2:
      return someStart(world, random, number);
    case 3:
    case 4:
      return world.kill(place);
    case 5:
      return world.revive(place);
    case 6:
    case 7:
      return world.move(random.below(partitions), place);
    case 8:
      return world.tell(name, { kind: random.pick(['pause', 'resume', 'resume']) });
    case 9:
      return world.tell(name, { kind: 'limit', atOnce: 1 + random.below(3) });
    case 10:
      return random.chance(0.4) ? world.tell(name, { kind: 'cancel' }) : undefined;
    case 11:
    case 12:
    case 13:
      return someJobRequest(world, random, name, number);
    default:
      return random.chance(0.3) && name !== '' ? world.end(name) : undefined;
  }
}

/** A person retries a job, or moves it, sometimes under the id of an earlier request. */
function someJobRequest(world: World, random: Random, name: string, number: number): void {
  const instance = world.instances.get(name);
  if (!instance) return;
  const { partitions, failed, troubles } = instance;
  const wrong = [...membersOf(failed), ...Object.keys(troubles).map(Number)];
  const partition = random.pick(wrong.length > 0 && random.chance(0.7) ? wrong : [...membersOf(partitions), 0]);
  const request = `job request ${random.chance(0.2) ? random.below(number + 1) : number}`;
  const asked = random.chance(0.5)
    ? ({ kind: 'retry' } as const)
    : ({ kind: 'move', place: random.pick(PLACES) } as const);
  world.tell(name, { ...asked, partition, request });
}

/** An executor is away for longer than anybody waits for it, while a partition goes to another place, and comes back. */
async function awayWhileItMoves(world: World, random: Random, partitions: number): Promise<void> {
  const partition = random.below(partitions);
  const from = world.primaryOf(partition);
  const to = random.pick(PLACES.filter((place) => place !== from));
  world.revive(to);
  world.kill(from);
  world.move(partition, to);
  await world.go(world.now + random.pick([35_000, 60_000, 90_000]), 200 + random.below(200));
  world.move(partition, from);
  if (random.chance(0.5)) await world.go(world.now + random.pick([1_000, 15_000]), 60);
  world.revive(from);
}

/** One whose completion has opened jobs again: it has most to lose. */
function openedAgain({ instances }: World): string | undefined {
  return [...instances].find(([, { phase, reopened }]) => phase === 'running' && reopened !== NO_PARTITIONS)?.[0];
}

/** Starts something, or the same or another thing twice at once, or under the id of an earlier request. */
function someStart(world: World, random: Random, number: number): void {
  for (let times = random.chance(0.3) ? 2 : 1, time = 1; time <= times; time++) {
    const again = random.chance(0.2) ? `request ${random.below(number + 1)}` : undefined;
    const request = again ?? (random.chance(0.5) ? `request ${number}` : `request ${number}.${time}`);
    world.start({ request, type: random.pick(OPERATIONS).type, argument: { object: random.pick(['a', 'b']) } });
  }
}
