import type { DeclarationProblem } from '../definition/declaration-error.js';
import { leavesOf, lineOf, type Invocation, type StateNode, type Transition } from './machine.js';
import { eventName, small, stateName, unique } from './names.js';
import { below, entered, isWithin, targetNode, type Arrow } from './targets.js';

/** One of the ways that a state can be left by. Without `to`, the state stays. */
export interface Branch {
  readonly to?: string;
  readonly guard?: string;
  /** The actions of the machine on this way: of what is left, of the transition, and of what is entered. */
  readonly runs: readonly string[];
  readonly description?: string;
}

/** A state without states below it. */
export interface FlatState {
  readonly name: string;
  readonly node: StateNode;
  readonly moves: ReadonlyMap<string, readonly Branch[]>;
  /** The automatic action. Its last way is taken if no guard holds. */
  readonly automatic?: { readonly name: string; readonly service?: string; readonly branches: readonly Branch[] };
  /** The ways after an error of the service. */
  readonly onError: readonly Branch[];
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

/** XState's own actions that need another means in Reeve, with it. */
const OWN_ACTIONS: Readonly<Record<string, string>> = {
  assign: 'Set self.properties in the action.',
  raise: 'Let the action go where that event leads.',
  send: 'Raise the event on another entity: self.raise(...).',
  sendTo: 'Raise the event on another entity: self.raise(...).',
  sendParent: 'Raise the event on the other entity: self.raise(...).',
  forwardTo: 'Raise the event on another entity: self.raise(...).',
  spawnChild: 'Declare the actor as an entity, and create it: self.create(...).',
  enqueueActions: 'Write in the action what the function did.',
};

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
    const staying = this.leaves.filter((leaf) => {
      const hasOthers = this.lineOf(leaf).some((node) => this.handled(node).size > 0 || node.after.length > 0);
      return hasOthers && this.always(leaf).at(-1)?.guard !== undefined;
    });
    this.checks = new Map(staying.map((leaf) => [leaf, unique(`${this.names.get(leaf)!}_check`, taken)]));
    this.timers = [root, ...below(root)]
      .filter((node) => this.leaves.some((leaf) => isWithin(leaf, node)))
      .flatMap((node) =>
        node.after.map(([delay, transitions]): Timer => {
          const named = transitions[0]?.raise;
          const own = () => small([...node.path.slice(root.path.length), 'timeout'].join(' '));
          return {
            event: named === undefined ? unique(own(), this.takenEvents) : this.eventOf(named),
            delay,
            node,
            transitions,
          };
        }),
      );
  }

  flat(): FlatMachine {
    const states = this.leaves.flatMap((leaf) => this.statesOf(leaf));
    const parallel = this.leaves.filter(({ type }) => type === 'parallel');
    for (const node of parallel) this.remarkParallel(node);
    const first = entered(this.root, this.root) ?? this.leaves[0]!;
    if (this.lineOf(first).some(({ entry }) => entry.length > 0)) {
      const remedy = 'An entity begins without an action. Run them in its first event.';
      this.remark(first, 'is the initial state and has entry actions', remedy);
    }
    this.remarkOwnActions();
    return {
      initial: this.entryOf(first),
      states,
      timers: this.timers.map(({ event, delay, node }) => {
        const within = this.leaves.filter((leaf) => isWithin(leaf, node));
        return {
          event,
          delay,
          in: within.flatMap((leaf) => [this.names.get(leaf)!, this.checks.get(leaf) ?? []].flat()),
        };
      }),
      regions: parallel.flatMap((node) => node.states.filter((region) => leavesOf(region).length > 0)),
      remarks: [...this.remarks.values()],
    };
  }

  private remark(node: StateNode, problem: string, remedy: string): void {
    const place = node.path.join('.') || 'the machine';
    this.remarks.set(`${place} ${problem}`, { place, problem, remedy });
  }

  private remarkParallel(node: StateNode): void {
    const inner = new Set(below(node).flatMap(({ on }) => on.map(([event]) => event)));
    const shared = node.on.flatMap(([event]) => (inner.has(event) ? [event] : []));
    const both = shared.length > 0 ? `, and regions take ${shared.join(', ')} before it does` : '';
    const remedy =
      'Each region is an entity of its own here. Create them when the state is entered, and wait for them with a subscription.';
    this.remark(node, `is parallel: ${node.states.map(({ key }) => key).join(', ')}${both}`, remedy);
  }

  private remarkOwnActions(): void {
    const uses = new Map<string, Set<string>>();
    for (const leaf of this.leaves) {
      for (const node of this.lineOf(leaf)) {
        const { entry, exit, always, after, onDone, invoke } = node;
        const arrows = [
          always,
          onDone,
          ...[...node.on, ...after].map(([, each]) => each),
          ...invoke.flatMap((each) => [each.onDone, each.onError]),
        ];
        for (const action of [...entry, ...exit, ...arrows.flat().flatMap((each) => each.actions)]) {
          const name = action.replace(/^xstate\./, '');
          if (Object.hasOwn(OWN_ACTIONS, name))
            uses.set(name, (uses.get(name) ?? new Set()).add(node.path.join('.') || 'the machine'));
        }
      }
    }
    for (const [name, places] of uses) {
      const place = [...places].join(', ');
      this.remarks.set(name, { place, problem: `'${name}' is a function of XState`, remedy: OWN_ACTIONS[name]! });
    }
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
    const moves = new Map([...timed, ...(isEnd ? [] : this.moves(leaf))]);
    const service = serviceOf(leaf);
    const automatic = this.automatic(leaf, service);
    const onError = service && automatic ? this.branches(leaf, from(leaf, service.onError)) : [];
    if (check === undefined) return [{ name, node: leaf, moves, onError, ...(automatic && { automatic }) }];
    const decides = { ...automatic!, branches: [...automatic!.branches, { to: name, runs: [] }] };
    // An event that stays may be the one for which a guard waits.
    const again = [...moves].map(([event, each]) => [event, each.map((branch) => ({ to: check, ...branch }))] as const);
    return [
      { name: check, node: leaf, moves: new Map(timed), automatic: decides, onError: [] },
      { name, node: leaf, moves: new Map(again), onError: [] },
    ];
  }

  /** The action that leaves the state by itself: after a guard, the end of its service, or the end of what it is the last part of. */
  private automatic(leaf: StateNode, service: Invocation | undefined): FlatState['automatic'] {
    const name = this.names.get(leaf)!;
    const always = this.always(leaf);
    const end = leaf.type === 'final' && leaf.parent !== this.root ? leaf.parent! : undefined;
    const done = service ? from(leaf, service.onDone) : end ? from(end, end.onDone) : [];
    const branches = this.branches(leaf, always.length > 0 ? always : done).filter(({ to }) => to !== undefined);
    if (branches.length === 0) return undefined;
    if (service) return { name: service.src, service: service.src, branches };
    return { name: `${end && always.length === 0 ? 'finish' : 'leave'} ${name}`, branches };
  }

  /** The ways of each event in a leaf. Its own come first, and those above it follow if a guard may not hold. */
  private moves(leaf: StateNode): ReadonlyMap<string, readonly Branch[]> {
    const found = new Map<string, readonly Arrow[]>();
    const closed = new Set<string>();
    for (const node of this.lineOf(leaf)) {
      for (const [event, arrows] of this.handled(node)) {
        if (!closed.has(event)) found.set(event, [...(found.get(event) ?? []), ...arrows]);
        if (arrows.at(-1)?.guard === undefined) closed.add(event);
      }
    }
    return new Map(
      [...found].flatMap(([event, arrows]) => {
        if (event.includes('*'))
          this.remark(leaf, `takes any event, '${event}'`, 'Declare the events for which it stands.');
        const branches = this.branches(leaf, arrows);
        return branches.length === 0 ? [] : [[this.eventOf(event), branches] as const];
      }),
    );
  }

  /** The events that a state node handles itself. The end of what it runs is an event if the state does not end with it. */
  private handled(node: StateNode): ReadonlyMap<string, readonly Arrow[]> {
    const found = new Map(node.on.map(([event, each]) => [event, from(node, each)]));
    for (const each of node.invoke) {
      if (each === serviceOf(node)) continue;
      const remedy = 'Call a resource in the action that enters the state, or let the state deploy components.';
      this.remark(node, `'${each.src}' runs while the state lasts`, remedy);
      if (each.onDone.length > 0) found.set(`${each.src}.done`, from(node, each.onDone));
      if (each.onError.length > 0) found.set(`${each.src}.failed`, from(node, each.onError));
    }
    if (node.type !== 'parallel') return found;
    if (node.onDone.length > 0) found.set(`${node.key}.done`, from(node, node.onDone));
    for (const inner of below(node)) {
      for (const [event, each] of inner.on) {
        const leaving = from(inner, each).filter(({ targets: [target] }) => {
          const to = target === undefined ? undefined : targetNode(inner, target);
          return to && !isWithin(to, node) && isWithin(to, this.root);
        });
        if (leaving.length > 0 && !found.has(event)) found.set(event, leaving);
      }
    }
    return found;
  }

  private branches(leaf: StateNode, arrows: readonly Arrow[]): readonly Branch[] {
    return arrows.flatMap((arrow, index): readonly Branch[] => {
      const to = this.leafOf(arrow);
      if (!to && arrow.targets.length > 0) return [];
      const left = to ? lineOf(leaf).filter((each) => !isWithin(to, each)) : [];
      const reached = to
        ? lineOf(to)
            .filter((each) => !isWithin(leaf, each))
            .toReversed()
        : [];
      // A guard that was a function is no JSON.
      const guard = arrow.guard ?? (index < arrows.length - 1 ? 'a function' : undefined);
      return [
        {
          ...(to && { to: this.entryOf(to) }),
          ...(guard !== undefined && { guard }),
          runs: [...left.flatMap(({ exit }) => exit), ...arrow.actions, ...reached.flatMap(({ entry }) => entry)],
          ...(arrow.description !== undefined && { description: arrow.description }),
        },
      ];
    });
  }

  /** The leaf that an arrow enters; nothing where it enters none of the region. */
  private leafOf({ source, targets }: Arrow): StateNode | undefined {
    const [target, ...others] = targets;
    if (target === undefined) return undefined;
    if (others.length > 0) this.remark(source, 'enters several states at once', `Only '${target}' is kept.`);
    const node = targetNode(source, target);
    if (!node) {
      this.remark(source, `leads to '${target}', which does not exist`, 'Correct the machine, or add the state.');
      return undefined;
    }
    if (!isWithin(node, this.root)) {
      const remedy = 'Raise an event on the entity of the parallel state instead.';
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
  if (node.type !== 'atomic' || node.always.some(({ targets }) => targets.length > 0)) return undefined;
  return node.invoke.find(({ onDone }) => onDone.some(({ targets }) => targets.length > 0));
}
