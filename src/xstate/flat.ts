import type { DeclarationProblem } from '../definition/declaration-error.js';
import { leavesOf, lineOf, type Invocation, type StateNode, type Transition } from './machine.js';
import { eventName, small, stateName, unique } from './names.js';
import type { Branch, Ways } from './skeleton.js';
import { entered, isWithin, targetNode, type Arrow } from './targets.js';

type Moves = readonly (readonly [event: string, branches: readonly Branch[]])[];

/** A state without states below it. */
export interface FlatState {
  readonly name: string;
  readonly node: StateNode;
  readonly moves: Moves;
  readonly automatic?: Automatic | undefined;
}

/** The action that leaves a state by itself. */
interface Automatic extends Ways {
  readonly name: string;
}

/** A delayed transition: it raises an event of its own. */
interface Timer {
  readonly event: string;
  readonly delay: string;
  readonly node: StateNode;
  readonly transitions: readonly Transition[];
}

export interface FlatMachine {
  readonly initial: string;
  readonly states: readonly FlatState[];
  readonly timers: readonly { readonly event: string; readonly delay: string; readonly in: readonly string[] }[];
  /** The regions of parallel states: each is a machine of its own. */
  readonly regions: readonly StateNode[];
  readonly remarks: readonly DeclarationProblem[];
}

/** Flattens the states below a root: names are joined, and what a state inherits becomes its own. */
export function flatten(root: StateNode): FlatMachine {
  return new Region(root).flat();
}

class Region {
  private readonly remarks = new Map<string, DeclarationProblem>();
  private readonly leaves: readonly StateNode[];
  private readonly names: ReadonlyMap<StateNode, string>;
  /** The states that decide whether a state is left at once, where it can stay if no guard holds. */
  private readonly checks: ReadonlyMap<StateNode, string>;
  private readonly events = new Map<string, string>();
  private readonly takenEvents = new Set<string>();
  private readonly timers: readonly Timer[];

  constructor(private readonly root: StateNode) {
    const taken = new Set<string>();
    this.leaves = leavesOf(root);
    this.names = new Map(
      this.leaves.map((leaf) => [leaf, unique(stateName(leaf.path.slice(root.path.length)), taken)]),
    );
    const waits = (node: StateNode) => this.handled(node).length > 0 || Object.keys(node.after).length > 0;
    const staying = this.leaves.filter(
      (leaf) => this.always(leaf).at(-1)?.guard !== undefined && this.lineOf(leaf).some(waits),
    );
    this.checks = new Map(staying.map((leaf) => [leaf, unique(`${this.names.get(leaf)!}_check`, taken)]));
    this.timers = [...new Set(this.leaves.flatMap((leaf) => this.lineOf(leaf)))].flatMap((node) =>
      Object.entries(node.after).map(([delay, transitions]): Timer => {
        const named = transitions[0]?.meta?.raise;
        const own = () => small([...node.path.slice(root.path.length), 'timeout'].join(' '));
        const event = named === undefined ? unique(own(), this.takenEvents) : this.eventOf(named);
        return { event, delay, node, transitions };
      }),
    );
  }

  flat(): FlatMachine {
    const states = this.leaves.flatMap((leaf) => this.statesOf(leaf));
    const parallel = this.leaves.filter(({ type }) => type === 'parallel');
    for (const node of parallel) {
      const remedy =
        'Each region is an entity of its own here. Create them when the state is entered, and wait for them with a subscription.';
      this.remark(node, `is parallel: ${node.states.map(({ key }) => key).join(', ')}`, remedy);
    }
    const first = entered(this.root, this.root) ?? this.leaves[0]!;
    if (this.lineOf(first).some(({ entry }) => entry.length > 0)) {
      const remedy = 'An entity begins without an action. Run them in its first event.';
      this.remark(first, 'is the initial state and has entry actions', remedy);
    }
    return {
      initial: this.entryOf(first),
      states,
      timers: this.timers.map(({ event, delay, node }) => ({
        ...{ event, delay },
        in: states.filter((state) => isWithin(state.node, node)).map(({ name }) => name),
      })),
      regions: parallel.flatMap((node) => node.states.filter((region) => leavesOf(region).length > 0)),
      remarks: [...this.remarks.values()],
    };
  }

  private remark(node: StateNode, problem: string, remedy: string): void {
    const place = node.path.join('.') || 'the machine';
    this.remarks.set(`${place} ${problem}`, { place, problem, remedy });
  }

  private eventOf(event: string): string {
    const name = this.events.get(event) ?? unique(eventName(event), this.takenEvents);
    this.events.set(event, name);
    return name;
  }

  /** The state in which the machine is when it enters a leaf. */
  private entryOf(leaf: StateNode): string {
    return this.checks.get(leaf) ?? this.names.get(leaf)!;
  }

  /** The state nodes from a leaf up to the root of the region. */
  private lineOf(leaf: StateNode): readonly StateNode[] {
    return lineOf(leaf).filter((each) => isWithin(each, this.root));
  }

  private always(leaf: StateNode): readonly Arrow[] {
    return this.lineOf(leaf)
      .flatMap((node) => from(node, node.always))
      .filter((arrow) => this.leafOf(arrow) !== undefined);
  }

  private statesOf(leaf: StateNode): readonly FlatState[] {
    const name = this.names.get(leaf)!;
    const check = this.checks.get(leaf);
    const timed = this.timers
      .filter(({ node }) => isWithin(leaf, node))
      .map(({ event, node, transitions }) => [event, this.branches(leaf, from(node, transitions))] as const)
      .filter(([, branches]) => branches.length > 0);
    const isEnd = leaf.type === 'final' && leaf.parent === this.root;
    const moves = [...new Map([...timed, ...(isEnd ? [] : this.moves(leaf))])];
    const automatic = this.automatic(leaf);
    if (check === undefined) return [{ name, node: leaf, moves, automatic }];
    const decides = { ...automatic!, branches: [...automatic!.branches, { to: name, runs: [] }] };
    // An event that stays may be the one for which a guard waits.
    const again = moves.map(([event, each]) => [event, each.map((branch) => ({ to: check, ...branch }))] as const);
    return [
      { name: check, node: leaf, moves: timed, automatic: decides },
      { name, node: leaf, moves: again },
    ];
  }

  /** A state is left by itself after a guard, at the end of its service, or as the last part of what has an end. */
  private automatic(leaf: StateNode): Automatic | undefined {
    const always = this.always(leaf);
    const service = serviceOf(leaf);
    const end = leaf.type === 'final' && leaf.parent !== this.root ? leaf.parent : undefined;
    const done = service ? from(leaf, service.onDone) : end ? from(end, end.onDone) : [];
    const branches = this.branches(leaf, always.length > 0 ? always : done).filter(({ to }) => to !== undefined);
    if (branches.length === 0) return undefined;
    const own = `${end && always.length === 0 ? 'finish' : 'leave'} ${this.names.get(leaf)!}`;
    const onError = this.branches(leaf, from(leaf, service?.onError ?? []));
    return { name: service?.src ?? own, service: service?.src, branches, onError };
  }

  /** The ways of each event in a leaf. Its own come first, and those above it follow if a guard may not hold. */
  private moves(leaf: StateNode): Moves {
    const found = new Map<string, readonly Arrow[]>();
    for (const [event, arrows] of this.lineOf(leaf).flatMap((node) => this.handled(node))) {
      const before = found.get(event) ?? [];
      const isClosed = found.has(event) && before.at(-1)?.guard === undefined;
      if (!isClosed) found.set(event, [...before, ...arrows]);
    }
    return [...found].flatMap(([event, arrows]) => {
      if (event.includes('*'))
        this.remark(leaf, `takes any event, '${event}'`, 'Declare the events for which it stands.');
      const branches = this.branches(leaf, arrows);
      return branches.length === 0 ? [] : [[this.eventOf(event), branches] as const];
    });
  }

  /** The events that a state node handles itself. The end of what it runs is an event if the state does not end with it. */
  private handled(node: StateNode): readonly (readonly [event: string, arrows: readonly Arrow[]])[] {
    const found = new Map<string, readonly Transition[]>(Object.entries(node.on));
    const add = (event: string, ways: readonly Transition[]) => ways.length > 0 && found.set(event, ways);
    for (const each of node.invoke) {
      if (each === serviceOf(node)) continue;
      const remedy = 'Call a resource in the action that enters the state, or let the state deploy components.';
      this.remark(node, `'${each.src}' runs while the state lasts`, remedy);
      add(`${each.src}.done`, each.onDone);
      add(`${each.src}.failed`, each.onError);
    }
    if (node.type === 'parallel') add(`${node.key}.done`, node.onDone);
    return [...found].map(([event, ways]) => [event, from(node, ways)]);
  }

  private branches(leaf: StateNode, arrows: readonly Arrow[]): readonly Branch[] {
    return arrows.flatMap((arrow, index): readonly Branch[] => {
      const to = this.leafOf(arrow);
      if (!to && arrow.target.length > 0) return [];
      const left = to ? lineOf(leaf).filter((each) => !isWithin(to, each)) : [];
      const reached = to ? lineOf(to).filter((each) => !isWithin(leaf, each)) : [];
      // A guard that was a function is no JSON.
      const guard = arrow.guard ?? (index < arrows.length - 1 ? 'a function' : undefined);
      return [
        {
          ...(to && { to: this.entryOf(to) }),
          ...(guard !== undefined && { guard }),
          runs: [
            ...left.flatMap(({ exit }) => exit),
            ...arrow.actions,
            ...reached.toReversed().flatMap(({ entry }) => entry),
          ],
          ...(arrow.description !== undefined && { description: arrow.description }),
        },
      ];
    });
  }

  /** The leaf that an arrow enters; nothing where it enters none of the region. */
  private leafOf({ source, target: [target, ...others] }: Arrow): StateNode | undefined {
    if (target === undefined) return undefined;
    if (others.length > 0) this.remark(source, 'enters several states at once', `Only '${target}' is kept.`);
    const node = targetNode(source, target);
    if (!node) {
      this.remark(source, `leads to '${target}', which does not exist`, 'Correct the machine, or add the state.');
      return undefined;
    }
    if (!isWithin(node, this.root)) {
      const remedy = 'Declare the event for the parallel state, and raise it on that entity.';
      this.remark(source, `leaves its region for '${target}'`, remedy);
      return undefined;
    }
    if (node.type === 'history') {
      this.remark(node, 'is a history state', 'It leads to the initial state here. Keep the last state in a property.');
    }
    return entered(node, this.root);
  }
}

function from(source: StateNode, transitions: readonly Transition[]): readonly Arrow[] {
  return transitions.map((each) => ({ ...each, source }));
}

/** The service with which a state ends; nothing where the state outlasts its services. */
function serviceOf(node: StateNode): Invocation | undefined {
  if (node.type !== 'atomic' || node.always.some(({ target }) => target.length > 0)) return undefined;
  return node.invoke.find(({ onDone }) => onDone.some(({ target }) => target.length > 0));
}
