import { z } from 'zod';

/*
 * A machine of XState as JSON: the config of `createMachine`, of version 4 (`cond`, the event '') or 5 (`guard`, `always`). Functions are no
 * JSON: a guard or action that was one is missing, or null in a list. `JSON.stringify(machine)` gives something else, the definition, which
 * has no `always` in version 5. Source: `types.ts` and `machine.schema.json` of packages/core in statelyai/xstate.
 */

const list = <T extends z.ZodType>(member: T) =>
  z.preprocess((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]), z.array(member));
/** The name of an action, guard or service. */
const named = z.union([
  z.string(),
  z
    .object({ type: z.string().optional(), name: z.string().optional() })
    .transform(({ type, name }) => name ?? type ?? 'a function'),
  z.null().transform(() => 'a function'),
]);
const transition = z.preprocess(
  (value) => (typeof value === 'string' ? { target: value } : (value ?? {})),
  z
    .object({
      target: list(z.string()),
      guard: named.optional(),
      cond: named.optional(),
      actions: list(named),
      description: z.string().optional(),
      /** The event of a delayed transition, in machines that Reeve wrote. */
      meta: z.object({ raise: z.string() }).optional().catch(undefined),
    })
    .transform(({ cond, guard = cond, ...rest }) => ({ ...rest, guard })),
);
const transitions = list(transition);
const node = z.object({
  id: z.string().optional(),
  type: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']).optional(),
  initial: z.preprocess(
    (value) => (typeof value === 'object' && value !== null && 'target' in value ? [value.target].flat()[0] : value),
    z.string().optional(),
  ),
  target: z.string().optional(),
  parallel: z.unknown().optional(),
  history: z.unknown().optional(),
  get states() {
    return z.record(z.string(), node).optional();
  },
  on: z.record(z.string(), transitions).default({}),
  always: transitions,
  after: z.record(z.string(), transitions).default({}),
  onDone: transitions,
  invoke: list(z.object({ src: named.default('a function'), onDone: transitions, onError: transitions })),
  entry: list(named),
  exit: list(named),
  tags: list(z.string()),
  description: z.string().optional(),
});
type RawNode = z.output<typeof node>;

export type Transition = z.output<typeof transition>;
export type Invocation = RawNode['invoke'][number];

export interface StateNode extends Omit<RawNode, 'states' | 'type'> {
  readonly key: string;
  readonly path: readonly string[];
  readonly parent: StateNode | undefined;
  readonly type: NonNullable<RawNode['type']>;
  readonly states: readonly StateNode[];
}

export interface Machine {
  readonly root: StateNode;
  readonly context: Readonly<Record<string, unknown>>;
}

/** Reads a machine, or shows why it is none. */
export function readMachine(json: unknown): Machine | { readonly problem: string } {
  const parsed = node.extend({ context: z.record(z.string(), z.unknown()).catch({}) }).safeParse(json);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
    return { problem: `${path.join('.') || 'the document'}: ${message}` };
  }
  const { context, ...raw } = parsed.data;
  if ('key' in (json as object) && 'transitions' in (json as object)) {
    return { problem: 'it is a definition, which may lack transitions. Write JSON.stringify(machine.config)' };
  }
  if (Object.keys(raw.states ?? {}).length === 0) return { problem: "it has no 'states'" };
  const root = nodeOf(raw, raw.id ?? '');
  return leavesOf(root).length === 0 ? { problem: 'it has no state in which it can be' } : { root, context };
}

function nodeOf(raw: RawNode, key: string, parent?: StateNode): StateNode {
  const { '': always = [], ...on } = raw.on;
  const states: StateNode[] = [];
  const made: StateNode = {
    ...raw,
    ...{ key, parent, states, on, type: typeOf(raw) },
    path: parent ? [...parent.path, key] : [],
    initial: raw.initial ?? raw.target,
    always: [...raw.always, ...always],
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

/** The state nodes from this one up to the root. */
export function lineOf(node: StateNode): readonly StateNode[] {
  return node.parent ? [node, ...lineOf(node.parent)] : [node];
}

/** The leaves in their order; a parallel state is one. */
export function leavesOf(node: StateNode): readonly StateNode[] {
  if (node.type === 'parallel') return [node];
  return node.states.flatMap((child) =>
    child.type === 'compound' ? leavesOf(child) : child.type === 'history' ? [] : [child],
  );
}
