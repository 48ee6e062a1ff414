import type { Colours } from './colours.js';
import type { NamesForPeople } from './names-for-people.js';
import type { ProgressNode } from './progress.js';
import { describeState } from './state-words.js';

/** Draws an entity and what is below it, a line each. */
export function treeLines(root: ProgressNode, names: NamesForPeople, pc: Colours): readonly string[] {
  return linesBelow(root, '', '');

  function linesBelow(node: ProgressNode, first: string, rest: string): readonly string[] {
    const { name } = node;
    const padded = pc.dim(first) + name + ' '.repeat(Math.max(1, 34 - first.length - name.length));
    const below = node.successors.flatMap((successor, index) => {
      const last = index === node.successors.length - 1;
      return linesBelow(successor, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`);
    });
    return [`${symbol(node, pc)} ${padded}${describeNode(node, names, pc)}`, ...below];
  }
}

/** Describes the state of an entity in a tree. */
export function describeNode({ entity }: ProgressNode, names: NamesForPeople, pc: Colours): string {
  return entity ? describeState(names.entity(entity), pc) : pc.dim('not there yet');
}

function symbol({ entity, gone }: ProgressNode, pc: Colours): string {
  if (!entity) return pc.dim('·');
  if (gone) return pc.dim('✔');
  if (!entity.settled && !entity.exhausted) return entity.last_error ? pc.yellow('↻') : pc.cyan('●');
  return entity.last_error || entity.health === 'error' ? pc.red('✖') : pc.green('✔');
}
