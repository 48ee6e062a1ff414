import type { Component, Tree } from '../../../../src/components/index.js';
import { all, childrenOf, given, isLiving, kindOf, notes, pathOf, same, type Law, type Note } from './look.js';

/** W1: a component is up only when what it stands for is up. */
export const comesUpWhole: Law = () => (look) => {
  const { before, after } = look;
  const step = notes(look);
  for (const component of all(after)) {
    const { id, end, undeployed } = component;
    if (!end || undeployed || before.components[id]?.phase === 'up') continue;
    const up = step.findIndex((note) => note.id === id && note.phase === 'up');
    const missing = childrenOf(after, component).find(
      (child) => child.undeployed && same(child.end, end) && createdAt(child.id, step) < up,
    );
    if (missing) return `${pathOf(after, component)} came up, and ${missing.name} of it did not`;
  }
  return undefined;
};

/** W1: all that is deployed together is deployed before any of it starts. */
export const deploysBeforeStart: Law = () => (look) => {
  const { before, after } = look;
  const step = notes(look);
  for (const component of all(after)) {
    const kind = kindOf(after, component);
    const isInStep = kind === 'Parallel' && given(after, component, 'asynchCreateChild') !== true;
    if ((kind !== 'Compound' && !isInStep) || before.components[component.id]?.phase === 'up') continue;
    const children = childrenOf(after, component);
    const missing = children.find(({ id, began, undeployed }) => undeployed && !began && !started(id, step));
    if (!missing) continue;
    const early = children.find(({ id }) => started(id, step) && createdAt(missing.id, step) < startedAt(id, step));
    if (early) return `${pathOf(after, early)} starts, and ${missing.name} beside it could not be deployed`;
  }
  return undefined;
};

/** W-1: at most one child of a name is there whose end its parent has yet to hear of. */
export const hasOneOfEachName: Law =
  () =>
  ({ after }) => {
    for (const component of all(after)) {
      const names = childrenOf(after, component)
        .filter((child) => isLiving(child) && !child.told && !child.forgotten && !child.quiet)
        .map(({ name }) => name);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) return `${pathOf(after, component)} has two children '${twice}'`;
    }
    return undefined;
  };

/** A name that a component declares belongs to the declared child, until that has been there. */
export const keepsDeclaredNames: Law = (first) => {
  const nameOf = (parent: number, name: string) => `${parent}/${name}`;
  const declaredBy = (tree: Tree, { description }: Component) => tree.descriptions[description]!.children;
  // A tree that has left another one may have had all of its children.
  const been = new Set(all(first).flatMap((each) => declaredBy(first, each).map(([name]) => nameOf(each.id, name))));
  if (childrenOf(first, first.components[first.root]!).length === 0) been.clear();
  return (look) => {
    const { after } = look;
    const created = notes(look).flatMap(({ phase, component }) => (phase === 'created' ? [component] : []));
    for (const parent of all(after)) {
      for (const [name, declared] of declaredBy(after, parent)) {
        const own = nameOf(parent.id, name);
        const children = childrenOf(after, parent).filter((child) => child.name === name);
        const path = children[0] && pathOf(after, children[0]);
        const isTwice = created.filter((each) => each === path).length > 1;
        if (isTwice || children.some(({ description }) => description === declared)) been.add(own);
        if (children.length > 0 && !been.has(own)) return `${path} is not what ${pathOf(after, parent)} declares`;
      }
    }
    return undefined;
  };
};

/** Before the step, or by which note. */
function createdAt(id: number, step: readonly Note[]): number {
  return step.findIndex((note) => note.id === id && note.phase === 'created');
}

function startedAt(id: number, step: readonly Note[]): number {
  return step.findIndex((note) => note.id === id && note.phase === 'starting');
}

function started(id: number, step: readonly Note[]): boolean {
  return startedAt(id, step) >= 0;
}
