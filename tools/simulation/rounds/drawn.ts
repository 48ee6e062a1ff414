import { z } from 'zod';
import {
  all,
  and,
  any,
  atLeast,
  DeclarationError,
  defineEntity,
  implementActions,
  initial,
  none,
  not,
  or,
  stable,
  terminal,
  unstable,
  type ActionContext,
  type AnyEntity,
  type AnyImplementation,
} from '../../../src/definition/index.js';
import type { Predicate } from '../../../src/definition/predicate.js';
import type { Random } from '../../../src/simulation/index.js';

/** The successor that the machines have: it settles well or badly, and changes its mind. */
export const Leaf = defineEntity('Leaf', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Green: stable(), Brown: stable({ health: 'error' }), Gone: terminal() },
  events: { grow: { in: 'Absent', params: z.object({ ok: z.boolean() }) }, turn: { in: ['Green', 'Brown'] } },
  actions: {
    grow: { on: 'grow', in: 'Absent', to: ['Green', 'Brown'] },
    turn: { on: 'turn', in: ['Green', 'Brown'], to: ['Green', 'Brown', 'Gone'] },
  },
});

export const leaf = implementActions(Leaf, {
  grow: async (app, { params }) => app.goTo(params.ok ? 'Green' : 'Brown'),
  turn: async (app) => app.goTo(app.state === 'Green' ? 'Brown' : 'Green'),
});

type Drawn = { readonly implementation: AnyImplementation } | { readonly problems: readonly string[] };

/** A machine whose states and subscriptions lead anywhere, with waits or without. */
export function drawRound(random: Random): Drawn {
  const rests = ['Rest0', 'Rest1'];
  const works = ['Work0', 'Work1'];
  const some = (names: readonly string[]) => names.filter(() => random.chance(0.5));
  const places = (names: readonly string[]) =>
    [random.pick(names), ...some(names)].filter((each, at, all_) => all_.indexOf(each) === at);
  const lasting = [...rests, ...works];
  const targets: Record<string, readonly string[]> = {
    go: places(lasting),
    first: some(lasting),
    second: some(lasting),
    end: ['Over'],
    work0: places(lasting),
    work1: places(lasting),
  };
  const events = { first: places(rests), second: places(lasting) };
  const raises = random.chance(0.5) && { raises: [] };
  const declaration = {
    key: z.string(),
    properties: z.object({ count: z.number().default(0) }),
    states: {
      Absent: initial(),
      ...Object.fromEntries(rests.map((name) => [name, stable({ health: random.chance(0.3) ? 'error' : 'normal' })])),
      ...Object.fromEntries(works.map((name) => [name, someWork(random, rests)])),
      Over: terminal(),
    },
    events: {
      go: { in: ['Absent', ...rests] },
      first: { in: events.first, internal: true, ...(random.chance(0.2) && { stays: true }) },
      second: { in: events.second, internal: true, ...(random.chance(0.2) && { stays: true }) },
      end: { in: lasting },
    },
    actions: {
      go: { on: 'go', in: ['Absent', ...rests], to: targets['go'] },
      first: { on: 'first', in: events.first, to: targets['first'], ...raises },
      second: { on: 'second', in: events.second, to: targets['second'], ...raises },
      end: { on: 'end', in: lasting, to: 'Over' },
      work0: { in: 'Work0', to: targets['work0'] },
      work1: { in: 'Work1', to: targets['work1'] },
    },
    subscriptions: {
      first: { when: somePattern(random, 2), raise: 'first', ...(random.chance(0.5) && { among: 'life' }) },
      second: { when: somePattern(random, 2), raise: 'second', ...(random.chance(0.5) && { among: 'life' }) },
    },
  };
  try {
    const entity = (defineEntity as unknown as (name: string, declared: unknown) => AnyEntity)('Round', declaration);
    const actions = Object.keys(targets).map((name) => [name, act(random, name, targets[name]!)]);
    return { implementation: { entity, actions: Object.fromEntries(actions) } };
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown;
    return { problems: thrown.problems.map(({ problem }) => problem) };
  }
}

function someWork(random: Random, rests: readonly string[]) {
  const attempts = random.chance(0.4) && { attempts: 1 + random.below(3) };
  return unstable({
    ...(random.chance(0.6) && { wait: random.pick([0, '1s', '1s'] as const) }),
    retry: {
      delay: random.pick([0, '1s'] as const),
      ...attempts,
      ...(attempts && random.chance(0.6) && { exhausted: random.pick(rests) as never }),
    },
  });
}

function somePattern(random: Random, depth: number): Predicate {
  const test = { of: 'Leaf', is: random.pick(['settled', 'healthy', 'failed', 'lost'] as const) };
  const parts = () => [somePattern(random, depth - 1), somePattern(random, depth - 1)];
  switch (random.below(depth > 0 ? 8 : 4)) {
    case 0:
      return all(test);
    case 1:
      return none(test);
    case 2:
      return atLeast(1 + random.below(2), test);
    case 3:
      return any(test);
    case 4:
      return not(somePattern(random, depth - 1));
    case 5:
      return or(...parts());
    default:
      return and(...parts());
  }
}

/** The code of an action: it goes anywhere, mostly without a wait, and sometimes fails. */
function act(random: Random, name: string, targets: readonly string[]) {
  const atOnce = random.chance(0.7);
  const throws = random.chance(0.1);
  const ok = random.chance(0.5);
  return async (app: ActionContext<AnyEntity, string>) => {
    const count = Number(app.properties['count'] ?? 0);
    Object.assign(app.properties, { count: count + 1 });
    if (throws && count % 3 === 0) throw new Error('no');
    if (name === 'go') for (const at of [0, 1]) app.create(Leaf, `${app.key}-${at}`, 'grow', { ok });
    const to = targets[count % Math.max(targets.length, 1)];
    if (to === undefined) return undefined;
    return app.goTo(to as never, { ...(atOnce && { wait: 0 }) });
  };
}
