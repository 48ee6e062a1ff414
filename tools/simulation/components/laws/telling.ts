import { all, childrenOf, given, isLiving, kindOf, notes, pathOf, sights, type Law } from './look.js';

const DONE = ['its work is done', 'all of it is done', 'it is empty', 'it is started', 'its end was told'];

/** W-4: a parent is told of the end of each child once, in the order of the ends, and never of a quiet one. */
export const toldOnce: Law = (first) => {
  const told = new Set(
    all(first).flatMap((each) =>
      (kindOf(first, each) === 'Box' ? childrenOf(first, each) : []).flatMap((c) => (c.told ? [c.id] : [])),
    ),
  );
  return (look) => {
    const { after } = look;
    const inOrder: number[] = [];
    for (const { id, seen } of sights(look)) {
      if (seen.saw !== 'end') continue;
      if (told.has(seen.child)) return `component ${id} is told twice of the end of ${seen.child}`;
      told.add(seen.child);
      inOrder.push(seen.child);
    }
    const ended = notes(look).flatMap(({ id, phase, of }) => (phase === 'ended' && LEAVES.has(of) ? [id] : []));
    const order = ended.filter((id) => inOrder.includes(id));
    const heard = inOrder.filter((id) => order.includes(id));
    if (order.join() !== heard.join()) return `ends are told in the order ${heard.join()}, and came as ${order.join()}`;
    for (const holder of all(after)) {
      if (kindOf(after, holder) !== 'Box' || holder.phase !== 'up') continue;
      for (const child of childrenOf(after, holder)) {
        const isQuiet = child.quiet === true || wantsQuiet(after, child);
        if (isQuiet && told.has(child.id)) return `${pathOf(after, child)} ended quietly, and was told`;
        if (!isLiving(child) && !isQuiet && !told.has(child.id))
          return `nobody was told of the end of ${pathOf(after, child)}`;
      }
    }
    return undefined;
  };
};

/** Kinds that have ended as soon as they begin to end. */
const LEAVES = new Set([
  'Ear',
  'Reader',
  'DoNothing',
  'Fail',
  'Call',
  'EventSend',
  'EventCounter',
  'EventQueue',
  'Attribute',
]);

function wantsQuiet(tree: Parameters<Law>[0], child: Parameters<typeof isLiving>[0]): boolean {
  const looksAtIt = ['Own', 'Sequence', 'Parallel'].includes(kindOf(tree, child));
  if (!looksAtIt || given(tree, child, 'sfShouldTerminateQuietly') !== true || !child.end) return false;
  return DONE.includes(child.end.description) && child.end.component === pathOf(tree, child);
}

/** W-5: a ping goes from parent to child, and no further than a component that answers for its children. */
export const pingsDown: Law = () => (look) => {
  const { before, input } = look;
  const pinged = sights(look).flatMap(({ id, seen }) => (seen.saw === 'ping' ? [id] : []));
  if (input.kind !== 'ping') return pinged.length > 0 ? `component ${pinged[0]} is pinged by nobody` : undefined;
  const expected: number[] = [];
  const visit = (id: number) => {
    const component = before.components[id]!;
    if (component.phase !== 'up') return;
    const kind = kindOf(before, component);
    if (kind === 'Ear' || kind === 'Box') expected.push(id);
    for (const child of childrenOf(before, component)) {
      if (kind !== 'CounterAction' || child.name === 'liveness') visit(child.id);
    }
  };
  visit(before.root);
  const extra = pinged.find((id) => !expected.includes(id));
  if (extra !== undefined) return `component ${extra} is pinged, and should not be`;
  if (new Set(pinged).size < pinged.length) return 'a component is pinged twice';
  // A ping can end components, and those below them are not reached any more.
  const ends = notes(look).some(({ phase }) => phase === 'ending');
  return ends || pinged.length === expected.length
    ? undefined
    : `the ping does not reach ${expected.length - pinged.length}`;
};

/** W-6: a reference is resolved when it is used. */
export const readsNow: Law = () => (look) => {
  const { before, after, effects } = look;
  // A component that has left in this step may have read before or after that.
  const left = effects.flatMap((each) => (each.kind === 'deploy' && each.key === undefined ? [each.tree] : []));
  for (const { id, seen } of sights(look)) {
    if (seen.saw !== 'value' && seen.saw !== 'nothing') continue;
    const right = [before, after, ...left].map((tree) => valueFor(tree, id)).filter((each) => each !== undefined);
    const read = seen.saw === 'nothing' ? 'nothing' : JSON.stringify(seen.value);
    if (right.length > 0 && !right.includes(read))
      return `component ${id} reads ${read}, and should read ${right.join(' or ')}`;
  }
  return undefined;
};

/** Gives what a reader should read, as text: the mark of the nearest one further out that has one. */
function valueFor(tree: Parameters<Law>[0], id: number): string | undefined {
  const reader = tree.components[id];
  if (!reader) return undefined;
  const path = (given(tree, reader, 'value') as { readonly $ref: string }).$ref.split('/');
  let level: typeof reader | undefined = reader;
  for (const part of path)
    if (part === '..') level = level?.parent === undefined ? undefined : tree.components[level.parent];
  for (; level; level = level.parent === undefined ? undefined : tree.components[level.parent]) {
    const mark = given(tree, level, 'mark');
    if (mark !== undefined) return JSON.stringify(mark);
  }
  return 'nothing';
}
