import { lineOf, type StateNode, type Transition } from './machine.js';

/** A transition with the state node that declares it. */
export interface Arrow extends Transition {
  readonly source: StateNode;
}

export function isWithin(node: StateNode, root: StateNode): boolean {
  return lineOf(node).includes(root);
}

/** This state node and all below it. */
export function nodesOf(node: StateNode): readonly StateNode[] {
  return [node, ...node.states.flatMap(nodesOf)];
}

/** The state node that a target names: `#id`, `#id.child`, `.child`, a sibling, or what is below a sibling. */
export function targetNode(source: StateNode, target: string): StateNode | undefined {
  if (target.startsWith('.')) return childAt(source, target.slice(1));
  if (!target.startsWith('#')) return childAt(source.parent ?? source, target);
  const [id = '', ...rest] = target.slice(1).split('.');
  const named = nodesOf(lineOf(source).at(-1)!);
  const whole = named.find((each) => each.id === target.slice(1));
  const first = named.find((each) => each.id === id);
  return whole ?? (first && childAt(first, rest.join('.')));
}

function childAt(node: StateNode, path: string): StateNode | undefined {
  const whole = node.states.find(({ key }) => key === path);
  if (whole) return whole;
  const [first, ...rest] = path.split('.');
  const child = node.states.find(({ key }) => key === first);
  return child && rest.length > 0 ? childAt(child, rest.join('.')) : child;
}

/** The leaf in which a machine is after it has entered a state node: a parallel one is entered as a whole. */
export function entered(node: StateNode, root: StateNode): StateNode | undefined {
  const parallel = lineOf(node).findLast((each) => isWithin(each, root) && each.type === 'parallel');
  if (parallel) return parallel;
  const named = node.initial === undefined ? undefined : targetNode(node, initialTarget(node));
  if (node.type === 'history') return entered(named && named.type !== 'history' ? named : node.parent!, root);
  if (node.type !== 'compound') return node;
  // Each step leads down, so this ends.
  const isBelow = named && named !== node && isWithin(named, node) && named.type !== 'history';
  const first = isBelow ? named : node.states.find(({ type }) => type !== 'history');
  return first && entered(first, root);
}

/** The initial state is a child, and the default of a history state is a target like any other. */
function initialTarget({ type, initial = '' }: StateNode): string {
  return type === 'history' ? initial : initial.replace(/^(?![#.])/, '.');
}
