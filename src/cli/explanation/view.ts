import { colours as pc } from '../colours.js';
import type { ExplainedNode, Explanation, UnreadEntity } from '../../client/explain/explanation.js';
import { operationLines } from './operation-words.js';
import { callLine, queueLine, taskLines } from './service-words.js';
import { stuckLines } from './stuck-words.js';
import { lasting } from './time-words.js';
import { failureLines, hasFailed, unknownWaitLines, waitLines } from './wait-words.js';

/** Shows what an operation or entity waits for, as a tree for people. S5.4 */
export function formatExplanation({ at, operation, entities, starved, stuck }: Explanation): string {
  const stuckOf = new Map(stuck.map((each) => [each.who, each]));
  return [
    ...(operation ? operationLines(operation, at, stuck) : []),
    ...starved.map((queue) => queueLine(queue, at)),
    ...(entities.length > 0 && (operation || starved.length > 0) ? [''] : []),
    ...entities.flatMap((node) => nodeLines(node, '', '')),
  ].join('\n');

  function nodeLines(node: ExplainedNode, first: string, rest: string): readonly string[] {
    const below = node.kind === 'entity' ? node.below : [];
    const bar = `${rest}${below.length > 0 ? '│  ' : '   '}`;
    return [
      `${symbol(node, stuckOf.has(node.entity))} ${pc.dim(first)}${headline(node, first.length)}`,
      ...details(node).map((line) => `  ${pc.dim(bar)}${line}`),
      ...below.flatMap((each, index) => {
        const last = index === below.length - 1;
        return nodeLines(each, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`);
      }),
    ];
  }

  function headline(node: ExplainedNode, indent: number): string {
    const padded = node.entity.padEnd(Math.max(node.entity.length + 1, 34 - indent));
    switch (node.kind) {
      case 'elsewhere':
        return `${padded}${node.cycle ? pc.yellow('listed above: a deadlock') : pc.dim('see above')}`;
      case 'unread':
        return `${padded}${unreadWords(node)}`;
      case 'entity': {
        const state = node.health === 'error' ? pc.red(node.state) : node.state;
        return `${padded}${state}  ${pc.dim(lasting(node.since, at))}`;
      }
    }
  }

  function details(node: ExplainedNode): readonly string[] {
    if (node.kind === 'elsewhere') return [];
    const own = node.kind === 'entity' ? node.waits.flatMap((wait) => waitLines(wait, at)) : [];
    const itself = stuckOf.get(node.entity);
    return [
      ...(itself ? stuckLines(itself, at) : []),
      ...(node.kind === 'entity' ? node.events.map((event) => pc.dim(eventWords(event))) : []),
      ...(node.kind === 'entity' && node.settled && !itself ? ['has settled'] : []),
      ...(node.kind === 'entity' ? failureLines(node, at) : []),
      ...own,
      ...(node.kind === 'entity' ? unknownWaitLines(node, at) : []),
      ...node.calls.map((call) => callLine(call, at)),
      ...(node.task && (!itself || itself.whatToDo !== node.task.remedy) ? taskLines(node.task, at) : []),
    ];
  }

  function unreadWords({ reason, state, operation: id, message, task }: UnreadEntity): string {
    const whose = id === undefined || id === operation?.id ? '' : `, in operation ${id}`;
    const why = {
      absent: 'does not exist, or not yet',
      no_answer: 'no worker answers for it',
      unborn: 'has not been created yet',
      failed: task?.cause === undefined ? `cannot be read: ${message ?? 'unknown why'}` : 'its task fails',
      ended: 'its workflow was ended by hand; entities that wait for it find out at the next look',
      unknown_type: 'its declaration is not known here',
      limit: 'not looked at: there are too many',
      hidden: 'is not there, or not for you',
    }[reason];
    return [...(state === undefined ? [] : [`${state} when last seen${whose}`]), pc.red(why)].join('; ');
  }

  function eventWords({ event, operation: id, since }: { event: string; operation: string; since: number }): string {
    const whose = operation?.id === id ? '' : ` (operation ${id})`;
    return `${event}, ${lasting(since, at)}${whose}`;
  }
}

function symbol(node: ExplainedNode, isStuck: boolean): string {
  if (node.kind === 'elsewhere') return pc.dim('·');
  if (node.kind === 'unread' || isStuck) return pc.red('✖');
  if (node.settled) return node.health === 'error' ? pc.red('✖') : pc.green('✔');
  return node.waits.some(hasFailed) ? pc.yellow('↻') : pc.cyan('●');
}
