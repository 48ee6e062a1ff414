/*
 * Draws entity types from all that the types allow. Names are mostly those that are declared, so that much of it is valid; what is
 * not, `check` refuses.
 */
import { COMPARISONS, type ComparisonName, type Condition, type Scalar } from '../../../src/definition/condition.js';
import type { Duration } from '../../../src/definition/duration.js';
import type { OneShotTimer } from '../../../src/definition/timer.js';
import type { ActionShape, SubscriptionShape } from '../../../src/definition/entity.js';
import { SUCCESSOR_QUALITIES, type Predicate } from '../../../src/definition/predicate.js';
import type { Random } from '../../../src/simulation/random.js';
import type { CallPlan, DeclaredPlan, EventPlan, StatePlan, TreePlan, TypePlan } from './plan.js';
import { drawDefault, drawFitting, drawPlain, drawSchema, drawValue, type SchemaPlan } from './schema.js';
import { THROWN } from './value.js';

const ODD_NAMES = [
  ...[
    'constructor',
    'toString',
    '__proto__',
    'a b',
    '',
    'ünïcode',
    'a.b',
    'a__b',
    'reeveThing',
    'created',
    'Operation',
  ],
  ...['x'.repeat(200), 'X'.repeat(200), 'A_b', 'a_b', '0', 'then', 'hasOwnProperty', 'name', 'calls', 'key'],
];
const DURATIONS: readonly Duration[] = [
  ...['1s', '10s', '5m', '1h', '900ms', '3d', '0.5s', 50, 1_000, 1, '40d'].map((each) => each as Duration),
];
const ODD_DURATIONS = [
  0,
  -1,
  Number.NaN,
  Infinity,
  '10 s',
  '1w',
  '',
  '1e3s',
  '400d',
  0.5,
  '0s',
] as unknown as Duration[];

export class Draw {
  constructor(readonly random: Random) {}

  maybe<T extends object>(probability: number, make: () => T): T | Record<never, never> {
    return this.random.chance(probability) ? make() : {};
  }

  some<T>(list: readonly T[], probability = 0.5): readonly T[] {
    return list.filter(() => this.random.chance(probability));
  }

  /** At least one of a list. */
  few<T>(list: readonly T[], probability = 0.4): readonly T[] {
    const few = this.some(list, probability);
    return few.length > 0 ? few : [this.random.pick(list)];
  }

  /** A name of the list, and very rarely another one. */
  name(list: readonly string[]): string {
    return list.length === 0 || this.random.chance(0.004) ? this.oddName() : this.random.pick(list);
  }

  oddName(): string {
    return this.random.pick(ODD_NAMES);
  }

  names(kind: string, least: number, range: number): readonly string[] {
    const names = Array.from({ length: least + this.random.below(range) }, (_, index) =>
      this.random.chance(0.01) ? this.oddName() : `${kind}${index}`,
    );
    return [...new Set(names)];
  }

  duration(): Duration {
    return this.random.pick(this.random.chance(0.012) ? ODD_DURATIONS : DURATIONS);
  }

  list(names: readonly string[]): string | readonly string[] {
    return names.length === 1 && this.random.chance(0.7) ? names[0]! : names;
  }
}

/** The names of other types that a declaration may turn to. */
export interface Neighbours {
  readonly types: readonly string[];
  readonly states: (type: string) => readonly string[];
  readonly events: readonly `${string}.${string}`[];
}

/** Names the states and events of a type, before anything refers to them. */
export interface Skeleton {
  readonly name: string;
  readonly states: readonly string[];
  readonly events: readonly string[];
}

export function drawSkeleton(draw: Draw, usual: string): Skeleton {
  return {
    name: draw.random.chance(0.01) ? draw.oddName() : usual,
    states: ['Absent', ...draw.names('Rest', 1, 3), ...draw.names('Work', 0, 3), ...draw.names('Over', 0, 2)],
    events: ['begin', ...draw.names('go', 1, 5)],
  };
}

export function drawDeclared(
  draw: Draw,
  { states: names, events: eventNames }: Skeleton,
  around: Neighbours,
): DeclaredPlan {
  const { random } = draw;
  const states = drawStates(draw, names, eventNames);
  const living = names.filter((name) => states[name]!.ending === undefined);
  const stable = living.filter((name) => states[name]!.stability === 'stable');
  const properties: Record<string, SchemaPlan> = Object.fromEntries(
    draw.names('p', 0, 5).map((name) => [name, given(draw, drawSchema(random))]),
  );
  const links = Object.fromEntries(
    draw.some(['link0', 'link1'], 0.25).map((name) => [
      name,
      {
        to: draw.name(around.types),
        many: random.chance(0.5),
        ...draw.maybe(0.3, () => ({ mustExist: random.chance(0.8) })),
      },
    ]),
  );
  const members = [...Object.keys(properties), ...Object.keys(links)];
  const events: Record<string, EventPlan> = {};
  const actions: Record<string, ActionShape> = {};
  for (const event of eventNames) {
    const places = event === 'begin' ? ['Absent', ...draw.some(living.slice(1), 0.1)] : draw.few(living.slice(1), 0.4);
    events[event] = drawEvent(draw, places, names, around, members);
    const split = places.length > 1 && random.chance(0.25) ? 1 : 0;
    if (split > 0) actions[`${event}First`] = drawAction(draw, event, places.slice(0, split), names, around);
    actions[event] = drawAction(draw, event, places.slice(split), names, around);
  }
  for (const state of living.filter((name) => !stable.includes(name))) {
    actions[`work${state}`] = drawAction(draw, undefined, [state], names, around);
  }
  const construct = Object.fromEntries(
    draw
      .some(members, 0.3)
      .map((name) => [
        name,
        properties[name] ?? (links[name]?.many ? [['array', { schema: [['string']] }]] : [['string']]),
      ]),
  ) as Record<string, SchemaPlan>;
  const raisable = eventNames.filter((event) => !events[event]!.params || random.chance(0.02));
  return {
    ...draw.maybe(0.1, () => ({ description: 'One of many.' })),
    ...draw.maybe(0.05, () => ({ schema: 1 + random.below(3) })),
    ...draw.maybe(0.04, () => ({
      migrations: { [1 + random.below(3)]: random.pick(['up', 'both', 'none'] as const) },
    })),
    ...draw.maybe(0.04, () => ({
      renamed: {
        [random.pick(['states', 'properties', 'links', 'events'])]: { old: draw.name([...names, ...eventNames]) },
      },
    })),
    key: drawKey(draw),
    properties,
    ...(Object.keys(links).length > 0 && { links }),
    ...draw.maybe(0.25, () => ({
      subordinates: Object.fromEntries(draw.names('part', 1, 2).map((name) => [name, drawSchema(random)])),
    })),
    ...draw.maybe(0.35, () => ({ construct })),
    ...draw.maybe(0.06, () => ({ fixed: draw.some([...Object.keys(properties), ...draw.some(['gone'], 0.05)], 0.4) })),
    ...draw.maybe(0.06, () => ({ secret: draw.some([...Object.keys(properties), ...draw.some(['gone'], 0.05)], 0.4) })),
    ...draw.maybe(0.1, () => ({ dimensions: drawDimensions(draw, members) })),
    ...draw.maybe(0.06, () => ({ roles: { [random.pick(['read', 'raise', 'operate'])]: drawRoles(draw) } })),
    states,
    events,
    actions,
    ...draw.maybe(0.6, () => ({ subscriptions: drawSubscriptions(draw, raisable, around) })),
    ...draw.maybe(0.3, () => ({ cancel: draw.name(raisable) })),
    ...draw.maybe(0.25, () => ({
      timers: Object.fromEntries(
        draw.names('tick', 1, 2).map((name) => [name, { ...drawRhythm(draw), raise: draw.name(raisable) }]),
      ),
    })),
  };
}

/** When a timer ticks: rarely so that the declaration is refused. */
function drawRhythm(draw: Draw): { readonly every: Duration } | { readonly cron: string; readonly timeZone?: string } {
  if (draw.random.chance(0.6)) return { every: draw.duration() };
  const cron = draw.random.chance(0.03)
    ? draw.random.pick(['0 0 30 2 *', '0 3 * *', '0 0 3 * * *', '61 * * * *'])
    : draw.random.pick(['* * * * *', '*/7 * * * *', '30 2 * * *', '0,30 0-3 * * mon-fri', '15 * 1,29 * 0']);
  const timeZone = draw.random.chance(0.03)
    ? 'Europe/Gotham'
    : draw.random.pick(['Europe/Berlin', 'Australia/Lord_Howe']);
  return { cron, ...draw.maybe(0.7, () => ({ timeZone })) };
}

/** With a first value, mostly: otherwise an entity could not be created. */
function given(draw: Draw, plan: SchemaPlan): SchemaPlan {
  const last = plan.at(-1)![0];
  if (['default', 'optional', 'nullish', 'catch', 'prefault'].includes(last) || draw.random.chance(0.03)) return plan;
  return draw.random.chance(0.5)
    ? [...plan, ['optional']]
    : [...plan, ['default', { value: drawDefault(draw.random, plan) }]];
}

function drawKey(draw: Draw): SchemaPlan {
  if (draw.random.chance(0.7)) return [['string']];
  if (draw.random.chance(0.1)) return drawSchema(draw.random);
  const parts: readonly SchemaPlan[] = [[['string']], [['int']], [['enum', { value: ['a', 'b'] }]], [['iso.date']]];
  const part = () => (draw.random.chance(0.05) ? drawSchema(draw.random, 0) : draw.random.pick(parts));
  const names = draw.names('part', draw.random.chance(0.05) ? 0 : 2, 2);
  return [['object', { shape: Object.fromEntries(names.map((name) => [name, part()])) }]];
}

function drawStates(draw: Draw, names: readonly string[], events: readonly string[]): Record<string, StatePlan> {
  const { random } = draw;
  return Object.fromEntries(
    names.map((name, index): [string, StatePlan] => {
      const ends = name.startsWith('Over') && index > 1;
      const stability = name.startsWith('Work') && !ends ? 'unstable' : 'stable';
      const acts = stability === 'unstable' || random.chance(0.005);
      const rests = stability === 'stable' && !ends;
      return [
        name,
        {
          initial: index === 0 ? random.chance(0.995) : random.chance(0.004),
          stability: random.chance(0.004) ? 'unstable' : stability,
          ...(ends && {
            ending: name.endsWith('0') || random.chance(0.01) ? ('deleted' as const) : ('terminal' as const),
          }),
          waiting: (rests && index > 0 && random.chance(0.15)) || random.chance(0.003),
          health: random.chance(0.15) ? 'error' : 'normal',
          ...(acts && draw.maybe(0.3, () => ({ wait: draw.duration() }))),
          ...(acts && draw.maybe(0.6, () => ({ retry: drawRetry(draw, names) }))),
          ...((!ends || random.chance(0.01)) &&
            draw.maybe(index === 0 ? 0.03 : 0.2, () => ({
              deadline: drawOneShot(draw, events),
            }))),
          ...(rests && index > 0 && draw.maybe(0.08, () => ({ deploys: 'system', ended: draw.name(events) }))),
          ...draw.maybe(0.01, () => ({ ended: draw.name(events) })),
          ...draw.maybe(0.01, () => ({ endWithin: draw.duration() })),
          ...draw.maybe(0.05, () => ({ constraint: drawConstraint(random) })),
          ...draw.maybe(0.05, () => ({ displayName: drawDisplayName(draw, `Called ${name}`) })),
          ...draw.maybe(0.03, () => ({ description: 'A state.' })),
        },
      ];
    }),
  );
}

/** Mostly a length of time; some are in a property. `n` counts commits, so it is a time that is long over, or a few milliseconds. */
function drawOneShot(draw: Draw, events: readonly string[]): OneShotTimer {
  const { random } = draw;
  const raise = draw.name(events);
  const of = random.pick(['properties.n', 'properties.p0', 'properties.p1'] as const);
  if (random.chance(0.05)) return { at: { of }, raise };
  return { after: random.chance(0.08) ? { of } : draw.duration(), raise };
}

function drawConstraint(random: Random): SchemaPlan {
  if (random.chance(0.2)) return drawSchema(random);
  const n: SchemaPlan = [['number'], ['max', { value: random.below(6) }]];
  return [['object', { shape: { properties: [['object', { shape: { n } }]] } }]];
}

function drawDisplayName(draw: Draw, usual: string): string {
  return draw.random.chance(0.15)
    ? draw.random.pick(['', ' a', 'Same', 'Same', 'x'.repeat(70), 'a\nb', 'Rest0', 'begin'])
    : usual;
}

function drawRetry(draw: Draw, states: readonly string[]) {
  const { random } = draw;
  const attempts = random.chance(0.01) ? random.pick([0, 1.5, -1, Number.NaN]) : random.pick([1, 2, 3, 5, 100]);
  return {
    ...draw.maybe(0.7, () => ({ attempts })),
    ...draw.maybe(0.6, () => ({
      delay: random.chance(0.35) ? random.pick<Duration>(['2m', '10m', '2h', 0]) : draw.duration(),
    })),
    ...draw.maybe(0.3, () => ({
      growth: random.chance(0.03) ? random.pick([0, 0.5, Number.NaN, Infinity]) : random.pick([1, 2, 10]),
    })),
    ...draw.maybe(0.25, () => ({ maxDelay: draw.duration() })),
    ...draw.maybe(0.4, () => ({ exhausted: draw.name(states.slice(1)) })),
  };
}

function drawEvent(
  draw: Draw,
  places: readonly string[],
  states: readonly string[],
  around: Neighbours,
  members: readonly string[],
): EventPlan {
  const { random } = draw;
  const elsewhere = states.filter((state) => !places.includes(state) || random.chance(0.01));
  return {
    in: draw.list(random.chance(0.003) ? [] : [...places, ...(random.chance(0.005) ? [draw.name(states)] : [])]),
    ...draw.maybe(0.25, () => ({ params: random.chance(0.4) ? endRecordLike() : drawSchema(random) })),
    ...draw.maybe(0.2, () => ({
      otherwise: Object.fromEntries(draw.some(elsewhere, 0.3).map((state) => [state, answer(draw)])),
    })),
    ...draw.maybe(0.15, () => ({ when: drawGuards(draw, members) })),
    ...draw.maybe(0.2, () => ({ interrupts: random.pick(['continue', 'cancel'] as const) })),
    ...draw.maybe(0.3, () => ({
      busy: random.chance(0.6)
        ? busy(draw)
        : Object.fromEntries(draw.few([...places, ...draw.some(states, 0.02)]).map((state) => [state, busy(draw)])),
    })),
    ...draw.maybe(0.25, () => ({ stays: random.chance(0.8) })),
    ...draw.maybe(0.05, () => ({ budget: draw.duration() })),
    ...draw.maybe(0.1, () => ({ internal: random.chance(0.9) })),
    ...draw.maybe(0.2, () => ({ answer: random.chance(0.9) })),
    ...draw.maybe(0.05, () => ({ roles: drawRoles(draw) })),
    ...draw.maybe(places.includes('Absent') ? 0.1 : 0.005, () => ({
      needs: {
        ...{
          type: draw.name(around.types),
          key: random.chance(0.9) ? ([['string']] as const) : ([['string'], ['transform', { code: 'upper' }]] as const),
        },
        ...{ unless: draw.maybe(0.5, () => ({ Rest0: answer(draw) })), absent: answer(draw) },
      },
    })),
    ...draw.maybe(0.05, () => ({ displayName: drawDisplayName(draw, `To go ${places.length}`) })),
    ...draw.maybe(0.03, () => ({ description: 'An event.' })),
  };
}

function drawGuards(draw: Draw, members: readonly string[]): EventPlan['when'] {
  const { random } = draw;
  return Array.from({ length: random.chance(0.03) ? 0 : 1 + random.below(2) }, () => ({
    is: drawCondition(draw, members, 2),
    ...draw.maybe(0.5, () => ({ otherwise: answer(draw) })),
  }));
}

function drawCondition(draw: Draw, members: readonly string[], depth: number): Condition {
  const { random } = draw;
  const kind = random.below(depth > 0 ? 10 : 7);
  if (kind === 7) return { kind: 'not', predicate: drawCondition(draw, members, depth - 1) };
  if (kind > 7) {
    const parts = Array.from({ length: random.chance(0.03) ? 0 : 1 + random.below(3) }, () =>
      drawCondition(draw, members, depth - 1),
    );
    return { kind: kind === 8 ? 'and' : 'or', predicates: parts };
  }
  const subject = () =>
    random.pick([
      'properties.n',
      'properties.n',
      'parameters.why',
      ...members.map((name) => `${name.startsWith('link') ? 'links' : 'properties'}.${name}`),
      ...(random.chance(0.02) ? [`properties.${draw.oddName()}`, 'links.none', 'properties.p0.deep'] : []),
    ]);
  const value = () => random.pick<Scalar>([0, 1, 2, 3, 'a', 'b', '', true, false, -0, 1e300]);
  const of = subject();
  if (kind === 0) return { kind: 'isSet', of };
  if (kind === 1) return { kind: 'isOneOf', of, values: random.chance(0.02) ? [] : [value(), value()] };
  const comparison = random.pick(Object.keys(COMPARISONS) as ComparisonName[]);
  return { kind: comparison, of, value: random.chance(0.2) ? { of: subject() } : value() };
}

/** Parameters that are all optional, so that subscriptions and timers can raise the event. */
function endRecordLike(): SchemaPlan {
  return [['looseObject', { shape: { why: [['string'], ['optional']] } }]];
}

function busy(draw: Draw) {
  const { random } = draw;
  return random.chance(0.25) ? answer(draw) : random.pick(['wait', 'abort', 'abort', 'reject'] as const);
}

function answer(draw: Draw) {
  return { code: draw.random.pick(['already_done', 'already_in_progress', 'own_code', '']), message: 'It is so.' };
}

function drawRoles(draw: Draw): readonly string[] {
  const all = ['owner', 'operator', 'reader', ...draw.some(['Bad Role', 'owner'], 0.1)];
  return draw.random.chance(0.05) ? [] : draw.few(all);
}

function drawDimensions(draw: Draw, members: readonly string[]): Record<string, string> {
  const sources = [
    'key',
    'tenant',
    'key.part0',
    ...members.map((name) => `properties.${name}`),
    ...members.map((name) => `links.${name}`),
  ];
  return Object.fromEntries(
    draw
      .few(['by_one', 'by_two', 'tenant', 'Not A Column'], 0.25)
      .map((name) => [name, name === 'tenant' && draw.random.chance(0.8) ? 'tenant' : draw.random.pick(sources)]),
  );
}

function drawAction(
  draw: Draw,
  on: string | undefined,
  places: readonly string[],
  states: readonly string[],
  around: Neighbours,
): ActionShape {
  const { random } = draw;
  const others = states.slice(random.chance(0.02) ? 0 : 1);
  const targets = on === 'begin' ? draw.few(others, 0.45) : draw.some(others, 0.45);
  return {
    ...(on !== undefined && { on }),
    in: draw.list(random.chance(0.003) ? [] : places),
    ...(targets.length > 0 && { to: draw.list(targets) }),
    ...draw.maybe(0.06, () => ({ wait: draw.duration() })),
    ...draw.maybe(0.1, () => ({
      raises: draw.some(
        [...around.events, ...(random.chance(0.02) ? (['Nobody.go', 'no event'] as `${string}.${string}`[]) : [])],
        0.7,
      ),
    })),
  };
}

function drawSubscriptions(
  draw: Draw,
  events: readonly string[],
  around: Neighbours,
): Record<string, SubscriptionShape> {
  return Object.fromEntries(
    draw.names('sees', 1, 3).map((name) => [
      name,
      {
        when: drawPredicate(draw, around, 2),
        raise: draw.name(events),
        ...draw.maybe(0.5, () => ({ among: draw.random.pick(['operation', 'life'] as const) })),
        ...draw.maybe(0.2, () => ({ timeout: drawOneShot(draw, events) })),
      },
    ]),
  );
}

function drawPredicate(draw: Draw, around: Neighbours, depth: number): Predicate {
  const { random } = draw;
  const kind = random.below(depth > 0 ? 10 : 7);
  if (kind === 7) return { kind: 'not', predicate: drawPredicate(draw, around, depth - 1) };
  if (kind > 7) {
    const parts = Array.from({ length: random.chance(0.03) ? 0 : 1 + random.below(3) }, () =>
      drawPredicate(draw, around, depth - 1),
    );
    return { kind: kind === 8 ? 'and' : 'or', predicates: parts };
  }
  const type = random.chance(0.5) ? draw.name(around.types) : undefined;
  const filter = {
    ...(type !== undefined && { type }),
    ...draw.maybe(0.15, () => ({ role: random.pick(['helper', 'other']) })),
    ...draw.maybe(0.1, () => ({ key: random.pick(['a', 'b']) })),
  };
  const states = type === undefined ? [] : around.states(type);
  const test = {
    ...(states.length > 0 && draw.maybe(0.4, () => ({ in: random.chance(0.02) ? [] : draw.few(states) }))),
    ...draw.maybe(0.6, () => ({ is: random.pick(SUCCESSOR_QUALITIES) })),
  };
  const count = random.chance(0.02) ? random.pick([0, -1, 1.5]) : 1 + random.below(4);
  return kind === 6
    ? { kind: 'atLeast', count, filter, test }
    : { kind: random.pick(['all', 'any', 'none'] as const), filter, test };
}

/** The keys of all kinds that entities of a type have. */
export function drawKeys(draw: Draw, key: SchemaPlan): TypePlan['keys'] {
  const { random } = draw;
  const [[method, first]] = key as readonly [SchemaPlan[number]];
  if (method !== 'object' || !first || !('shape' in first)) {
    const odd = [
      '',
      'é😀',
      'a/b',
      'a,b',
      '~1',
      '../a',
      'a b',
      'x'.repeat(900),
      'x'.repeat(2_000),
      'constructor',
      'a#b',
      '%2F',
      'a\u0000',
    ];
    return ['a', 'b', ...draw.some(odd, 0.05)];
  }
  const parts = (value: (plan: SchemaPlan) => unknown) =>
    Object.fromEntries(Object.entries(first.shape).map(([name, plan]) => [name, value(plan)])) as Record<
      string,
      string
    >;
  const textual = () => parts((plan) => drawFitting(random, plan)) as never;
  return [textual(), textual(), ...(random.chance(0.1) ? ['a,b', 'a'] : [])];
}

export function drawCall(draw: Draw): CallPlan {
  const { random } = draw;
  const output = random.chance(0.3) ? drawPlain(random) : drawSchema(random);
  const answer = random.pick(['activity', 'activity', 'inline', 'callback'] as const);
  const isAnswered = answer === 'callback';
  return {
    input: random.chance(0.4) ? drawPlain(random) : drawSchema(random),
    output,
    ...draw.maybe(0.2, () => ({ timeout: draw.duration() })),
    ...draw.maybe(0.1, () => ({ heartbeat: draw.duration() })),
    ...draw.maybe(0.1, () => ({ resumes: random.chance(0.5) })),
    ...draw.maybe(isAnswered ? 1 : 0.7, () => ({ answer })),
    ...((isAnswered ? random.chance(0.98) : random.chance(0.02)) && {
      within: random.pick<Duration>(['30s', '10m', '1s', '2d']),
    }),
    ...draw.maybe(isAnswered ? 0.3 : 0.02, () => ({ withdraw: true })),
    ...draw.maybe(0.1, () => ({ summary: random.pick(['does {name}', '', '{', 'x'.repeat(300)]) })),
    gives: random.chance(0.85) ? (drawFitting(random, output) ?? null) : drawValue(random),
    ...draw.maybe(0.12, () => ({ throws: random.pick(THROWN) })),
    ...draw.maybe(0.5, () => ({ afterMs: random.pick([0, 517, 5_021, 40_009]) })),
  };
}

export const TREES: readonly TreePlan[] = ['nothing', 'delay', 'sequence', 'many', 'fails', 'unknown'];
