import type { ActionContext, AnyEntity, ReservedView, Transition } from '../../src/definition/index.js';
import type { Duration } from '../../src/definition/duration.js';
import { asList } from '../../src/definition/names.js';
import type { Random } from '../../src/simulation/index.js';
import { askOutside, type OutsideDeed } from './outside-deeds.js';
import { things } from './things.js';

/** One thing that a generated action does. */
export type Deed =
  | OutsideDeed
  | { readonly kind: 'call'; readonly part: number; readonly together: number }
  | { readonly kind: 'look' }
  /** Throws at some times and not at others. */
  | { readonly kind: 'flaky' }
  /** Throws in the first attempts. */
  | { readonly kind: 'slow start'; readonly attempts: number }
  | { readonly kind: 'give up'; readonly salt: number }
  | { readonly kind: 'raise'; readonly on: number; readonly key: string; readonly event: string }
  | { readonly kind: 'create'; readonly on: number; readonly key: string }
  | { readonly kind: 'raise and wait'; readonly on: number; readonly key: string; readonly event: string }
  | { readonly kind: 'create and wait'; readonly on: number; readonly key: string }
  | { readonly kind: 'ask'; readonly on: number; readonly key: string; readonly within: Duration }
  /** Creates some entities that nobody has created before. */
  | { readonly kind: 'crowd'; readonly on: number; readonly size: number }
  /** Deletes entities that it has created. */
  | { readonly kind: 'dismiss'; readonly on: number }
  | { readonly kind: 'read'; readonly on: number; readonly key: string }
  | {
      readonly kind: 'reserve';
      readonly on: number;
      readonly lease: Duration;
      readonly until: 'action' | 'operation';
      /** The event that it raises on the reserved entities: one that is valid there, nothing, or the event of this name. */
      readonly raises: 'valid' | 'nothing' | (string & {});
      /** Tells whether it makes a call before it raises, so that leases end. */
      readonly calls: boolean;
    };

/** The deeds of a generated action, in order, and where it may go. */
export interface Behaviour {
  readonly deeds: readonly Deed[];
  readonly targets: readonly string[];
  /** The successors that it creates before it rests for them. */
  readonly team: readonly { readonly on: number; readonly key: string }[];
  /** Is true if it gives somebody outside an address before it rests in the waiting state. A2 */
  readonly isTold?: boolean;
  /** Tells whether it sometimes reports an error without throwing. */
  readonly reports: boolean;
  /** Tells whether it sometimes goes to a target that it does not declare. */
  readonly strays: boolean;
  /** The wait that it chooses itself, in milliseconds. */
  readonly waitMs: number | undefined;
}

/** A generated machine creates a crowd only while it has fewer successors than this. */
const LARGEST_CROWD = 6;

type AnyContext = ActionContext<AnyEntity, string>;

/** The code of a generated action. All its decisions depend only on what it is given. */
export function act(behaviour: Behaviour, types: readonly AnyEntity[]) {
  return async (app: AnyContext): Promise<Transition | void> => {
    const count = Number(app.properties['count'] ?? 0);
    Object.assign(app.properties, { count: count + 1 });
    const last: (() => void)[] = [];
    for (const deed of behaviour.deeds) {
      const later = await perform(deed, app, count, types);
      if (later) last.push(later);
    }
    const { targets, team } = behaviour;
    const to = targets[(count + app.attempt + app.key.length) % targets.length];
    // Staying is another attempt, so it must not go on for ever.
    const again = to === app.state && app.attempt > 2;
    const chosen = again ? targets.find((each) => each !== app.state) : to;
    if (chosen === 'Waiting' && behaviour.isTold)
      await app.call(things.tell, { at: app.answerBy('told', { within: '10m' }) });
    for (const each of last) each();
    if (chosen === undefined) return;
    if (behaviour.strays && Math.floor(app.now() / 1_009) % 3 === 1) return app.goTo('Absent' as never);
    if (chosen === 'Waiting') for (const { on, key } of team) app.create(types[on]!, key, 'begin');
    return app.goTo(chosen as never, {
      ...(behaviour.waitMs !== undefined && { wait: behaviour.waitMs }),
      ...(behaviour.reports && count % 3 === 0 && { error: { code: 'reported', message: 'not as it should be' } }),
    });
  };
}

/** Does a deed. Gives what is to be done last. */
async function perform(
  deed: Deed,
  app: AnyContext,
  count: number,
  types: readonly AnyEntity[],
): Promise<(() => void) | undefined> {
  switch (deed.kind) {
    case 'call': {
      const calls = Array.from({ length: deed.together }, (_, index) =>
        app.call(things.make, { name: app.key, part: deed.part * 10 + index }),
      );
      await Promise.all(calls);
      return undefined;
    }
    case 'consult':
    case 'collect':
      await askOutside(deed, app);
      return undefined;
    case 'look':
      Object.assign(app.properties, { seen: (await app.call(things.look, { name: app.key })).seen });
      return undefined;
    case 'flaky':
      if (Math.floor(app.now() / 1_009) % 3 === 0) throw new Error('flaky');
      return undefined;
    case 'slow start':
      if (app.attempt <= deed.attempts) throw new Error('not yet');
      return undefined;
    case 'give up':
      if ((count + deed.salt) % 4 === 0) app.giveUp({ code: 'no_use', message: 'no use in trying' });
      return undefined;
    case 'raise':
      app.raise(types[deed.on]!, deed.key, deed.event);
      return undefined;
    case 'create':
      app.create(types[deed.on]!, deed.key, 'begin');
      return undefined;
    case 'crowd':
      if (app.successors.length >= LARGEST_CROWD) return undefined;
      for (let number = 0; number < deed.size; number++) {
        app.create(types[deed.on]!, `${app.key}-${count}-${number}`, 'begin');
      }
      return undefined;
    case 'dismiss':
      for (const { type, key, event, state } of app.successors) {
        const rests = event === 'settled' && state !== 'Gone';
        if (rests && type === types[deed.on]!.name) app.raise(types[deed.on]!, key, 'end');
      }
      return undefined;
    case 'raise and wait':
      await app.raiseAndWait(types[deed.on]!, deed.key, deed.event, { within: '1h' });
      return undefined;
    case 'create and wait':
      await app.createAndWait(types[deed.on]!, deed.key, 'begin', { within: '1h' });
      return undefined;
    case 'ask': {
      const type = types[deed.on]!;
      if (type.name === app.type && deed.key === app.key) return undefined;
      await app.raiseAndWait(type, deed.key, 'ask', { within: deed.within });
      return undefined;
    }
    case 'read':
      Object.assign(app.properties, { seen: (await app.read(types[deed.on]!, deed.key, { within: '1h' }))?.version });
      return undefined;
    case 'reserve': {
      const type = types[deed.on]!;
      const reserved = await app.reserveAll(
        ['b', 'a'].map((key) => [type, key] as const),
        { lease: deed.lease, until: deed.until, within: '1h' },
      );
      if (deed.calls) await app.call(things.make, { name: app.key, part: 99 });
      return () => raiseOnReserved(deed.raises, app, type, reserved);
    }
  }
  return undefined;
}

/** Raises events on reserved entities. It comes last, so that an event that is not raised each time changes no names of calls. */
function raiseOnReserved(
  raises: string,
  app: AnyContext,
  type: AnyEntity,
  reserved: readonly (ReservedView | undefined)[],
): void {
  if (raises === 'nothing' || reserved.includes(undefined)) return;
  const lasts = reserved.every((view) => view!.until > app.now());
  // Others come only now and then: one that is never valid, or always comes after the lease, would fail the action for ever.
  if (!(raises === 'valid' && lasts) && Math.floor(app.now() / 1_009) % 5 !== 0) return;
  for (const view of reserved) {
    const event = raises === 'valid' ? validEvent(type, view!.state) : raises;
    if (event !== undefined) app.raise(type, view!.key, event);
  }
}

/** Gives an event that is valid in the state, if there is one. One with guards might be rejected for ever. */
function validEvent(type: AnyEntity, state: string): string | undefined {
  return ['go', 'change', 'turn'].find((name) => {
    const event = type.events[name];
    return event?.when === undefined && asList(event?.in).includes(state);
  });
}

/** The action for which a behaviour is generated. */
export interface Role {
  /** The index of its entity type, and the number of types. */
  readonly index: number;
  readonly types: number;
  readonly targets: readonly string[];
  /** All events that it may raise on others. */
  readonly events: readonly string[];
  readonly automatic: boolean;
  /** It may ask entities of this many types, the first ones. The action that is asked may ask only earlier types. */
  readonly asks: number;
  /** Tells whether it may turn to types of a higher index. So only asking can close a circle. */
  readonly turnsToOthers: boolean;
}

export function someBehaviour(random: Random, role: Role): Behaviour {
  const { index, types, targets, events, automatic, asks, turnsToOthers } = role;
  const later = Array.from({ length: types - index - 1 }, (_, offset) => index + 1 + offset);
  const key = () => random.pick(['a', 'b']);
  const deeds: Deed[] = [];
  while (asks > 0 && deeds.length < 2 && random.chance(0.3)) {
    deeds.push({ kind: 'ask', on: random.below(asks), key: key(), within: random.pick(['5s', '1m', '1h']) });
  }
  while (deeds.length < 4 && random.chance(0.5)) {
    const to = later.length > 0 && turnsToOthers ? random.pick(later) : undefined;
    switch (random.below(to === undefined ? 5 : 14)) {
      case 0:
        deeds.push({ kind: 'call', part: deeds.length, together: 1 + random.below(3) });
        break;
      case 1:
        deeds.push({ kind: 'look' });
        break;
      case 2:
        deeds.push({ kind: 'flaky' });
        break;
      case 3:
        if (automatic) deeds.push({ kind: 'slow start', attempts: 1 + random.below(2) });
        break;
      case 4:
        if (automatic && random.chance(0.3)) deeds.push({ kind: 'give up', salt: random.below(4) });
        break;
      case 5:
        deeds.push({ kind: 'raise', on: to!, key: key(), event: random.pick(events) });
        break;
      case 6:
        deeds.push({ kind: 'create', on: to!, key: key() });
        break;
      case 7:
        deeds.push({ kind: 'raise and wait', on: to!, key: key(), event: random.pick(events) });
        break;
      case 8:
        deeds.push({ kind: 'create and wait', on: to!, key: key() });
        break;
      case 9:
        deeds.push({ kind: 'read', on: to!, key: key() });
        break;
      case 10:
      case 11:
        // There is only one: two may be out of order, which would be a mistake for ever.
        if (deeds.some(({ kind }) => kind === 'reserve')) break;
        deeds.push({
          ...{ kind: 'reserve', on: to!, lease: random.pick(['1s', '10s', '10m']) },
          until: random.pick(['action', 'operation']),
          raises: random.pick(['valid', 'valid', 'nothing', random.pick(events)]),
          calls: random.chance(0.5),
        });
        break;
      case 12:
        // This is not for an automatic action: its attempts would raise on different entities by the same request id.
        if (!automatic) deeds.push({ kind: 'crowd', on: to!, size: 1 + random.below(3) });
        break;
      case 13:
        if (!automatic) deeds.push({ kind: 'dismiss', on: to! });
    }
  }
  const team = Array.from({ length: 1 + random.below(3) }, () => ({ on: random.pick(later), key: key() }));
  // These deeds differ from attempt to attempt. They come last, since names count places, so later deeds would get other names.
  const varies = ({ kind }: Deed) => kind === 'crowd' || kind === 'dismiss';
  const apart = withoutConflicts(deeds, targets.includes('Waiting') ? team : []);
  return {
    deeds: [...apart.filter((deed) => !varies(deed)), ...apart.filter(varies)],
    targets,
    team: later.length > 0 ? team : [],
    reports: random.chance(0.1),
    strays: random.chance(0.05),
    waitMs: random.chance(0.2) ? random.below(3) * 500 : undefined,
  };
}

/**
 * Leaves out deeds that would fail the action for ever. One is an event that a reserved entity rejects each time, so reserved
 * entities get other events only now and then. Another is an event that always comes after a wait has outlasted the lease, so the
 * action waits for reserved entities first.
 */
function withoutConflicts(deeds: readonly Deed[], team: Behaviour['team']): readonly Deed[] {
  const reserved = deeds.find(({ kind }) => kind === 'reserve');
  if (reserved?.kind !== 'reserve') return deeds;
  if (team.some(({ on }) => on === reserved.on)) return deeds.filter((deed) => deed !== reserved);
  const waits = ({ kind }: Deed) => kind === 'raise and wait' || kind === 'create and wait';
  const since = deeds.indexOf(reserved) + 1;
  return deeds.filter((deed, index) => {
    if (!('on' in deed) || deed.on !== reserved.on) return true;
    if (waits(deed)) return !deeds.slice(since, index).some(waits);
    return !['raise', 'create', 'crowd', 'dismiss'].includes(deed.kind);
  });
}
