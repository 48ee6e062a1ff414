import { lineOf, type StateNode, type Transition } from './machine.js';

/** A transition with the state node that declares it. */
export interface Arrow extends Transition {
  readonly source: StateNode;
}

export function isWithin(node: StateNode, root: StateNode): boolean {
  return lineOf(node).includes(root);
}

/** All state nodes below this one. */
export function below(node: StateNode): readonly StateNode[] {
  return node.states.flatMap((child) => [child, ...below(child)]);
}

/** The state node that a target names: `#id`, `#id.child`, `.child`, a sibling, or what is below a sibling. */
export function targetNode(source: StateNode, target: string): StateNode | undefined {
  if (target.startsWith('.')) return childAt(source, target.slice(1));
  if (!target.startsWith('#')) return childAt(source.parent ?? source, target);
  const root = lineOf(source).at(-1)!;
  const [named] = [root, ...below(root)]
    .filter(({ id }) => `${target}.`.startsWith(`#${id}.`))
    .toSorted((one, other) => other.id.length - one.id.length);
  const rest = target.slice((named?.id.length ?? 0) + 2);
  return named && rest !== '' ? childAt(named, rest) : named;
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
  const parallel = lineOf(node).filter((each) => each !== root && isWithin(each, root) && each.type === 'parallel');
  if (parallel.length > 0) return parallel.at(-1);
  const named = node.initial === undefined ? undefined : targetNode(node, initialTarget(node));
  if (node.type === 'history') return entered(named && named.type !== 'history' ? named : node.parent!, root);
  if (node.type !== 'compound' && node !== root) return node;
  // Each step leads down, so this ends.
  const isBelow = named && named !== node && isWithin(named, node) && named.type !== 'history';
  const first = isBelow ? named : node.states.find(({ type }) => type !== 'history');
  return first && entered(first, root);
}

/** The initial state is a child, and the default of a history state is a target like any other. */
function initialTarget({ type, initial = '' }: StateNode): string {
  return type === 'history' ? initial : initial.replace(/^(?![#.])/, '.');
}
