import { asDeclared } from '../../definition/duration.js';
import { colours as pc } from '../colours.js';
import { errorsOnce } from '../errors-once.js';
import type { ExplainedOperation, StuckOne } from '../../client/explain/explanation.js';
import { failsInCode } from '../../client/explain/lost-task.js';
import type { OperationWait } from '../../operations/explain.js';
import { taskLines } from './service-words.js';
import { stuckLines } from './stuck-words.js';
import { inWords, lasting } from './time-words.js';

/** An operation by itself. */
export function operationLines(
  operation: ExplainedOperation,
  now: number,
  stuck: readonly StuckOne[] = [],
): readonly string[] {
  const { startedAt } = operation;
  const itself = stuck.find(({ who }) => who === `operation ${operation.id}`);
  const own = itself ? stuckLines(itself, now).map((line) => `  ${line}`) : [];
  switch (operation.kind) {
    case 'ended': {
      const { name, outcome, endedAt, errors } = operation;
      const ended = `${pc.bold(name)}: ${outcome} after ${inWords(endedAt - startedAt)}; nothing is waited for`;
      return [ended, ...errorsOnce(errors, pc.red).map((line) => `  ${line}`)];
    }
    case 'unread': {
      const { id, outcome = 'unknown', task } = operation;
      return [
        `${pc.bold(`operation ${id}`)}: ${outcome} when last seen, begun ${inWords(now - startedAt)} ago`,
        pc.red(
          `  ${task && failsInCode(task) ? 'its task fails' : 'no worker answers for it'}; this is what its entities have shown`,
        ),
        ...(task && !itself ? taskLines(task, now).map((line) => `  ${line}`) : own),
      ];
    }
    case 'operation': {
      const { name, outcome, hung, budgetMs = 0, interruptions, errors, open, task } = operation;
      return [
        `${pc.bold(name)}: ${outcome} ${lasting(startedAt, now)}`,
        `  ${openWords(open.length)}`,
        ...stuckWords(stuck.length - (itself ? 1 : 0)),
        ...(hung ? [pc.red(`  hung: its budget is ${asDeclared(budgetMs)}`)] : []),
        ...cancelLines(operation, now).map((line) => `  ${line}`),
        ...interruptions.map(({ entity, by }) => `  interrupted on ${entity} by operation ${by}`),
        ...errorsOnce(errors, pc.yellow).map((line) => `  ${line}`),
        ...(task && !itself ? taskLines(task, now).map((line) => `  ${line}`) : own),
      ];
    }
  }
}

/** How a request to cancel an operation stands, with those who have refused it. S4.7 */
export function cancelLines(
  { cancel, refusals = [] }: Pick<OperationWait, 'cancel' | 'refusals'>,
  now: number,
): readonly string[] {
  if (cancel === 'none') return [];
  return [
    cancel === 'refused' ? pc.red('cancel was refused') : `cancel was ${cancel}`,
    ...refusals.map(
      ({ entity, event, at, code, message }) =>
        `  ${entity} refused ${event} ${inWords(now - at)} ago: ${code}: ${message}`,
    ),
  ];
}

/** Words for an operation that goes on with its other entities, and does not end before a person acts. */
function stuckWords(entities: number): readonly string[] {
  if (entities === 0) return [];
  const who = entities === 1 ? 'one of its entities is' : `${entities} of its entities are`;
  return [pc.red(`  stuck: ${who}, and it does not end before a person acts`)];
}

function openWords(open: number): string {
  if (open === 0) return 'waits for nothing any more: it ends in a moment';
  return `waits for ${open} ${open === 1 ? 'entity' : 'entities'}`;
}
