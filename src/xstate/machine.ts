import { z } from 'zod';

/*
 * A machine of XState as JSON: the config of `createMachine`, of version 4 (`cond`, the event '') or 5 (`guard`, `always`). Functions are no
 * JSON: a guard or action that was one is missing, or null in a list. `JSON.stringify(machine)` gives something else, the definition, which
 * has no `always` in version 5. Source: `types.ts` and `machine.schema.json` of packages/core in statelyai/xstate.
 */

export interface Transition {
  readonly targets: readonly string[];
  readonly guard?: string;
  readonly actions: readonly string[];
  readonly description?: string;
  /** The event of a delayed transition, if the machine names it. */
  readonly raise?: string;
}

export interface Invocation {
  readonly src: string;
  readonly onDone: readonly Transition[];
  readonly onError: readonly Transition[];
}

export interface StateNode {
  readonly key: string;
  readonly path: readonly string[];
  readonly id: string;
  readonly parent?: StateNode;
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly states: readonly StateNode[];
  readonly initial?: string;
  readonly on: readonly (readonly [event: string, transitions: readonly Transition[]])[];
  readonly always: readonly Transition[];
  readonly after: readonly (readonly [delay: string, transitions: readonly Transition[]])[];
  readonly onDone: readonly Transition[];
  readonly invoke: readonly Invocation[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  readonly tags: readonly string[];
  readonly description?: string;
}

export interface Machine {
  readonly root: StateNode;
  readonly context: Readonly<Record<string, unknown>>;
}

const list = <T extends z.ZodType>(member: T) =>
  z.preprocess((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]), z.array(member));
/** The name of an action, guard or service. */
const named = z.union([
  z.string(),
  z
    .looseObject({ type: z.string().optional(), name: z.string().optional(), id: z.string().optional() })
    .transform(({ type, name, id }) => name ?? type ?? id ?? 'a function'),
  z.null().transform(() => 'a function'),
]);
const transition = z.preprocess(
  (value) => (typeof value === 'string' ? { target: value } : (value ?? {})),
  z.looseObject({
    target: list(z.string()),
    guard: named.optional(),
    cond: named.optional(),
    actions: list(named),
    description: z.string().optional(),
    delay: z.union([z.string(), z.number()]).optional(),
    meta: z.unknown().optional(),
  }),
);
const transitions = list(transition);
const initial = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && 'target' in value ? [value.target].flat()[0] : value),
  z.string().optional(),
);
const node = z.looseObject({
  id: z.string().optional(),
  type: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']).optional(),
  initial,
  target: z.string().optional(),
  parallel: z.unknown().optional(),
  history: z.unknown().optional(),
  get states() {
    return z.record(z.string(), node).optional();
  },
  on: z.record(z.string(), transitions).optional(),
  always: transitions,
  after: z.union([z.record(z.string(), transitions), z.array(transition)]).optional(),
  onDone: transitions,
  invoke: list(z.looseObject({ src: named.optional(), onDone: transitions, onError: transitions })),
  entry: list(named),
  exit: list(named),
  tags: list(z.string()),
  description: z.string().optional(),
  context: z.unknown().optional(),
});
type RawNode = z.output<typeof node>;
type RawTransition = z.output<typeof transition>;

/** Reads a machine, or shows why it is none. */
export function readMachine(json: unknown): Machine | { readonly problem: string } {
  const parsed = node.safeParse(json);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
    return { problem: `${path.join('.') || 'the document'}: ${message}` };
  }
  const { id = '', context, states = {} } = parsed.data;
  if ('key' in parsed.data && 'transitions' in parsed.data) {
    return { problem: 'it is a definition, which may lack transitions. Write JSON.stringify(machine.config)' };
  }
  if (Object.keys(states).length === 0) return { problem: "it has no 'states'" };
  const root = nodeOf(parsed.data, id, undefined);
  if (leavesOf(root).length === 0) return { problem: 'it has no state in which it can be' };
  if (root.type === 'parallel' && root.states.every((region) => leavesOf(region).length === 0)) {
    return { problem: 'it is parallel, and none of its regions has states' };
  }
  return { root, context: z.record(z.string(), z.unknown()).catch({}).parse(context) };
}

function nodeOf(raw: RawNode, key: string, parent: StateNode | undefined): StateNode {
  const path = parent ? [...parent.path, key] : [];
  const root = parent && lineOf(parent).at(-1)!;
  const { '': always = [], ...on } = raw.on ?? {};
  const after = Array.isArray(raw.after)
    ? raw.after.map((each) => [String(each.delay), [each]] as const)
    : Object.entries(raw.after ?? {});
  const initial = raw.initial ?? raw.target;
  const states: StateNode[] = [];
  const made: StateNode = {
    ...{ key, path, states },
    id: raw.id ?? (root ? `${root.id}.${path.join('.')}` : key),
    ...(parent && { parent }),
    type: typeOf(raw),
    ...(initial !== undefined && { initial }),
    on: Object.entries(on).map(([event, each]) => [event, each.map(transitionOf)]),
    always: [...raw.always, ...always].map(transitionOf),
    after: after.map(([delay, each]) => [delay, each.map(transitionOf)]),
    onDone: raw.onDone.map(transitionOf),
    invoke: raw.invoke.map(({ src = 'a function', onDone, onError }) => ({
      ...{ src, onDone: onDone.map(transitionOf), onError: onError.map(transitionOf) },
    })),
    ...{ entry: raw.entry, exit: raw.exit, tags: raw.tags },
    ...(raw.description !== undefined && { description: raw.description }),
  };
  for (const [name, child] of Object.entries(raw.states ?? {})) states.push(nodeOf(child, name, made));
  return made;
}

/** The type of a state node. Version 4 also has `parallel: true`, and `history` without a type. */
function typeOf({ type, states = {}, parallel, history }: RawNode): StateNode['type'] {
  if (Object.keys(states).length > 0) return type === 'parallel' || parallel ? 'parallel' : 'compound';
  if (type === 'final') return type;
  return type === 'history' || history ? 'history' : 'atomic';
}

function transitionOf({ target, guard, cond, actions, description, meta }: RawTransition): Transition {
  const raise = z.object({ raise: z.string() }).safeParse(meta).data?.raise;
  const condition = guard ?? cond;
  return {
    ...{ targets: target, actions },
    ...(condition !== undefined && { guard: condition }),
    ...(description !== undefined && { description }),
    ...(raise !== undefined && { raise }),
  };
}

/** The state nodes from this one up to the root. */
export function lineOf(node: StateNode): readonly StateNode[] {
  return node.parent ? [node, ...lineOf(node.parent)] : [node];
}

/** The leaves in their order; a parallel state is one. */
export function leavesOf(node: StateNode): readonly StateNode[] {
  const states = node.states.filter(({ type }) => type !== 'history');
  return states.flatMap((child) => (child.type === 'compound' ? leavesOf(child) : [child]));
}
