/*
 * The paths of events. W-7: they go along `sendTo` and `registerWith`, unfiltered, in the order of registration, once to each
 * component whatever the number of paths.
 */
import { isReference } from '../description/reference.js';
import type { Json, Value } from '../description/description.js';
import type { Draft } from './draft.js';
import { attributeOf, componentAt } from './resolve.js';
import type { Target } from './kind.js';
import { messageOf } from '../../definition/thrown.js';

/** Registers a component with those whose events it wants. Says why it could not. */
export function register(draft: Draft, id: number): string | undefined {
  for (const path of paths(draft, id, 'registerWith')) {
    try {
      const target = componentAt(draft, id, path);
      if ('path' in target) draft.effects.push({ kind: 'register', at: target.path, listener: absolute(draft, id) });
      else listen(draft, target.id, id);
    } catch (thrown) {
      return messageOf(thrown);
    }
  }
  return undefined;
}

/** Adds a listener. Those that have ended are forgotten. */
export function listen(draft: Draft, id: number, listener: number | string): void {
  const { listeners = [] } = draft.get(id);
  const alive = listeners.filter((each) => typeof each === 'string' || takes(draft, each));
  if (!alive.includes(listener)) draft.change(id, { listeners: [...alive, listener] });
  if (draft.kind(id).keepsEvents && draft.get(id).phase === 'up') draft.change(id, { due: draft.now });
}

/** Tells whether a component takes events now. Those that come before it is up are kept until then. */
export function takes(draft: Draft, id: number): boolean {
  const phase = draft.find(id)?.phase;
  return phase === 'deployed' || phase === 'starting' || phase === 'up';
}

/** Those to which a component sends, in the order of registration. A reference that leads nowhere now is told in the log. */
export function listenersOf(draft: Draft, id: number): readonly Target[] {
  const own = paths(draft, id, 'sendTo').flatMap((path): Target[] => {
    try {
      return [componentAt(draft, id, path)];
    } catch (thrown) {
      draft.record(id, { message: `An event is lost: ${messageOf(thrown)}` });
      return [];
    }
  });
  const registered = (draft.get(id).listeners ?? []).map((each): Target =>
    typeof each === 'string' ? { path: each } : { id: each },
  );
  return [...own, ...registered];
}

/**
 * Sends an event from a component: it reaches each listener, and theirs, once. A component that keeps events forwards them itself,
 * later.
 */
export function dispatch(draft: Draft, from: number, event: Json, passed: readonly string[]): void {
  const targets = listenersOf(draft, from);
  deliver(draft, event, [...passed, mark(draft, from)], targets);
}

/** Brings an event to these and to those that they forward to. */
export function deliver(draft: Draft, event: Json, passed: readonly string[], targets: readonly Target[]): void {
  const seen = new Set(passed);
  const reached: number[] = [];
  const outside: string[] = [];
  const visit = (target: Target) => {
    if ('path' in target) {
      if (!outside.includes(target.path)) outside.push(target.path);
      return;
    }
    const own = mark(draft, target.id);
    if (seen.has(own) || !takes(draft, target.id)) return;
    seen.add(own);
    reached.push(target.id);
    if (!draft.kind(target.id).keepsEvents) listenersOf(draft, target.id).forEach(visit);
  };
  targets.forEach(visit);
  const all = [...seen];
  for (const id of reached) draft.push({ do: 'handle', id, event: { event, passed: all } });
  for (const to of outside) draft.effects.push({ kind: 'send', to, event, passed: all });
}

/** How an event remembers that a component has had it. */
export function mark(draft: Draft, id: number): string {
  return `${draft.run}#${id}`;
}

/** The reference to a component from anywhere. */
export function absolute(draft: Draft, id: number): string {
  const path = draft.path(id);
  return `/${draft.run}${path === '' ? '' : '/'}${path}`;
}

function paths(draft: Draft, id: number, name: 'sendTo' | 'registerWith'): readonly string[] {
  const value = attributeOf(draft, id, name);
  const list = Array.isArray(value) ? (value as readonly Value[]) : [];
  return list.filter(isReference).map(({ $ref }) => $ref);
}
