import type { End } from '../../../../src/components/index.js';
import { all, at, given, isLiving, notes, parentOf, pathOf, same, type Law, type Look } from './look.js';

const ORDER = ['created', 'deployed', 'starting', 'up', 'ending', 'ended'];

/** W-1: a component ends once, and the first end wins. */
export const endsOnce: Law = (first) => {
  const ends = new Map<number, End>(all(first).flatMap(({ id, end }) => (end ? [[id, end]] : [])));
  const over = new Set<number>(all(first).flatMap((each) => (isLiving(each) ? [] : [each.id])));
  return (look) => {
    const { before, input, after } = look;
    for (const { id, phase, end, component } of notes(look)) {
      if (!phase) continue;
      if (over.has(id)) return `${component} has ended, and is ${phase} again`;
      if (!end) continue;
      const known = ends.get(id);
      if (phase === 'ending' && known) return `${component} ends twice`;
      if (known && !same(known, end))
        return `${component} ended with ${known.description}, then with ${end.description}`;
      ends.set(id, end);
      if (phase === 'ended') over.add(id);
    }
    for (const { id, end } of all(after)) {
      if (end && !same(end, ends.get(id))) return `the record of component ${id} has changed`;
    }
    // Anyone who ends something that has ended already is answered with the first record; what is up ends with the given one.
    if (input.kind !== 'terminate') return undefined;
    const target = at(before, input.path);
    if (!target || target.phase === 'starting') return undefined;
    const its = target.end ?? { ...input.end, component: input.path };
    const now = after.components[target.id]?.end ?? ends.get(target.id);
    return same(now, its) ? undefined : `${input.path} was to end with ${its.description}, and has ${now?.description}`;
  };
};

/** W-2: an end that comes while a component starts is delivered when its start is over, and cancels its work. */
export const startsWhole: Law = (first) => {
  const phases = new Map(all(first).map(({ id, phase }) => [id, phase]));
  const pending = new Map<number, End>();
  return (look) => {
    const { before, after, input } = look;
    for (const { id, pendingEnd } of all(before)) if (pendingEnd && !pending.has(id)) pending.set(id, pendingEnd.end);
    for (const { id, phase, end, component } of notes(look)) {
      if (!phase) continue;
      const last = phases.get(id);
      if (last && ORDER.indexOf(phase) <= ORDER.indexOf(last)) return `${component} is ${phase} after it was ${last}`;
      const waits = pending.get(id);
      if (phase === 'ending' && waits && !same(waits, end)) return `${component} was to end with ${waits.description}`;
      const its = after.components[id];
      if (phase === 'ending' && last === 'starting' && its && !its.undeployed)
        return `${component} ends while it starts`;
      phases.set(id, phase);
    }
    for (const component of all(after)) {
      const { id, phase, calls = [], handlers = [] } = component;
      const last =
        handlers.some(({ handler }) => handler !== 'end') ||
        calls.some(({ handler = '' }) => !handler.includes('/end:'));
      if ((phase === 'ending' && last) || (phase === 'ended' && calls.length + handlers.length > 0)) {
        return `${pathOf(after, component)} is ${phase}, and still works`;
      }
      if (phase === 'up' && pending.has(id)) return `${pathOf(after, component)} has forgotten that it is to end`;
    }
    if (input.kind !== 'terminate') return undefined;
    const target = at(before, input.path);
    const now = target && after.components[target.id];
    if (target?.phase !== 'starting' || !now || now.end || now.pendingEnd) return undefined;
    return `${input.path} starts, and does not know that it is to end`;
  };
};

/** W-3: what a component holds ends with it, the last declared first, and nothing outlives its parent. */
export const endsBelow: Law = (first) => {
  const over = new Set<number>();
  const begun = new Set(all(first).flatMap(({ id, began }) => (began ? [id] : [])));
  const cleaned = new Set(
    all(first).flatMap(({ id, handlers }) => (handlers?.some((h) => h.handler === 'end') ? [id] : [])),
  );
  return (look) => {
    const { before, after, effects } = look;
    const moved = new Set(
      effects.flatMap((e) => (e.kind === 'deploy' ? Object.keys(e.tree.components).map(Number) : [])),
    );
    const ending: Ending[] = [];
    const starting = new Set(all(before).flatMap(({ id, phase }) => (phase === 'starting' ? [id] : [])));
    for (const effect of effects) {
      if (effect.kind === 'run' && effect.handler.handler === 'end') {
        const [, id] = /#(\d+)\/end:/.exec(effect.handler.key)!;
        if (cleaned.has(Number(id))) return `${effect.component} cleans up twice`;
        cleaned.add(Number(id));
      }
      if (effect.kind === 'run' && effect.handler.handler === 'start')
        begun.add(Number(/#(\d+)\/start:/.exec(effect.handler.key)![1]));
      if (effect.kind !== 'record') continue;
      // One that starts ends when its start is over, or has failed.
      if (effect.phase === 'starting') starting.add(effect.id);
      if (effect.phase === 'ending' && !starting.has(effect.id)) ending.push({ id: effect.id, end: effect.end! });
      if (effect.phase !== 'ended') continue;
      over.add(effect.id);
      if (effect.of === 'Own' && begun.has(effect.id) && !cleaned.has(effect.id))
        return `${effect.component} does not clean up`;
    }
    for (const { id, phase, name } of all(before)) {
      if (!after.components[id] && phase !== 'ended' && !over.has(id) && !moved.has(id))
        return `${name} is lost, and lives`;
    }
    for (const component of all(after)) {
      const path = pathOf(after, component);
      const parent = parentOf(after, component);
      if (component.parent !== undefined && !parent) return `${path} has lost its parent`;
      if (parent && !parent.children.includes(component.id)) return `the parent of ${path} does not know it`;
      if (isLiving(component) && parent && !isLiving(parent)) return `${path} outlives its parent`;
      const children = component.children.map((id) => after.components[id]!);
      const left = children.filter(isLiving);
      const isSync = given(after, component, 'sfSyncTerminate') === true;
      if (component.told && isSync && left.length > 0) return `the end of ${path} is told before that of its children`;
      if (component.phase !== 'ending' || component.ending === 'held') continue;
      const going = left.filter(({ phase, pendingEnd }) => phase === 'ending' || pendingEnd);
      if (!isSync && going.length < left.length) return `${path} ends, and a child of it does not`;
      const byIt = going.filter(({ end, told }) => !told && end && same(end, component.end));
      if (isSync && byIt.length > 1) return `${path} ends, and two children of it at once`;
      if (isSync && left.length > 0 && !going.includes(left.at(-1)!))
        return `${path} ends, and its last child does not`;
    }
    return outOfOrder(look, ending);
  };
};

interface Ending {
  readonly id: number;
  readonly end: End;
}

/** Those that end because their parent does begin to do so in the order that is the reverse of their declaration. */
function outOfOrder({ after }: Look, ending: readonly Ending[]): string | undefined {
  for (const [index, { id, end }] of ending.entries()) {
    const children = after.components[id]?.children ?? [];
    const followers = ending.slice(index + 1).filter((each) => children.includes(each.id) && same(each.end, end));
    const places = followers.map((each) => children.indexOf(each.id));
    if (places.some((place, at) => at > 0 && place > places[at - 1]!))
      return `the children of ${id} end in a wrong order`;
  }
  return undefined;
}
