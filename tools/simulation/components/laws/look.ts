import type { Component, Effect, Input, Tree } from '../../../../src/components/index.js';
import type { Seen } from '../kinds.js';

/** One step of a tree, for those who judge it. */
export interface Look {
  readonly before: Tree;
  readonly input: Input;
  readonly after: Tree;
  readonly effects: readonly Effect[];
}

/**
 * A law: it looks at each step of one tree, and says what is wrong. It reads trees, effects, and what the components of the simulation
 * have seen, and uses none of the code that makes them.
 */
export type Law = (first: Tree) => (look: Look) => string | undefined;

export type Note = Extract<Effect, { readonly kind: 'record' }>;

export function notes({ effects }: Look): readonly Note[] {
  return effects.filter((effect) => effect.kind === 'record');
}

/** Lists what components have seen in this step, in order. */
export function sights(look: Look): readonly { readonly id: number; readonly seen: Seen }[] {
  return notes(look).flatMap(({ id, message }) =>
    message?.startsWith('{"saw"') ? [{ id, seen: JSON.parse(message) as Seen }] : [],
  );
}

export function all(tree: Tree): readonly Component[] {
  return Object.values(tree.components);
}

export function childrenOf(tree: Tree, { children }: Component): readonly Component[] {
  return children.map((id) => tree.components[id]!);
}

export function kindOf(tree: Tree, { description }: Component): string {
  return tree.descriptions[description]!.kind;
}

/** An attribute as it is given or set. */
export function given(tree: Tree, { attributes, description }: Component, name: string): unknown {
  return (attributes ?? tree.descriptions[description]!.attributes)[name];
}

export function parentOf(tree: Tree, { parent }: Component): Component | undefined {
  return parent === undefined ? undefined : tree.components[parent];
}

/** The path of a component, as people write it. */
export function pathOf(tree: Tree, component: Component): string {
  const parent = parentOf(tree, component);
  if (!parent) return component.id === tree.root ? '' : `${component.name}~${component.id}`;
  const above = pathOf(tree, parent);
  return above === '' ? component.name : `${above}/${component.name}`;
}

/** The newest component at a path. */
export function at(tree: Tree, path: string): Component | undefined {
  let found: Component | undefined = tree.components[tree.root];
  for (const name of path === '' ? [] : path.split('/')) {
    found = found && childrenOf(tree, found).findLast((child) => child.name === name);
  }
  return found;
}

export const isLiving = ({ phase }: Component): boolean => phase !== 'ended';
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
