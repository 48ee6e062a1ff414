/*
 * All that changes a component beyond its own kind: attributes that others set, and its way out of the tree.
 */
import type { Value } from '../description/description.js';
import type { Draft } from './draft.js';
import { absolute } from './events.js';
import type { Target } from './kind.js';
import { readAttribute } from './attribute.js';
import { attributeOf } from './resolve.js';

/** Sets or removes an attribute of any component. */
export function setAttribute(draft: Draft, target: Target, name: string, value: Value | undefined): void {
  if ('id' in target) draft.setAttribute(target.id, name, value);
  else draft.effects.push({ kind: 'set', path: target.path, name, ...(value !== undefined && { value }) });
}

/** Takes a component out of its parent: neither tells the other anything from now on. W4 */
export function detach(draft: Draft, id: number): void {
  const { parent } = draft.get(id);
  if (parent === undefined) return;
  const host = hostOf(draft, id);
  if (host !== undefined) draft.setAttribute(id, 'host', host);
  draft.change(parent, { children: draft.get(parent).children.filter((child) => child !== id) });
  draft.record(id, { message: `It is detached from ${absolute(draft, parent)}.` });
  // The component that started it hears that it goes on alone, since it cannot hear more.
  const { launcher } = draft.change(id, { parent: undefined });
  draft.change(id, { launcher: undefined });
  if (launcher !== undefined) draft.push({ do: 'launched', id: launcher });
  draft.push({ do: 'childLeft', id: parent });
  draft.push({ do: 'proceed', id: parent });
}

/** The task queue on which its calls run: its own, or the nearest further out. */
export function hostOf(draft: Draft, id: number): string | undefined {
  return inherited(draft, id, 'host') as string | undefined;
}

/** For how long its host may leave a call unanswered, in milliseconds. */
export function reachOf(draft: Draft, id: number): number | undefined {
  return inherited(draft, id, 'reachWithin') as number | undefined;
}

/** An attribute of the component, or of the nearest one further out that has it. @throws ReferenceFailed, AttributeWrong */
function inherited(draft: Draft, id: number, name: string): unknown {
  for (let at = draft.find(id); at; at = at.parent === undefined ? undefined : draft.find(at.parent)) {
    if (attributeOf(draft, at.id, name) !== undefined) return readAttribute(draft, at.id, name);
  }
  return undefined;
}
