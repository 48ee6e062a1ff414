import type { Description, Json, Value } from '../description/description.js';
import type { Effect } from './effect.js';
import type { Kind, Kinds } from './kind.js';
import { tabulate } from './table.js';
import type { Task } from './task.js';
import type { Component, End, TableDescription, Tree } from './tree.js';

/** A tree while a step changes it. Records are replaced, never changed, so the tree before the step stays as it was. */
export class Draft {
  readonly kinds: Kinds;
  readonly effects: Effect[] = [];
  readonly agenda: Task[];
  readonly run: string;
  readonly root: number;
  now: number;
  readonly #components: Record<number, Component>;
  readonly #descriptions: TableDescription[];
  #deployed: Readonly<Record<string, number>>;
  #next: number;

  constructor(kinds: Kinds, tree: Tree) {
    this.kinds = kinds;
    this.run = tree.run;
    this.root = tree.root;
    this.now = tree.now;
    this.agenda = [...tree.agenda];
    this.#components = { ...tree.components };
    this.#descriptions = [...tree.descriptions];
    this.#deployed = tree.deployed;
    this.#next = tree.next;
  }

  /** The tree as the step leaves it. The step is over by that: both have the same data. */
  get tree(): Tree {
    return {
      run: this.run,
      now: this.now,
      next: this.#next,
      root: this.root,
      descriptions: this.#descriptions,
      deployed: this.#deployed,
      components: this.#components,
      agenda: this.agenda,
    };
  }

  /** A number that no component and no handler of this tree has had. */
  number(): number {
    return this.#next++;
  }

  find(id: number): Component | undefined {
    return this.#components[id];
  }

  get(id: number): Component {
    const component = this.#components[id];
    if (!component) throw new RangeError(`Component ${id} of ${this.run} is gone. Look for it with find().`);
    return component;
  }

  get all(): readonly Component[] {
    return Object.values(this.#components);
  }

  put(component: Component): void {
    this.#components[component.id] = component;
  }

  /** Members that are given as `undefined` are left out. */
  change(id: number, patch: Partial<Component>): Component {
    const changed: Record<string, unknown> = { ...this.get(id), ...patch };
    for (const name of Object.keys(patch)) if (changed[name] === undefined) delete changed[name];
    const component = changed as unknown as Component;
    this.#components[id] = component;
    return component;
  }

  /** Removes a component and all below it. */
  remove(id: number): void {
    const component = this.#components[id];
    if (!component) return;
    for (const child of component.children) this.remove(child);
    delete this.#components[id];
    const parent = component.parent === undefined ? undefined : this.find(component.parent);
    if (parent) this.change(parent.id, { children: parent.children.filter((child) => child !== id) });
  }

  push(task: Task): void {
    this.agenda.push(task);
  }

  description(id: number): TableDescription {
    return this.#descriptions[this.get(id).description]!;
  }

  described(template: number): TableDescription {
    return this.#descriptions[template]!;
  }

  kind(id: number): Kind {
    return this.kindOf(this.get(id).description);
  }

  kindOf(template: number): Kind {
    const name = this.#descriptions[template]?.kind ?? '';
    const kind = this.kinds.get(name);
    if (!kind) throw new RangeError(`No kind '${name}' is known. Name its component to kindsOf().`);
    return kind;
  }

  /** The number of what a component of this description deploys. It is asked once. */
  deploys(template: number): number | undefined {
    const known = this.#deployed[template];
    if (known !== undefined) return known;
    const kind = this.kindOf(template);
    if (!kind.deploys) return undefined;
    const number = tabulate(this.#descriptions, kind.deploys(), this.#descriptions[template]!.children);
    this.#deployed = { ...this.#deployed, [template]: number };
    return number;
  }

  /** A value as the tree keeps it: descriptions in it become entries of the table. */
  kept(value: Value): Value {
    return tabulate.value(this.#descriptions, value);
  }

  tabulate(description: Description): number {
    return tabulate(this.#descriptions, description);
  }

  setAttribute(id: number, name: string, value: Value | undefined): void {
    const { [name]: _, ...others } = this.get(id).attributes ?? this.description(id).attributes;
    this.change(id, { attributes: value === undefined ? others : { ...others, [name]: this.kept(value) } });
  }

  /** Notes for people what happened. */
  record(id: number, what: { readonly end?: End; readonly message?: string } = {}): void {
    const { phase } = this.get(id);
    const note = 'message' in what ? what : { phase, ...what };
    this.effects.push({
      kind: 'record',
      at: this.now,
      component: this.path(id),
      id,
      of: this.description(id).kind,
      ...note,
    });
  }

  /** The path from the root on; the root's is ''. One that was detached begins with its own name and number. */
  path(id: number): string {
    const component = this.get(id);
    if (id === this.root) return '';
    if (component.parent === undefined) return `${component.name}~${id}`;
    const above = this.path(component.parent);
    return above === '' ? component.name : `${above}/${component.name}`;
  }

  /** What others know the component by: its run, path and incarnation. */
  key(id: number): string {
    const path = this.path(id);
    return `${this.run}${path === '' ? '' : '/'}${path}#${id}`;
  }

  local(id: number): Json | undefined {
    return this.get(id).local;
  }
}
