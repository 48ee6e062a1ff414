import type { PlantedBug } from '../planted-bug.js';

/** Bugs in the distributed operations: some for each of the requirements I1 to I6. */
export const DISTRIBUTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'distributed: a job status is set twice (I6)',
    file: 'distributed/executor/lane.js',
    find: "if (record.state === 'complete')",
    replace: 'if (false)',
  },
  {
    name: 'distributed: who lost the primary keeps the job (I1)',
    file: 'distributed/instance/moves.js',
    find: 'partitions: without(lane.partitions, lost)',
    replace: 'partitions: lane.partitions',
  },
  {
    name: 'distributed: who lost the primary decides the job (I1)',
    file: 'distributed/instance/lane-answer.js',
    find: 'const counts = lane.partitions;',
    replace: 'const counts = lane.given;',
  },
  {
    name: 'distributed: an old placement replaces a new one (I1)',
    file: 'distributed/instance/moves.js',
    find: 'placement.version <= instance.placement.version',
    replace: 'false',
  },
  {
    name: 'distributed: more jobs run than may (I1)',
    file: 'distributed/instance/giving.js',
    find: 'lanesOf(instance).length < instance.atOnce',
    replace: 'lanesOf(instance).length <= instance.atOnce',
  },
  {
    name: 'distributed: a job begins in a pause (I1)',
    file: 'distributed/instance/giving.js',
    find: 'instance.pausedAt === undefined && ',
    replace: '',
  },
  {
    name: 'distributed: a job begins elsewhere before its clean-up (I2)',
    file: 'distributed/instance/giving.js',
    find: 'everywhere(owed), ',
    replace: '',
  },
  {
    name: 'distributed: progress of another executor is believed (I2)',
    file: 'distributed/instance/lane-answer.js',
    find: "operation.progress.kept === 'transferable' && ",
    replace: '',
  },
  {
    name: 'distributed: progress of a job that was taken away is lost (I2)',
    file: 'distributed/instance/lane-answer.js',
    find: '!has(lane.given, partition)',
    replace: '!has(counts, partition)',
  },
  {
    name: 'distributed: what an older assignment has recorded counts (I1, I2)',
    file: 'distributed/executor/lane.js',
    find: 'record.assignment >= assignment',
    replace: 'true',
  },
  {
    name: 'distributed: a clean-up that nobody answers leaves the job in its assignment (I1)',
    file: 'distributed/instance/call-answer.js',
    find: 'reassigned(instance, number, partitions)',
    replace: 'instance.assignments',
  },
  {
    name: 'distributed: a job that is opened again is in its old assignment (I6)',
    file: 'distributed/instance/call-answer.js',
    find: 'reassigned(instance, number, again)',
    replace: 'instance.assignments',
  },
  {
    name: 'distributed: kept progress is forgotten by a restart (I2)',
    file: 'distributed/executor/lane.js',
    find: 'record.progress ?? came',
    replace: 'came',
  },
  {
    name: 'distributed: an executor that starts cleans nothing up (I2)',
    file: 'distributed/executor/clean-up.js',
    find: "if (!logic || verdict === 'keep')",
    replace: 'if (true)',
  },
  {
    name: 'distributed: a record goes, and what it tells of stays (I2)',
    file: 'distributed/executor/clean-up.js',
    find: "if (state === 'running')",
    replace: 'if (false)',
  },
  {
    name: 'distributed: an id is issued twice (I3)',
    file: 'distributed/coordinator/coordinator-step.js',
    find: '[type]: instance + 1',
    replace: '[type]: instance',
  },
  {
    name: 'distributed: a new coordinator forgets the completion (I3, I6)',
    file: 'distributed/instance/under-way.js',
    find: ', ...Object.keys(instance.calls)]',
    replace: ']',
  },
  {
    name: 'distributed: of two starts at once both are admitted (I4)',
    file: 'distributed/coordinator/coordinator-step.js',
    find: 'admission(types, coordinator, wanted)',
    replace: 'admission(types, { ...coordinator, running: coordinator.running.slice(0, -1) }, wanted)',
  },
  {
    name: 'distributed: the running set forgets an instance (I4)',
    file: 'distributed/coordinator/coordinator-step.js',
    find: '!isIt(each)',
    replace: 'each.type !== type',
  },
  {
    name: 'distributed: a failed job does not fail the operation (I5)',
    file: 'distributed/instance/phases.js',
    find: 'return failed === NO_PARTITIONS',
    replace: 'return true',
  },
  {
    name: 'distributed: a failed job is not cleaned up (I5)',
    file: 'distributed/executor/lane.js',
    find: 'await this.logic.cleanUp({ target, partition, place }, argument, name.instance);',
    replace: '',
  },
  {
    name: 'distributed: a cancel changes an outcome (I5)',
    file: 'distributed/instance/step.js',
    find: "return instance.phase === 'running'",
    replace: 'return true',
  },
  {
    name: 'distributed: what a job has made that was opened again is forgotten (I5)',
    file: 'distributed/instance/under-way.js',
    find: 'union(instance.succeeded, instance.reopened)',
    replace: 'instance.succeeded',
  },
  {
    name: 'distributed: a completion that throws is not run again (I6)',
    file: 'distributed/instance/call-answer.js',
    find: ': failedOnce(answered, outcome.message)',
    replace: ': completed(answered, {})',
  },
];
