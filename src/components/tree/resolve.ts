/*
 * References, resolved whenever they are used. W-6
 */
import type { Json, Value } from '../description/description.js';
import { isTemplate } from '../description/fields.js';
import { isConcatenation, isReference, routeOf } from '../description/reference.js';
import type { Draft } from './draft.js';
import { givenOrDefault, type Target } from './kind.js';
import type { Component } from './tree.js';

/** A reference leads nowhere now. */
export class ReferenceFailed extends Error {
  override readonly name = 'ReferenceFailed';
  readonly code = 'reference_failed';
}

/** An attribute has a value that its schema does not take. */
export class AttributeWrong extends Error {
  override readonly name = 'AttributeWrong';
  readonly code = 'attribute_wrong';
}

/** How many references may lead to each other before they count as a circle. */
const DEPTH = 50;

/** The value with all its references resolved. Descriptions stay what they are. @throws ReferenceFailed */
export function resolve(draft: Draft, id: number, value: Value, depth = 0): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Value) => resolve(draft, id, each, depth));
  if (isTemplate(value)) return value as unknown as Json;
  if (isConcatenation(value)) return value.$concat.map((each) => text(resolve(draft, id, each, depth))).join('');
  if (isReference(value)) return valueAt(draft, id, value.$ref, depth + 1);
  const members = Object.entries(value as Readonly<Record<string, Value>>);
  return Object.fromEntries(members.map(([name, member]) => [name, resolve(draft, id, member, depth)]));
}

function text(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The component that a reference names. @throws ReferenceFailed */
export function componentAt(draft: Draft, id: number, path: string): Target {
  const { start, names, outside } = begin(draft, id, path);
  if (outside !== undefined) return { path: outside };
  let component = start;
  for (const name of names) {
    const child = childNamed(draft, component, name);
    if (!child) throw nowhere(draft, id, path, `${show(draft, component)} has no '${name}' now`);
    component = child;
  }
  return { id: component.id };
}

function valueAt(draft: Draft, id: number, path: string, depth: number): Json {
  if (depth > DEPTH) throw nowhere(draft, id, path, 'it leads back to itself');
  const { start, names, outside } = begin(draft, id, path);
  if (outside !== undefined) throw nowhere(draft, id, path, 'values of other deployments cannot be read from here');
  let component = start;
  for (const [index, name] of names.entries()) {
    const child = index < names.length - 1 ? childNamed(draft, component, name) : undefined;
    if (child) {
      component = child;
      continue;
    }
    const through = deployedBy(draft, component);
    const held = attributeOf(draft, component.id, name) ?? (through && attributeOf(draft, through.id, name));
    if (held === undefined) {
      const known = childNamed(draft, component, name) ? `is a component, not a value` : 'is not there now';
      throw nowhere(draft, id, path, `'${name}' of ${show(draft, component)} ${known}`);
    }
    return member(resolve(draft, component.id, held, depth), names.slice(index + 1), () =>
      nowhere(draft, id, path, `'${name}' of ${show(draft, component)} has no such member`),
    );
  }
  throw nowhere(draft, id, path, `${show(draft, component)} is a component, not a value`);
}

function member(value: Json, names: readonly string[], fail: () => Error): Json {
  let at = value;
  for (const name of names) {
    if (typeof at !== 'object' || at === null || isTemplate(at) || !Object.hasOwn(at, name)) throw fail();
    at = (at as Readonly<Record<string, Json>>)[name]!;
  }
  return at;
}

interface Beginning {
  readonly start: Component;
  readonly names: readonly string[];
  /** The path, when it leads to another tree. */
  readonly outside?: string;
}

/** Where the way down begins. The first name is looked for further and further out. */
function begin(draft: Draft, id: number, path: string): Beginning {
  const route = routeOf(path);
  if (!route) throw nowhere(draft, id, path, 'it is not a path');
  if (route.absolute) {
    const own = draft.run.split('/');
    const inside = own.every((part, index) => route.names[index] === part);
    const names = inside ? route.names.slice(own.length) : [];
    return { start: draft.get(draft.root), names, ...(!inside && { outside: path }) };
  }
  if (route.fromRoot) return { start: draft.get(draft.root), names: route.names };
  let start = draft.get(id);
  for (let up = 0; up < route.up; up++) start = parentOf(draft, start, id, path);
  const [first] = route.names;
  if (first === undefined || route.strict) return { start, names: route.names };
  for (let level = start; ; level = parentOf(draft, level, id, path)) {
    if (childNamed(draft, level, first) || attributeOf(draft, level.id, first) !== undefined) {
      return { start: level, names: route.names };
    }
  }
}

/** Upward to a component that has ended leads nowhere. W-6 */
function parentOf(draft: Draft, component: Component, id: number, path: string): Component {
  const parent = component.parent === undefined ? undefined : draft.find(component.parent);
  if (!parent) throw nowhere(draft, id, path, `nothing of that name is found up to ${show(draft, component)}`);
  if (parent.phase === 'ended') throw nowhere(draft, id, path, `${show(draft, parent)} has ended`);
  return parent;
}

/** The newest child of this name. What a component deploys is found through it. */
export function childNamed(draft: Draft, component: Component, name: string): Component | undefined {
  const children = component.children.map((child) => draft.get(child));
  const found = children.findLast((child) => child.name === name);
  const through = deployedBy(draft, component);
  return found ?? (through && childNamed(draft, through, name));
}

function deployedBy(draft: Draft, component: Component): Component | undefined {
  if (!draft.kind(component.id).deploys) return undefined;
  return component.children.map((child) => draft.get(child)).findLast(({ name }) => name === 'running');
}

/** The attribute as it was given or set, else its default. */
export function attributeOf(draft: Draft, id: number, name: string): Value | undefined {
  const given = draft.get(id).attributes ?? draft.description(id).attributes;
  return givenOrDefault(draft.kind(id), given, name);
}

function show(draft: Draft, { id }: Component): string {
  const path = draft.path(id);
  return path === '' ? draft.run : path;
}

function nowhere(draft: Draft, id: number, path: string, why: string): ReferenceFailed {
  return new ReferenceFailed(`ref('${path}') of ${show(draft, draft.get(id))} leads nowhere: ${why}.`);
}
