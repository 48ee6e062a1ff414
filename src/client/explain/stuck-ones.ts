import { stuckBy, type Stuck, type SuccessorStanding } from '../../kernel/index.js';
import type { PendingCall } from './execution.js';
import type { ExplainedEntity, ExplainedNode, Explanation, SeenStuck, StuckOne, UnreadEntity } from './explanation.js';
import { continuing, frozenWords } from './frozen-words.js';
import { lostWords } from './lost-task.js';
import type { PendingTask } from './pending-task.js';
import type { StarvedQueue } from './task-queues.js';

/** A task that has failed once may go well the next time. From this attempt on, it counts as failing again and again. */
const FAILS_FROM_ATTEMPT = 3;
/** A call whose worker was lost may go well with another one. From this execution on, it counts as stuck. */
const REPEATS_FROM_EXECUTION = 4;

/** Everything in an explanation that is stuck, each once, beginning at the root. S5.4 */
export function stuckOnes({ operation, entities, starved }: Omit<Explanation, 'stuck'>): readonly StuckOne[] {
  const found: StuckOne[] = [];
  const add = (who: string, stuck: SeenStuck | undefined) => {
    if (stuck && !found.some((each) => each.who === who)) found.push({ who, ...stuck });
  };
  const frozen = frozenIn(starved);
  const nodes = nodesIn(entities);
  const byName = new Map(nodes.flatMap((node) => (node.kind === 'elsewhere' ? [] : [[node.entity, node] as const])));
  if (operation && operation.kind !== 'ended')
    add(
      `operation ${operation.id}`,
      buildStuck(operation, frozen) ?? taskStuck(operation.task, frozen, operation.kind === 'unread'),
    );
  for (const node of nodes) if (node.kind !== 'elsewhere') add(node.entity, nodeStuck(node, byName, starved));
  for (const circle of circlesIn(entities, [])) add(circle[0]!.entity, circleStuck(circle));
  return found;
}

type ReadNode = ExplainedEntity | UnreadEntity;

function nodesIn(nodes: readonly ExplainedNode[]): readonly ExplainedNode[] {
  return nodes.flatMap((node) => [node, ...(node.kind === 'entity' ? nodesIn(node.below) : [])]);
}

function nodeStuck(
  node: ReadNode,
  byName: ReadonlyMap<string, ReadNode>,
  starved: readonly StarvedQueue[],
): SeenStuck | undefined {
  const { task, calls } = node;
  const frozen = frozenIn(starved);
  const unanswered = node.kind === 'unread' && node.reason === 'no_answer';
  const served = [
    buildStuck(node, frozen),
    taskStuck(task, frozen, unanswered),
    ...calls.map((call) => callStuck(call, starved)),
  ].find(Boolean);
  if (served) return served;
  if (node.kind === 'entity') return stuckBy(node, (successor) => mayMove(successor, byName));
  if (node.reason !== 'unborn') return undefined;
  return {
    ...(node.since !== undefined && { since: node.since }),
    reason: 'no_store',
    message:
      'it has not been created yet: only the store can tell whether its request is new, and the store is unavailable',
    whatToDo: `Start the store again ('reeve doctor' shows its problem). The entity is then created automatically.`,
  };
}

/** The workers that would take tasks of workflows, but for that they are frozen. */
function frozenIn(starved: readonly StarvedQueue[]): readonly string[] {
  return starved.flatMap(({ work, frozen = [] }) => (work === 'steps' ? frozen : []));
}

/** Finds out why a workflow is stuck: its workflow task keeps failing, or no worker takes it. */
function taskStuck(task: PendingTask | undefined, frozen: readonly string[], unanswered = false): Stuck | undefined {
  if (!task) return undefined;
  const { attempt, since, cause, failure, remedy = '' } = task;
  if (cause === 'timed_out') {
    if (!unanswered && attempt < FAILS_FROM_ATTEMPT) return undefined;
    return { since, reason: 'no_worker', message: lostWords(task, frozen), whatToDo: remedy };
  }
  if (cause !== undefined && attempt >= FAILS_FROM_ATTEMPT) {
    const why = failure === undefined ? '' : `: ${failure}`;
    return { since, reason: 'task_fails', message: `its workflow task keeps failing${why}`, whatToDo: remedy };
  }
  return unanswered && cause === undefined && !task.started
    ? unserved('its next step waits', since, { frozen })
    : undefined;
}

/** Tells whether a workflow is pinned to a build that no worker serves. Q2 */
function buildStuck(
  { unservedBuild: build, task }: Pick<ReadNode, 'unservedBuild' | 'task'>,
  frozen: readonly string[],
): SeenStuck | undefined {
  if (build === undefined) return undefined;
  return {
    // Nothing tells since when no worker serves it, only since when a task waits.
    ...(task && { since: task.since }),
    reason: 'no_worker',
    message: `it is pinned to the build '${build}', and no worker serves that${becauseOf(frozen)}`,
    whatToDo:
      frozen.length > 0
        ? continueThem(frozen)
        : `Start workers of the build '${build}'. It then continues automatically, and can move to another build (reeve rollout).`,
  };
}

/** Something that waits for a worker. */
export function unserved(
  what: string,
  since: number,
  { taskQueue, frozen = [] }: { readonly taskQueue?: string; readonly frozen?: readonly string[] | undefined } = {},
): Stuck {
  const queue = taskQueue === undefined ? 'its task queue' : `the task queue '${taskQueue}'`;
  return {
    ...{ since, reason: 'no_worker' },
    message: `${what}, and no worker serves ${queue}${becauseOf(frozen)}`,
    whatToDo:
      frozen.length > 0
        ? continueThem(frozen)
        : `Start a worker that serves ${queue}. It then continues automatically.`,
  };
}

function becauseOf(frozen: readonly string[]): string {
  return frozen.length === 0 ? '' : `: ${frozenWords(frozen)}`;
}

function continueThem(frozen: readonly string[]): string {
  return `Continue it: ${continuing(frozen)}. Everything then continues automatically.`;
}

function callStuck(
  { call, state, attempt, taskQueue, since, lastFailure }: PendingCall,
  starved: readonly StarvedQueue[],
): Stuck | undefined {
  const unservedQueue = starved.find(
    (each) => each.taskQueue === taskQueue && each.work === 'calls' && each.workers === 0,
  );
  if (state === 'paused') {
    const whatToDo = `An operator paused it. Unpause it with 'temporal activity unpause', or in Temporal's UI.`;
    return { since, reason: 'call_paused', message: `its call ${call} is paused`, whatToDo };
  }
  if (state === 'queued' && unservedQueue)
    return unserved(`its call ${call} is queued`, since, { taskQueue, frozen: unservedQueue.frozen });
  // A call of no resource is Reeve's own, and waits for the store or Temporal.
  if (call.startsWith('reeve.') || attempt < REPEATS_FROM_EXECUTION) return undefined;
  return {
    ...{ since, reason: 'call_repeats' },
    message: `its call ${call} is at attempt ${attempt}, because no worker has finished it${lastFailure ? `: ${lastFailure}` : ''}`,
    whatToDo: `The worker that makes it ends, does not answer, or does not have its provider. Read the log of the worker.`,
  };
}

/** Tells whether a successor may change by itself. One that has settled may, when it has timers. */
function mayMove({ entity, is }: SuccessorStanding, byName: ReadonlyMap<string, ReadNode>): boolean {
  if (is === 'lost' || is === 'rejected') return false;
  const node = byName.get(entity);
  if (node?.kind !== 'entity' || !node.settled) return true;
  return node.waits.some((wait) => wait.kind !== 'exhausted' && wait.kind !== 'lost');
}

/** The circles of entities that rest only for each other, as ways through the tree. */
function circlesIn(
  nodes: readonly ExplainedNode[],
  above: readonly ExplainedEntity[],
): readonly (readonly ExplainedEntity[])[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'entity') return circlesIn(node.below, [...above, node]);
    if (node.kind !== 'elsewhere' || !node.cycle) return [];
    const circle = above.slice(above.findIndex(({ entity }) => entity === node.entity));
    return circle.length > 0 && circle.every(restsForOne) ? [circle] : [];
  });
}

/** Tells whether an entity rests for one other entity, and waits for nothing else. */
function restsForOne({ below, waits, calls, task }: ExplainedEntity): boolean {
  const rests = waits.length > 0 && waits.every(({ kind }) => kind === 'subscription' || kind === 'lost');
  return rests && below.length === 1 && calls.length === 0 && !task;
}

function circleStuck(circle: readonly ExplainedEntity[]): Stuck {
  const names = circle.map(({ entity }) => entity);
  const [first] = names;
  return {
    since: Math.max(...circle.map(({ since }) => since)),
    reason: 'deadlock',
    message: `deadlock: these entities wait for each other: ${[...names, first].join(', ')}`,
    whatToDo: `Raise an event on one of them that leaves its state. 'reeve get ${first}' lists the valid ones.`,
  };
}
