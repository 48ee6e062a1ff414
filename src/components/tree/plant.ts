import type { Description, Json, Value } from '../description/description.js';
import { isTemplate } from '../description/fields.js';
import { create } from './create.js';
import { Draft } from './draft.js';
import type { Effect } from './effect.js';
import type { Kinds } from './kind.js';
import type { PendingCall, TableDescription, Tree } from './tree.js';

/** Describes what a tree begins with. */
export interface Planting {
  /** Names it in keys and absolute references, `deployment/shop`. Another run of the same name needs another one, or its life in it. */
  readonly run: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly description: Description;
}

/** A tree that has yet to be deployed, by the input `deploy`. The description is one that `checkComponents` has no objection to. */
export function plant(kinds: Kinds, { run, at, description }: Planting): Tree {
  const empty: Tree = {
    run,
    now: at,
    next: 1,
    root: 1,
    descriptions: [],
    deployed: {},
    components: {},
    agenda: [],
  };
  const draft = new Draft(kinds, empty);
  create(draft, undefined, run.split('/').at(-1)!, draft.tabulate(description));
  return draft.tree;
}

/** The activity of the pending call that stands for a deployment under way. */
export const DEPLOY = 'deploy';

/** The workflow of the deployment that a pending call stands for. */
export function launchedRun(input: Json): string {
  return `deployment/${(input as { readonly name: string }).name}`;
}

/** The deployment of a tree of its own, somebody waiting to hear whether it came up. */
export function deployment(draft: Draft, { key, input, host }: PendingCall): Effect {
  const { template } = input as { readonly template: number };
  const description = descriptionAt(draft.tree.descriptions, template);
  const tree = plant(draft.kinds, { run: launchedRun(input), at: draft.now, description });
  return { kind: 'deploy', key, tree, ...(host !== undefined && { host }) };
}

/** A description as it was before it came into a table. */
export function descriptionAt(table: readonly TableDescription[], number: number): Description {
  const { kind, attributes, children } = table[number]!;
  return {
    kind,
    attributes: untabled(table, attributes) as Readonly<Record<string, Value>>,
    children: children.map(([name, child]) => [name, descriptionAt(table, child)] as const),
  };
}

function untabled(table: readonly TableDescription[], value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isTemplate(value)) return descriptionAt(table, value.$description);
  if (Array.isArray(value)) return value.map((each: Value) => untabled(table, each));
  const members = Object.entries(value as Readonly<Record<string, Value>>);
  return Object.fromEntries(members.map(([name, member]) => [name, untabled(table, member)]));
}
