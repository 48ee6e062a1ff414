import type { Component, Tree } from '../../../../src/components/index.js';
import { all, at, childrenOf, given, kindOf, notes, parentOf, pathOf, sights, type Law } from './look.js';

/** W-7: events go along `sendTo` and `registerWith`, unfiltered, in the order of registration, once to each. */
export const reachesOnce: Law = (first) => {
  const heard = new Map<number, Set<string>>();
  const deployed = new Map<number, number>(all(first).map(({ id }, index) => [id, index]));
  return (look) => {
    const { before, input, after } = look;
    const events = sights(look).flatMap(({ id, seen }) =>
      seen.saw === 'event' ? [{ id, event: String(seen.event) }] : [],
    );
    for (const { id, event } of events) {
      const known = heard.get(id) ?? new Set();
      // Queues forward later, each by itself: what goes through two of them comes from each.
      const queues = all(before).filter((each) => kindOf(before, each) === 'EventQueue').length;
      if (isUnique(event) && known.has(event) && queues < 2) return `component ${id} gets ${event} twice`;
      heard.set(id, known.add(event));
    }
    for (const { id, phase } of notes(look)) if (phase === 'deployed') deployed.set(id, deployed.size + 1_000_000);
    if (input.kind === 'event') {
      const source = at(before, input.path);
      const reached = source ? reachedFrom(before, source, new Set(input.passed ?? [])) : [];
      const ears = reached.filter((each) => kindOf(before, each) === 'Ear' && each.phase === 'up').map(({ id }) => id);
      const got = events.filter(({ event }) => event === input.event).map(({ id }) => id);
      const firsts = isUnique(String(input.event)) ? got : got.slice(0, ears.length);
      if (firsts.join() !== ears.join())
        return `${String(input.event)} reaches ${firsts.join()} and should reach ${ears.join()}`;
      for (const { id, phase, inbox = [] } of reached) {
        const now = after.components[id];
        if (
          (phase === 'deployed' || phase === 'starting') &&
          now?.phase === phase &&
          (now.inbox?.length ?? 0) <= inbox.length
        ) {
          return `component ${id} does not keep ${String(input.event)} until it is up`;
        }
      }
      for (const { id, phase } of reached) {
        const queue = after.components[id];
        if (!queue || kindOf(after, queue) !== 'EventQueue' || phase !== 'up' || queue.phase !== 'up') continue;
        const kept = keptBy(queue);
        if (kept.at(-1)?.event !== input.event && isUnique(String(input.event)))
          return `queue ${id} does not keep its event`;
        if (kept.length > Number(given(after, queue, 'limit'))) return `queue ${id} keeps too much`;
      }
    }
    return registered(after, deployed) ?? forwarded(look, heard);
  };
};

/** Tells who hears what begins at a component, in the order in which it reaches them. */
function reachedFrom(tree: Tree, source: Component, passed: ReadonlySet<string>): readonly Component[] {
  const seen = new Set<number>();
  const order: Component[] = [];
  const visit = (component: Component) => {
    const { id, phase } = component;
    const takes = phase === 'deployed' || phase === 'starting' || phase === 'up';
    if (seen.has(id) || passed.has(`${tree.run}#${id}`) || !takes) return;
    seen.add(id);
    order.push(component);
    if (kindOf(tree, component) === 'EventQueue') return;
    for (const next of listenersTo(tree, component)) visit(next);
  };
  visit(source);
  return order;
}

function listenersTo(tree: Tree, component: Component): readonly Component[] {
  const own = siblingsNamed(tree, component, 'sendTo');
  const registered = (component.listeners ?? []).flatMap((each) => {
    const found = typeof each === 'number' ? tree.components[each] : undefined;
    return found ? [found] : [];
  });
  return [...own, ...registered];
}

/** All references of the simulation's paths of events are to siblings. */
function siblingsNamed(tree: Tree, component: Component, name: 'sendTo' | 'registerWith'): readonly Component[] {
  const refs = (given(tree, component, name) ?? []) as readonly { readonly $ref: string }[];
  const parent = parentOf(tree, component);
  return refs.flatMap(({ $ref }) => {
    for (let level = parent; level; level = parentOf(tree, level)) {
      const found = childrenOf(tree, level).findLast((child) => child.name === $ref.slice(3));
      if (found) return [found];
    }
    return [];
  });
}

/** Anyone who has registered is among the listeners, in the order of registration. */
function registered(tree: Tree, deployed: ReadonlyMap<number, number>): string | undefined {
  for (const component of all(tree)) {
    const { id, phase, listeners = [] } = component;
    const numbers = listeners.filter((each) => typeof each === 'number');
    const places = numbers.map((each) => deployed.get(each) ?? 0);
    if (places.some((place, index) => index > 0 && place < places[index - 1]!))
      return `the listeners of ${id} are out of order`;
    if (new Set(numbers).size < numbers.length) return `somebody listens to ${id} twice`;
    if (phase !== 'up') continue;
    for (const source of siblingsNamed(tree, component, 'registerWith')) {
      if (source.parent !== component.parent || source.id > id || source.end || source.id === id) continue;
      if (!source.listeners?.includes(id)) return `${pathOf(tree, component)} does not hear ${pathOf(tree, source)}`;
    }
  }
  return undefined;
}

/** When nothing is due any more, a queue has forwarded all that it keeps. */
function forwarded({ after, input }: Parameters<ReturnType<Law>>[0], heard: ReadonlyMap<number, ReadonlySet<string>>) {
  if (input.kind !== 'due') return undefined;
  for (const queue of all(after)) {
    if (kindOf(after, queue) !== 'EventQueue' || queue.phase !== 'up' || queue.due !== undefined) continue;
    for (const listener of listenersTo(after, queue)) {
      if (kindOf(after, listener) !== 'Ear' || listener.phase !== 'up' || listener.since === after.now) continue;
      for (const { event, passed } of keptBy(queue)) {
        const had = passed.includes(`${after.run}#${listener.id}`) || heard.get(listener.id)?.has(String(event));
        if (isUnique(String(event)) && !had)
          return `queue ${queue.id} does not forward ${String(event)} to ${listener.id}`;
      }
    }
  }
  return undefined;
}

function keptBy({ local }: Component) {
  const kept = local as unknown as {
    readonly events?: readonly { readonly event: unknown; readonly passed: readonly string[] }[];
  };
  return kept?.events ?? [];
}

function isUnique(event: string): boolean {
  return /^e\d+$/.test(event);
}
