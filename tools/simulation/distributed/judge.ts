import {
  eligibleAt,
  membersOf,
  type Completing,
  type Coordinator,
  type Instance,
  type InstanceInput,
  type InstanceStart,
  type PartitionAt,
  type StartAnswer,
  type StartRequest,
} from '../../../src/distributed/index.js';
import type { JudgedTypes } from './types.js';

/** All that is known of one instance beside its data. */
interface Known {
  readonly start: InstanceStart;
  /** The first final status of each job. */
  readonly statuses: Map<number, 'succeeded' | 'failed'>;
  /** The progress that goes along with a job, as it was told last. */
  readonly told: Map<number, unknown>;
  /** Where each job has begun last, with the number of its lane. Nowhere, after it was opened again. */
  readonly begun: Map<number, { readonly number: number; readonly place?: string }>;
  completions: number;
  gone: boolean;
  ended: boolean;
}

/** A job that begins at a place. */
interface Begin {
  /** That of its lane. */
  readonly number: number;
  readonly resumed: { readonly done: number } | undefined;
  /** The trace that lies at the place. */
  readonly here: { readonly done: number; readonly made: boolean } | undefined;
  /** The record of the place: whether the job has ended, and its progress. */
  readonly isEnded: boolean;
  readonly recorded: unknown;
}

/** Looks at each step, and says what must not be. It uses sets of partitions, and none of the code that decides. I1 to I6 */
export class Judge {
  readonly #known = new Map<string, Known>();
  /** The instances that people's requests have started. */
  readonly #started = new Map<string, { readonly content: string; readonly instance: number }>();
  readonly #next = new Map<string, number>();
  readonly #followed = new Map<string, number>();
  readonly #outcomes = new Map<string, Instance['outcome']>();
  readonly #broken: (invariant: string, problem: string) => Error;

  readonly #types: JudgedTypes;

  constructor(types: JudgedTypes, violation: (invariant: string, problem: string) => Error) {
    this.#types = types;
    this.#broken = violation;
  }

  /** I3 */
  begins(name: string, start: InstanceStart): void {
    const { type, instance } = start;
    const expected = this.#next.get(type) ?? 1;
    if (instance !== expected)
      throw this.#broken('ids are in order (I3)', `${name} begins, and ${type}/${expected} would be next`);
    this.#next.set(type, expected + 1);
    const fresh = { statuses: new Map(), told: new Map(), begun: new Map(), completions: 0, gone: false, ended: false };
    this.#known.set(name, { start, ...fresh });
  }

  /** A request that comes again gets its first answer, and with other content it is refused. I8, S2.5 */
  answers({ request, ...given }: StartRequest, answer: StartAnswer): void {
    const content = JSON.stringify(given);
    const known = this.#started.get(request);
    const said = answer.kind === 'started' ? `instance ${answer.instance}` : answer.refusal.code;
    if (known) {
      const expected = known.content === content ? `instance ${known.instance}` : 'request_conflict';
      if (said !== expected)
        throw this.#broken('a request starts once (I8)', `${request}: ${content} gets ${said}, and not ${expected}`);
    } else if (answer.kind === 'started') this.#started.set(request, { content, instance: answer.instance });
  }

  /** The instance was ended by force. */
  isGone(name: string): void {
    this.#known.get(name)!.gone = true;
  }

  /** I4 */
  coordinates({ running }: Coordinator, underWay: ReadonlySet<string>): void {
    running.forEach((one, place) => {
      for (const other of running.slice(place + 1)) {
        const allowed =
          one.type === other.type
            ? this.#types.many.includes(one.type) && one.object !== other.object
            : this.#types.together.some((pair) => pair.includes(one.type) && pair.includes(other.type));
        if (!allowed)
          throw this.#broken(
            'what runs together is compatible (I4)',
            `${one.type}/${one.instance} runs with ${other.type}/${other.instance}`,
          );
      }
    });
    const listed = new Set(running.map(({ type, instance }) => `${type}/${instance}`));
    for (const each of underWay)
      if (!listed.has(each)) throw this.#broken('the running set has all that run (I4)', `${each} is not in it`);
  }

  /** I1, I5, I6 */
  steps(name: string, before: Instance, input: InstanceInput, after: Instance): void {
    const known = this.#known.get(name)!;
    this.#statusesStay(name, known, before, input, after);
    this.#statusesCount(name, before, input, after);
    this.#progressStays(name, known, before, input, after);
    this.#lanesAreRight(name, before, after);
    this.#cleanUpsAreDone(name, before, input, after);
    if (before.placement && (after.placement?.version ?? 0) < before.placement.version)
      throw this.#broken('jobs follow the primary (I1)', `${name} goes back to an older placement`);
    if (before.outcome && before.outcome !== after.outcome && before.phase !== 'completing')
      throw this.#broken('an outcome stays (I5)', `${name} was ${before.outcome} and is ${after.outcome}`);
    if (before.phase !== 'ended' && after.phase === 'ended') this.#ends(name, known, after);
  }

  /** I2 */
  jobBegins(name: string, { place, partition }: PartitionAt, begin: Begin): void {
    const { number, resumed, here, isEnded, recorded } = begin;
    const known = this.#known.get(name)!;
    const { kept } = this.#operation(known.start.type).progress;
    const job = `${name}, partition ${partition} at ${place}`;
    const broken = (problem: string) => this.#broken('a job goes on from its own progress (I2)', `${job}: ${problem}`);
    if (isEnded) throw this.#broken('a status is set once (I6)', `${job} has ended already, and runs again`);
    if (kept === 'volatile' && resumed) throw broken('it goes on, and starts over as its type says');
    if (kept !== 'volatile' && here?.made === false && (resumed?.done ?? 0) < here.done)
      throw broken(`it starts at ${resumed?.done ?? 0}, and was at ${here.done} here`);
    const last = known.begun.get(partition);
    const isNext = last !== undefined && last.number < number;
    if (kept !== 'volatile' && isNext && last.place !== place && here?.made === false)
      throw broken('what an older assignment has left was not cleaned up');
    const came = known.told.get(partition) as { readonly done: number } | undefined;
    if (came && (resumed?.done ?? 0) < came.done)
      throw broken(`it starts at ${resumed?.done ?? 0}, and ${came.done} came along`);
    if (!last || isNext) known.begun.set(partition, { number, place });
    if (kept === 'executor' && resumed && JSON.stringify(resumed) !== JSON.stringify(recorded))
      throw broken(`it goes on at ${resumed.done}, which was not recorded here`);
  }

  /** I6 */
  completes({ instance, success, succeeded, partitions }: Completing): void {
    const known = this.#known.get(instance)!;
    known.completions++;
    const all = membersOf(partitions).every((partition) => known.statuses.get(partition) === 'succeeded');
    const told = membersOf(succeeded).length === membersOf(partitions).length;
    if (success && !(all && told))
      throw this.#broken('a completion is given the truth (I6)', `${instance} was told success, and not all jobs are`);
  }

  /** Notes what a completion has started. I6 */
  follows(name: string): void {
    const count = (this.#followed.get(name) ?? 0) + 1;
    this.#followed.set(name, count);
    if (count > 1) throw this.#broken('what a completion starts, starts once (I6)', `${name} has started ${count}`);
  }

  /** I2 */
  #progressStays(name: string, { start, told }: Known, before: Instance, input: InstanceInput, after: Instance): void {
    if (this.#operation(start.type).progress.kept !== 'transferable') return;
    if (input.kind === 'answer' && input.outcome.kind === 'lane' && `${input.number}` in before.lanes)
      for (const { partition, progress } of input.outcome.result.later ?? [])
        if (progress !== undefined) told.set(partition, progress);
    for (const [partition, progress] of told)
      if (membersOf(after.succeeded).includes(partition) || membersOf(after.failed).includes(partition))
        told.delete(partition);
      else if (JSON.stringify(after.progress[partition]) !== JSON.stringify(progress))
        throw this.#broken('a job goes on from its own progress (I2)', `${name}, partition ${partition}: it was lost`);
  }

  /** When all is quiet. I2, I5, I6 */
  isQuiet(
    left: readonly { readonly place: string; readonly key: string; readonly made: boolean }[],
    records: readonly string[],
  ) {
    for (const [name, { gone, ended, completions }] of this.#known) {
      if (gone) continue;
      if (!ended) throw this.#broken('every operation ends (I6)', `${name} has not ended`);
      if (completions === 0) throw this.#broken('a completion runs (I6)', `${name} has ended without it`);
    }
    if (records.length > 0) throw this.#broken('no record is left (I2)', records.join());
    for (const { place, key, made } of left) {
      const name = key.slice(0, key.indexOf('#'));
      const partition = Number(key.slice(name.length + 1));
      const { gone, statuses, outcome } = { outcome: this.#outcomes.get(name), ...this.#known.get(name)! };
      const counts = made && statuses.get(partition) === 'succeeded' && (gone || outcome === 'succeeded');
      // Work that has ended well before its operation was ended by force stays.
      if (!counts && !(gone && made))
        throw this.#broken('nothing unfinished is left (I5)', `${key} at ${place}, made: ${made}`);
    }
  }

  #operation(wanted: string): JudgedTypes['operations'][number] {
    return this.#types.operations.find(({ type }) => type === wanted)!;
  }

  #ends(name: string, known: Known, after: Instance): void {
    known.ended = true;
    this.#outcomes.set(name, after.outcome);
    if (known.completions === 0)
      throw this.#broken('a completion runs (I6)', `${name} has ended without its completion`);
    const failed = [...known.statuses.values()].includes('failed');
    if (failed && after.outcome === 'succeeded')
      throw this.#broken('a failed job fails the operation (I5)', `${name} has succeeded`);
  }

  /** A place that answers is never given up. I5 */
  #cleanUpsAreDone(name: string, before: Instance, input: InstanceInput, after: Instance): void {
    if (input.kind !== 'answer' || input.outcome.kind !== 'error') return;
    // A person has said to go on.
    if (Object.values(before.retries).some(({ last }) => last)) return;
    const given = after.tidied.filter((place) => !before.tidied.includes(place));
    const left = Object.keys(before.owed).filter((place) => before.owed[place] !== after.owed[place]);
    if (given.length > 0 || left.length > 0)
      throw this.#broken(
        'a clean-up that fails is made again (I5)',
        `${name}: ${[...given, ...left].join()} is given up`,
      );
  }

  /** I6 */
  #statusesStay(
    name: string,
    { statuses, begun }: Known,
    before: Instance,
    input: InstanceInput,
    after: Instance,
  ): void {
    const reopened = input.kind === 'answer' && input.outcome.kind === 'completed';
    for (const [partition, status] of statuses) {
      const still = membersOf(after[status]).includes(partition);
      const other = membersOf(after[status === 'failed' ? 'succeeded' : 'failed']).includes(partition);
      const retried = input.kind === 'retry' && input.partition === partition && status === 'failed';
      if ((reopened || retried) && !still && !other) {
        statuses.delete(partition);
        begun.set(partition, { number: reopened ? input.number : before.numbered });
      } else if (!still || other)
        throw this.#broken('a status is set once (I6)', `${name}, partition ${partition} was ${status} already`);
    }
    for (const status of ['succeeded', 'failed'] as const)
      for (const partition of membersOf(after[status])) {
        if (!statuses.has(partition)) statuses.set(partition, status);
        if (before.phase !== 'running' && !membersOf(before[status]).includes(partition) && before.phase !== 'stopping')
          throw this.#broken('later statuses are ignored (I5)', `${name}, partition ${partition} is ${status}`);
      }
  }

  /** I1 */
  #statusesCount(name: string, before: Instance, input: InstanceInput, after: Instance): void {
    for (const status of ['succeeded', 'failed'] as const)
      for (const partition of membersOf(after[status])) {
        if (membersOf(before[status]).includes(partition)) continue;
        const lane = input.kind === 'answer' ? before.lanes[`${input.number}`] : undefined;
        const { on } = this.#operation(before.start.type);
        const isThere =
          lane && before.placement && membersOf(eligibleAt(before.placement, lane.place, on)).includes(partition);
        if (!isThere || !membersOf(lane.partitions).includes(partition))
          throw this.#broken(
            'only who holds a job decides it (I1)',
            `${name}, partition ${partition} is ${status} by ${lane ? `lane ${input.kind === 'answer' && input.number} of ${lane.place}` : 'nobody'}`,
          );
        this.#endsWhereItBegan(name, status, partition, lane.place);
      }
  }

  /** I1 */
  #endsWhereItBegan(name: string, status: string, partition: number, place: string): void {
    const last = this.#known.get(name)!.begun.get(partition);
    if (last?.place !== place)
      throw this.#broken(
        'only who holds a job decides it (I1)',
        `${name}, partition ${partition} is ${status} by ${place}, and has begun at ${last?.place ?? 'no place'} last`,
      );
  }

  /** I1, I5 */
  #lanesAreRight(name: string, before: Instance, after: Instance): void {
    const { on } = this.#operation(after.start.type);
    const at = new Map<number, string>();
    const lanes = Object.entries(after.lanes);
    for (const [number, lane] of lanes) {
      const isNew = !(number in before.lanes);
      const may = after.placement ? membersOf(eligibleAt(after.placement, lane.place, on)) : [];
      for (const partition of membersOf(lane.partitions)) {
        if (!may.includes(partition))
          throw this.#broken(
            'jobs follow the primary (I1)',
            `${name}, partition ${partition} is kept by ${lane.place}`,
          );
        if (at.has(partition))
          throw this.#broken(
            'a job is in one lane (I1)',
            `${name}, partition ${partition} is in ${at.get(partition)} and ${number}`,
          );
        at.set(partition, number);
        const elsewhere = Object.entries(before.begun).find(
          ([place, begun]) =>
            place !== lane.place &&
            membersOf(begun).includes(partition) &&
            after.begun[place] !== undefined &&
            membersOf(after.begun[place]).includes(partition),
        );
        const moved = Object.entries(after.moved ?? {}).find(([, jobs]) => membersOf(jobs).includes(partition))?.[0];
        const stays = moved !== undefined && membersOf(eligibleAt(after.placement!, moved, on)).includes(partition);
        if (isNew && stays && moved !== lane.place)
          throw this.#broken(
            'a job goes where a person has moved it (I1)',
            `${name}, partition ${partition} begins at ${lane.place}, and was moved to ${moved}`,
          );
        if (isNew && elsewhere)
          throw this.#broken(
            'a job begins after the clean-up where it was (I2)',
            `${name}, partition ${partition} begins at ${lane.place}, and is not cleaned up at ${elsewhere[0]}`,
          );
      }
      if (!isNew) continue;
      if (after.pausedAt !== undefined) throw this.#broken('nothing begins in a pause (I1)', `${name}, lane ${number}`);
      if (after.phase !== 'running') throw this.#broken('nothing begins after the end (I5)', `${name}, lane ${number}`);
      if (lanes.length > after.atOnce)
        throw this.#broken(
          'no more run than may (I1)',
          `${name} has ${lanes.length} lanes, and may have ${after.atOnce}`,
        );
    }
  }
}
