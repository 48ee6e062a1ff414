/* Draws what the actions of types do, and what people do with them, once all types are declared. */
import { asList } from '../../../src/definition/names.js';
import type { Duration } from '../../../src/definition/duration.js';
import { TREES, type Draw } from './draw.js';
import type {
  CallPlan,
  CodePlan,
  Deed,
  GoPlan,
  RaisePlan,
  Request,
  Step,
  TargetPlan,
  TypePlan,
  When,
  WorldPlan,
} from './plan.js';
import { drawFitting, drawShape, drawValue } from './schema.js';
import { LARGE_CALLS, THROWN, type ValuePlan } from './value.js';

type Declared = readonly Pick<TypePlan, 'name' | 'declared' | 'keys'>[];

const SOME_ERROR: ValuePlan = { $: 'error', of: 30 };
const WITHIN: readonly Duration[] = ['5s', '1m', '1h'];

export function drawCode(draw: Draw, types: Declared, index: number, calls: WorldPlan['calls']): TypePlan['code'] {
  const { declared } = types[index]!;
  return Object.fromEntries(
    Object.entries(declared.actions).map(([name, { on, to, in: places, raises }]): [string, CodePlan] => {
      const targets = asList(to);
      const around = {
        types,
        index,
        calls,
        raises: raises as readonly string[] | undefined,
      };
      const deeds: Deed[] = [];
      // An action that fails to begin shows nothing more.
      const isBare = on === 'begin' && draw.random.chance(0.6);
      while (!isBare && deeds.length < 5 && draw.random.chance(on === 'begin' ? 0.3 : 0.55))
        deeds.push(drawDeed(draw, around));
      if (!isBare && draw.random.chance(0.4)) deeds.unshift(drawSet(draw, declared));
      // An action that works round after round mostly works on something else each time.
      const isRound = on === undefined && asList(places).some((each) => targets.includes(each));
      if (isRound && draw.random.chance(0.5))
        deeds.unshift({ do: 'say', way: draw.random.pick(['inline', 'say'] as const), counted: true });
      // An action that is tried again at times is worth trying again.
      if (on === undefined && draw.random.chance(0.2)) deeds.push({ do: 'throw', what: SOME_ERROR, when: 'first' });
      // An entity that rests for successors mostly has some.
      if (targets.some((each) => own(declared.states, each)?.waiting)) deeds.push(createsSomebody(draw, around));
      const goes: GoPlan[] = [];
      while (goes.length < 4 && draw.random.chance(0.7)) goes.push(drawGo(draw, targets, asList(places), isRound));
      const works = targets.filter((each) => own(declared.states, each)?.stability === 'unstable');
      // An entity that begins mostly has work to do.
      if (on === 'begin' && works.length > 0 && draw.random.chance(0.7)) goes.unshift({ to: draw.random.pick(works) });
      return [name, { deeds, goes }];
    }),
  );
}

interface Around {
  readonly types: Declared;
  readonly index: number;
  readonly calls: WorldPlan['calls'];
  readonly raises: readonly string[] | undefined;
}

function drawGo(draw: Draw, targets: readonly string[], places: readonly string[], isRound: boolean): GoPlan {
  const { random } = draw;
  if (targets.length === 0 || random.chance(0.15)) return {};
  if (isRound && random.chance(0.25)) return { again: true, ...draw.maybe(0.2, () => ({ wait: draw.duration() })) };
  if (random.chance(0.005)) return { again: true };
  const own = targets.filter((each) => places.includes(each));
  return {
    to:
      isRound && random.chance(0.3)
        ? random.pick(own)
        : random.chance(0.02)
          ? draw.name([...targets, ...places])
          : random.pick(targets),
    ...draw.maybe(0.1, () => ({ wait: draw.duration() })),
    ...draw.maybe(0.06, () => ({
      error: { code: 'not_well', message: random.chance(0.3) ? { $: 'text', of: 3_000_000 } : 'It is not well.' },
    })),
  };
}

function drawDeed(draw: Draw, around: Around): Deed {
  const { random } = draw;
  const { types, index, calls } = around;
  const { declared } = types[index]!;
  const within = random.pick(WITHIN);
  switch (random.below(30)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return drawSet(draw, declared);
    case 4: {
      const name = draw.name(Object.keys(declared.links ?? {}));
      const value = own(declared.links, name)?.many
        ? random.pick([[], ['a'], ['a', 'b'], ['a', 'a']])
        : random.pick(['a', 'nobody', '']);
      return { do: 'link', name, value: random.chance(0.1) ? drawValue(random) : value };
    }
    case 5:
    case 6: {
      const of = draw.name(Object.keys(declared.subordinates ?? {}));
      const plan = own(declared.subordinates, of);
      const value = plan && random.chance(0.85) ? drawFitting(random, plan) : drawValue(random);
      return {
        do: 'member',
        of,
        key: random.pick(['a', 'b', 'constructor', '', 'é']),
        ...(value !== undefined && { value }),
      };
    }
    case 7:
    case 8:
    case 9:
    case 10: {
      if (Object.keys(calls).length === 0) return { do: 'say', way: 'say', counted: true };
      const call = random.pick(Object.keys(calls));
      return { do: 'call', call, input: callInput(draw, calls[call]!) };
    }
    case 11:
    case 12:
    case 13:
      return { do: 'say', way: random.pick(['ask', 'inline', 'say'] as const), counted: random.chance(0.5) };
    case 14:
    case 15:
    case 16:
      return {
        do: 'together',
        branches: Array.from({ length: 2 + random.below(2) }, (_, branch) => drawBranch(draw, around, branch)),
      };
    case 17:
      return { do: 'times', times: random.pick([2, 10, 60, 200]), deed: drawDeed(draw, around) };
    case 18:
      return { do: 'throw', what: random.pick(THROWN), when: drawWhen(draw) };
    case 19:
      return { do: random.pick(['forever', 'freeze', 'spoil', 'deep', 'return'] as const) };
    case 20:
      return { do: 'raise', raise: drawRaise(draw, around) };
    case 21:
      return { do: 'create', raise: drawRaise(draw, around, 'begin') };
    case 22:
      return { do: 'construct', raise: drawRaise(draw, around, 'created') };
    case 23:
      return random.chance(0.5)
        ? { do: 'wait', raise: drawRaise(draw, around), within }
        : { do: 'createAndWait', raise: drawRaise(draw, around, 'begin'), within };
    case 24:
      return { do: 'read', of: drawTarget(draw, types), within };
    case 25:
      return {
        do: 'reserve',
        of: Array.from({ length: 1 + random.below(2) }, () => drawTarget(draw, types)),
        lease: random.pick<Duration>(['1s', '10m']),
        until: random.pick(['action', 'operation'] as const),
        within,
      };
    case 26:
      return {
        do: 'collect',
        ways: Array.from({ length: random.chance(0.05) ? 150 : random.below(5) }, () =>
          random.pick(['ask', 'inline', 'say'] as const),
        ),
        until: random.pick(['all', 'first', 'deadline', { answers: 2 }, { answers: 0 }] as const),
        within: random.pick<Duration>(['1s', '10m']),
        ...draw.maybe(0.3, () => ({ atOnce: random.pick([1, 2, 0]) })),
        ...draw.maybe(0.4, () => ({ none: random.pick(['fail', 'empty'] as const) })),
        ...draw.maybe(0.3, () => ({ several: random.pick(['fail', 'first'] as const) })),
      };
    case 27:
      return {
        do: 'answerBy',
        event: draw.name(random.chance(0.9) ? answersOf(declared.events) : Object.keys(declared.events)),
        within: random.pick<Duration>(['1m', '1h']),
        afterMs: random.pick([0, 1_013, 90_007]),
      };
    case 28:
      return random.chance(0.5)
        ? { do: 'run', tree: random.pick(TREES) }
        : { do: 'retryAfter', delay: draw.duration() };
    default:
      return {
        do: 'giveUp',
        message: random.chance(0.2) ? { $: 'text', of: 3_000_000 } : 'no use',
        when: drawWhen(draw),
      };
  }
}

/** The events for which an address can be made. */
function answersOf(events: TypePlan['declared']['events']): readonly string[] {
  return Object.keys(events).filter((name) => events[name]!.answer);
}

function drawSet(draw: Draw, { properties }: TypePlan['declared']): Deed {
  const { random } = draw;
  const name = draw.name(Object.keys(properties));
  const plan = own(properties, name);
  const value = plan && random.chance(0.85) ? drawFitting(random, plan) : drawValue(random);
  return { do: 'set', name, value: value ?? null };
}

function callInput({ random }: Draw, { input }: CallPlan): ValuePlan {
  if (['string', 'any', 'unknown'].includes(input[0]![0]) && random.chance(0.3)) return random.pick(LARGE_CALLS);
  return (random.chance(0.8) ? drawFitting(random, input) : undefined) ?? drawValue(random);
}

function drawWhen(draw: Draw): When {
  return draw.random.pick(['always', 'first', 'first', 'odd'] as const);
}

function drawBranch(draw: Draw, { types }: Around, branch: number): readonly Step[] {
  const { random } = draw;
  // Most begin with a question, so that several are answered at the same time, and go on at different paces.
  const first: readonly Step[] = random.chance(0.7) ? [{ say: 'ask', about: `${branch}` }] : [];
  const rest = Array.from({ length: 1 + random.below(4) }, (_, step): Step => {
    if (random.chance(0.35)) return { hops: 1 + random.below(6) };
    if (random.chance(0.06)) return { read: drawTarget(draw, types) };
    return { say: random.pick(['ask', 'ask', 'say', 'inline'] as const), about: `${branch}.${step}` };
  });
  return [...first, ...rest];
}

function drawTarget(draw: Draw, types: Declared): TargetPlan {
  const type = draw.random.below(types.length);
  const key = draw.random.chance(0.1)
    ? 'own'
    : draw.random.chance(0.1)
      ? 'fresh'
      : draw.random.below(types[type]!.keys.length);
  return { type, key };
}

function drawRaise(draw: Draw, { types, raises }: Pick<Around, 'types' | 'raises'>, event?: string): RaisePlan {
  const { random } = draw;
  const named = raises && raises.length > 0 && random.chance(0.85) ? random.pick(raises).split('.') : undefined;
  const meant = named ? types.findIndex(({ name }) => name === named[0]) : -1;
  const drawn = drawTarget(draw, types);
  const { type, key } = meant < 0 || event !== undefined ? drawn : { type: meant, key: drawn.key };
  const { declared } = types[type]!;
  const chosen = event ?? (meant >= 0 ? named![1]! : draw.name(Object.keys(declared.events)));
  const { params } = own(declared.events, chosen) ?? {};
  const value = params && (random.chance(0.85) ? drawFitting(random, params) : drawValue(random));
  return {
    ...{ type, key, event: chosen },
    ...(value !== undefined && { params: value }),
    ...(declared.construct &&
      (event === 'begin' || event === 'created') && { construct: drawShape(random, declared.construct) }),
    ...draw.maybe(0.15, () => ({ role: random.pick(['helper', 'other']) })),
    ...draw.maybe(0.15, () => ({ mayBeRejected: random.chance(0.7) })),
  };
}

function createsSomebody(draw: Draw, around: Around): Deed {
  const raise = { ...drawRaise(draw, around, 'begin'), key: draw.random.below(2) };
  return { do: 'create', raise };
}

/** Draws what people do, mostly with the first entities of each type. */
export function drawRequests(draw: Draw, types: Declared): WorldPlan['requests'] {
  const { random } = draw;
  const requests: Request[] = [];
  const begins = types.map((_, type): Request => ({
    ask: 'create',
    ...drawRaise(draw, { types, raises: undefined }, 'begin'),
    type,
    key: 0,
    id: type,
  }));
  for (const [type, request] of begins.entries()) {
    const { construct, events } = types[type]!.declared;
    const { params } = events['begin'] ?? {};
    const { params: _, construct: _values, ...bare } = request as RaisePlan & { ask: 'create'; id: number };
    const value = params && drawFitting(random, params);
    requests.push({
      ...bare,
      ...(value !== undefined && { params: value }),
      ...(construct && { construct: drawShape(random, construct) }),
    });
  }
  for (let id = types.length; id < 16 && random.chance(0.9); id++) {
    const key = random.chance(0.75) ? 0 : undefined;
    const raise = (event?: string) => {
      const drawn = drawRaise(draw, { types, raises: undefined }, event);
      return { ...drawn, ...(key !== undefined && { key }), id };
    };
    /** A request comes again, or another event under its id on the same entity. */
    const again = (): Request => {
      const before = random.pick(requests.filter((each) => 'event' in each));
      if (random.chance(0.7)) return before;
      return { ...before, ask: 'raise', event: draw.name(Object.keys(types[before.type]!.declared.events)) };
    };
    const kind = random.below(20);
    if (kind === 0) requests.push({ ask: 'cancel', id: random.below(id) });
    else if (random.chance(0.07)) requests.push(again());
    else if (kind === 1) requests.push({ ask: 'terminate', ...drawTarget(draw, types) });
    else if (kind < 4) requests.push({ ask: 'create', ...raise('begin') });
    else if (kind === 4) requests.push({ ask: 'construct', ...raise('created') });
    else if (kind === 5) requests.push({ ask: 'signal', ...raise() });
    else requests.push({ ask: 'raise', ...raise(), ...draw.maybe(0.6, () => ({ orValid: true as const })) });
    if (random.chance(0.7)) requests.push({ ask: 'pass', ms: random.pick([1, 500, 5_000, 60_000, 3_600_000]) });
  }
  // Anything that waits for longer than people ask is worth waiting for, too.
  if (random.chance(0.5)) requests.push({ ask: 'pass', ms: random.pick([60_000, 1_200_000, 4 * 3_600_000]) });
  return requests;
}

/** A member that is the object's own: names such as `constructor` are drawn too. */
function own<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}
