import type { Description, Json, Value } from '../description/description.js';
import type { Effect } from './effect.js';
import type { Kind, Kinds } from './kind.js';
import { tabulate } from './table.js';
import type { Task } from './task.js';
import type { Component, End, TableDescription, Tree } from './tree.js';

/**
 * A tree while steps change it. Records are replaced, never changed, so a tree that was read stays as it was. The table of records is
 * copied only when it changes after it was read: a tree may have thousands of them, and take thousands of steps before it is read.
 */
export class Draft {
  readonly kinds: Kinds;
  readonly agenda: Task[];
  readonly run: string;
  readonly root: number;
  now: number;
  /** Those without a parent, but for the root. */
  readonly detached: Set<number>;
  effects: Effect[] = [];
  #components: Record<number, Component>;
  #descriptions: TableDescription[];
  /** Is true while the tables belong to a tree that was read. */
  #isRead = true;
  #deployed: Readonly<Record<string, number>>;
  #next: number;

  constructor(kinds: Kinds, tree: Tree) {
    this.kinds = kinds;
    this.run = tree.run;
    this.root = tree.root;
    this.now = tree.now;
    this.agenda = [...tree.agenda];
    this.#components = tree.components;
    this.#descriptions = tree.descriptions as TableDescription[];
    this.#deployed = tree.deployed;
    this.#next = tree.next;
    this.detached = new Set(this.all.flatMap(({ id, parent }) => (parent === undefined && id !== tree.root ? id : [])));
  }

  /** The tree as it is now. Later steps do not change it. */
  get tree(): Tree {
    this.#isRead = true;
    return {
      run: this.run,
      now: this.now,
      next: this.#next,
      root: this.root,
      descriptions: this.#descriptions,
      deployed: this.#deployed,
      components: this.#components,
      agenda: [...this.agenda],
    };
  }

  /** Gives the effects of the last step, once. */
  takeEffects(): readonly Effect[] {
    const { effects } = this;
    this.effects = [];
    return effects;
  }

  /** Lets the tables be changed. */
  #write(): void {
    if (!this.#isRead) return;
    this.#isRead = false;
    this.#components = { ...this.#components };
    this.#descriptions = [...this.#descriptions];
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
    this.#write();
    const { id, parent } = component;
    this.#components[id] = component;
    if (parent === undefined && id !== this.root) this.detached.add(id);
    else this.detached.delete(id);
  }

  /** Members that are given as `undefined` are left out. */
  change(id: number, patch: Partial<Component>): Component {
    const changed: Record<string, unknown> = { ...this.get(id), ...patch };
    for (const name of Object.keys(patch)) if (changed[name] === undefined) delete changed[name];
    const component = changed as unknown as Component;
    this.put(component);
    return component;
  }

  /** Removes a component and all below it. */
  remove(id: number): void {
    const component = this.#components[id];
    if (!component) return;
    for (const child of component.children) this.remove(child);
    this.#write();
    delete this.#components[id];
    this.detached.delete(id);
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
    this.#write();
    const number = tabulate(this.#descriptions, kind.deploys(), this.#descriptions[template]!.children);
    this.#deployed = { ...this.#deployed, [template]: number };
    return number;
  }

  /** A value as the tree keeps it: descriptions in it become entries of the table. */
  kept(value: Value): Value {
    this.#write();
    return tabulate.value(this.#descriptions, value);
  }

  tabulate(description: Description): number {
    this.#write();
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

  /** Gives what others know the component by: its run, path and incarnation. */
  key(id: number): string {
    const path = this.path(id);
    return `${this.run}${path === '' ? '' : '/'}${path}#${id}`;
  }

  local(id: number): Json | undefined {
    return this.get(id).local;
  }
}
