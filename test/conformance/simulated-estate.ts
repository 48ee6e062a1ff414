import {
  admission,
  nameOf,
  operationTypes,
  readInstance,
  type JobContext,
  type StartProblem,
} from '../../src/distributed/index.js';
import { Random } from '../../src/simulation/index.js';
import { World } from '../../tools/simulation/distributed/world.js';
import { ALL_OPERATIONS } from '../entities/harvest.js';
import { Estate, type EstatePlane } from './estate.js';

const STEPS = 5_000;
const TYPES = operationTypes(ALL_OPERATIONS);

/** Operations on an estate in virtual time, with faults of chance, and a judge who looks at each step. */
export function simulatedEstate(seed: number, target: string, fields: number): EstatePlane {
  const estate = new Estate(fields);
  const world = new World({
    ...{ seed, random: new Random(seed), target, places: estate.places },
    primaries: Array.from({ length: fields }, (_, field) => estate.primaryOf(field)),
    types: { operations: ALL_OPERATIONS, together: [['sow', 'inspect']], many: ['sow'] },
    logics: (judged) =>
      estate.logics.map(({ operation, logic }) => ({
        operation,
        logic: {
          ...logic,
          job: async (at, argument: never, context: JobContext<never>) => {
            judged.jobBegins(context.instance, at, context.resumed);
            return logic.job(at, argument, context as never);
          },
          complete: async (on: string, argument: never, completing) => {
            const result = await logic.complete(on, argument, completing);
            judged.completionRuns(completing);
            return result;
          },
        },
      })),
  });
  estate.pause = () => world.turn();
  world.ready();
  const until: EstatePlane['until'] = async (check) => {
    for (let step = 0; step < STEPS; step++) {
      if (await check()) return;
      await world.go(world.now + 50, 20);
    }
    throw new Error(`It has not come to pass:\n${world.trace.slice(-30).join('\n')}`);
  };
  const read: EstatePlane['read'] = async (ref) => readInstance(world.instances.get(nameOf(ref))!);
  return {
    ...{ estate, target, read, until },
    async start(type, argument, { requestId = `${world.steps}/${world.random.below(1e9)}`, ...options } = {}) {
      // A start that the core refuses is never checked by the code of the type.
      const { kind } = admission(TYPES, world.coordinator, { type, argument });
      const problem = kind === 'admitted' ? await checked(estate, target, type, argument) : undefined;
      if (problem) throw Object.assign(new Error(problem.message), problem);
      const answer = world.start({ request: requestId, type, argument, ...options });
      if (answer.kind === 'refused') throw Object.assign(new Error(answer.refusal.message), answer.refusal);
      return { target, type, instance: answer.instance };
    },
    async result(ref) {
      await until(async () => (await read(ref)).phase === 'ended');
      return read(ref);
    },
    running: async () => world.coordinator.running,
    pause: async (ref) => world.tell(nameOf(ref), { kind: 'pause' }),
    resume: async (ref) => world.tell(nameOf(ref), { kind: 'resume' }),
    limit: async (ref, atOnce) => world.tell(nameOf(ref), { kind: 'limit', atOnce }),
    cancel: async (ref, reason) => world.tell(nameOf(ref), { kind: 'cancel', reason }),
    proceed: async (ref) => world.tell(nameOf(ref), { kind: 'proceed' }),
    retryJob: async (ref, partition) => world.tell(nameOf(ref), { kind: 'retry', partition, request: 'retry' }),
    moveJob: async (ref, partition, place) =>
      world.tell(nameOf(ref), { kind: 'move', partition, place, request: 'move' }),
    told: () => world.told,
    async move(ref, field, to) {
      estate.move(field, to);
      world.move(field, to);
      world.tell(nameOf(ref), { kind: 'look' });
    },
    async restart(place) {
      world.kill(place);
      world.revive(place);
    },
    leave: async (place) => world.kill(place),
    arrive: async (place) => world.revive(place),
    calm: () => void (world.faulty = false),
    renew: async (ref) => world.renew(nameOf(ref)),
    end: async (ref) => world.end(nameOf(ref)),
    records: async () => (await Promise.all(world.places().map(({ disk }) => disk.records()))).flat(),
  };
}

/** Gives what the code of a type says to a start. */
async function checked(estate: Estate, target: string, type: string, argument: object): Promise<StartProblem> {
  const { operation, logic } = estate.logics.find((each) => each.operation.type === type)!;
  return logic.check?.(target, operation.argument.parse(argument) as never, '');
}
