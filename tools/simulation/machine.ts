import { z } from 'zod';
import {
  all,
  and,
  any,
  defineEntity,
  deleted,
  initial,
  not,
  or,
  property,
  rejection,
  stable,
  terminal,
  unstable,
  type AnyEntity,
  type AnyImplementation,
} from '../../src/definition/index.js';
import type { State } from '../../src/definition/state.js';
import type { Random } from '../../src/simulation/index.js';
import { act, someBehaviour, type Behaviour } from './behaviour.js';
import { withOutsideDeeds } from './outside-deeds.js';

/**
 * The events that anybody may raise on any generated machine. Some also come by themselves: `done` and `refused` from its
 * subscriptions, `expire` from deadlines and time-outs, `stop` from requests to cancel.
 */
export const EVENTS = [
  'begin',
  'go',
  'change',
  'turn',
  'end',
  'ask',
  'stop',
  'archive',
  'expire',
  'done',
  'refused',
] as const;

/** Actions that ask nobody: they begin again by themselves when they have failed, or have to be over soon. */
const ASKS_NOTHING = ['begin', 'archive', 'done', 'refused', 'noticed'];

/** The events that a machine can do without. */
const GUARDED = ['go', 'change', 'turn', 'ask', 'tick', 'expire', 'archive'];

/** Some entity types that create each other and raise events on each other. The first ones turn to the later ones. */
export function someMachines(random: Random, outside: Random): readonly AnyImplementation[] {
  const count = 2 + random.below(3);
  const types: AnyEntity[] = [];
  const implementations: AnyImplementation[] = [];
  for (let index = count - 1; index >= 0; index--) {
    const { entity, behaviours } = someMachine(random, outside, index, count);
    types[index] = entity;
    const actions = Object.entries(behaviours).map(([name, behaviour]) => [name, act(behaviour, types)] as const);
    implementations.unshift({ entity, actions: Object.fromEntries(actions) });
  }
  return implementations;
}

function someMachine(random: Random, outside: Random, index: number, count: number) {
  const last = index === count - 1;
  const numbered = (name: string, from: number, below: number) =>
    Array.from({ length: from + random.below(below) }, (_, number) => `${name}${number}`);
  const rests = numbered('Rest', 1, 3);
  const works = numbered('Work', 0, 4);
  const waits = !last && random.chance(0.7) ? ['Waiting'] : [];
  const watches = !last && random.chance(0.5);
  const lasting = [...rests, 'Bad', ...waits, ...works];
  const some = (names: readonly string[]) => names.filter(() => random.chance(0.5));

  const limited = some([...rests, ...works, ...waits]);
  const timesOut = waits.length > 0 && random.chance(0.4);
  const expiring = [...new Set([...limited, ...(timesOut ? waits : [])])];
  const deadline = (name: string) =>
    limited.includes(name) && {
      deadline: { after: random.pick(['900ms', '20s', '10m'] as const), raise: 'expire' as never },
    };
  const among = random.chance(0.2) && { among: 'life' as const };
  const ticks = random.chance(0.3);
  const cancels = random.chance(0.6);
  const archives = random.chance(0.3);

  const targets: Record<string, readonly string[]> = {
    begin: ['Rest0', ...some(lasting)],
    go: lasting,
    change: some(lasting),
    turn: some([...rests, 'Bad', ...works]),
    // It does not go back to where it came from, since the pattern would still be there.
    ...(watches && { noticed: ['Bad', ...rests.slice(1)] }),
    ask: some(rests),
    ...(cancels && { stop: [...rests, 'Bad'] }),
    ...(archives && { archive: ['Archived'] }),
    ...(expiring.length > 0 && { expire: ['Bad', ...some(rests)] }),
    ...(ticks && { tick: some(['Bad', ...rests]) }),
    end: ['Ending'],
    finish: ['Gone'],
    // Work goes only forward, so that no machine works for ever.
    ...Object.fromEntries(
      works.map((_, at) => [`work${at}`, [...rests.slice(0, 1 + random.below(3)), ...works.slice(at), ...waits]]),
    ),
    ...(waits.length > 0 && { done: [...rests, ...some(works)], refused: ['Bad', ...some(works)] }),
  };
  const places: Record<string, readonly string[]> = {
    begin: ['Absent'],
    go: ['Rest0', ...some(lasting.slice(1))],
    change: ['Bad', ...some(lasting.filter((name) => name !== 'Bad'))],
    turn: [random.pick(lasting)],
    ...(watches && { noticed: ['Rest0', ...waits, ...works] }),
    // It is not valid where it would begin the work again that asks.
    ask: [...rests, 'Bad'],
    ...(cancels && { stop: [random.pick(lasting), ...works] }),
    ...(archives && { archive: rests }),
    ...(expiring.length > 0 && { expire: expiring }),
    ...(ticks && { tick: [random.pick(lasting), ...some(lasting)] }),
    end: [...rests, 'Bad', ...some([...waits, ...works])],
    finish: ['Ending'],
    ...Object.fromEntries(works.map((name, at) => [`work${at}`, [name]])),
    ...(waits.length > 0 && { done: waits, refused: waits }),
  };
  // Drawn apart, as what is asked outside.
  const limit = expiring.length > 1 &&
    outside.chance(0.5) && {
      in: expiring.slice(0, 3),
      after: outside.pick(['2s', '40s', '5m'] as const),
      raise: 'expire',
    };
  const every = ticks ? random.pick(['40s', '5m'] as const) : '5m';
  const cron = outside.pick(['* * * * *', '*/5 * * * *', '0,20 1-3 * * *', '30 2 * * *']);
  const rhythm = outside.chance(0.4)
    ? { cron, timeZone: outside.pick(['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) }
    : { every };
  const isTold = waits.length > 0 && outside.chance(0.5);
  const events = [...EVENTS, 'noticed', 'tick'].filter((name) => places[name]);
  const behaviours = Object.fromEntries(
    Object.keys(targets).map((name): [string, Behaviour] => {
      const automatic = !events.some((event) => event === name);
      const asks = ASKS_NOTHING.includes(name) ? 0 : name === 'ask' ? index : count;
      const role = { index, types: count, targets: targets[name]!, events: EVENTS, automatic, asks };
      const behaviour = someBehaviour(random, { ...role, turnsToOthers: name !== 'ask' });
      if (ASKS_NOTHING.includes(name)) return [name, behaviour];
      return [name, { ...behaviour, isTold, deeds: withOutsideDeeds(outside, behaviour.deeds) }];
    }),
  );
  // It is chosen apart, so that it changes nothing of the rest.
  if (isTold) {
    targets['told'] = [...rests, ...works];
    places['told'] = waits;
    events.push('told');
    const nothing = { deeds: [], team: [], reports: false, strays: false, waitMs: undefined };
    behaviours['told'] = { ...nothing, targets: targets['told'] };
  }
  const states: Record<string, State<never>> = {
    Absent: initial(),
    ...Object.fromEntries(rests.map((name) => [name, stable({ ...deadline(name) })])),
    Bad: stable({ health: 'error' }),
    ...Object.fromEntries(waits.map((name) => [name, stable({ waiting: true, ...deadline(name) })])),
    ...Object.fromEntries(
      works.map((name, at) => [
        name,
        {
          ...withErrors(outside, behaviours[`work${at}`]!, someWork(random, behaviours[`work${at}`]!)),
          ...deadline(name),
        },
      ]),
    ),
    Ending: unstable({ retry: { delay: '200ms' } }),
    Gone: deleted(),
    ...(archives && { Archived: terminal() }),
  };
  const entity: AnyEntity = defineEntity(`Type${index}`, {
    key: z.string(),
    properties: z.object({
      count: z.number().default(0),
      seen: z.number().optional(),
      misheard: z.string().optional(),
    }),
    states,
    events: Object.fromEntries(
      events.map((name) => [
        name,
        name === 'told'
          ? { in: places[name]!, answer: true, internal: outside.chance(0.5) }
          : { in: places[name]!, ...someManners(random), ...someGuards(outside, name) },
      ]),
    ),
    actions: Object.fromEntries(
      Object.keys(targets).map((name) => [
        name,
        { in: places[name]!, to: targets[name]!, ...(events.some((event) => event === name) && { on: name }) },
      ]),
    ),
    subscriptions: {
      ...(waits.length > 0 && {
        refused: { when: any({ is: 'rejected' }), raise: 'refused', ...among },
        done: {
          when: random.chance(0.5) ? all({ is: 'settled' }) : or(all({ is: 'healthy' }), all({ is: 'settled' })),
          raise: 'done',
          ...among,
          ...(timesOut && { timeout: { after: random.pick(['5s', '2m'] as const), raise: 'expire' } }),
        },
      }),
      ...(watches && {
        noticed: {
          when: any({ is: random.pick(['healthy', 'failed']) }),
          raise: 'noticed',
          ...(random.chance(0.3) && { among: 'life' as const }),
          ...(outside.chance(0.5) && { in: outside.pick(['Rest0', ...waits, ...works]) }),
        },
      }),
    },
    ...(limit && { limits: { busy: limit } }),
    ...(cancels && { cancel: 'stop' }),
    ...(ticks && { timers: { tick: { ...rhythm, raise: 'tick' } } }),
  });
  return { entity, behaviours };
}

/** Draws what an event does with what is under way when it comes. */
function someManners(random: Random) {
  return {
    ...(random.chance(0.3) && { busy: random.pick(['abort', 'reject', rejection('engaged')] as const) }),
    ...(random.chance(0.25) && { interrupts: 'cancel' as const }),
    ...(random.chance(0.2) && { stays: true }),
  };
}

/** Conditions for events that need not be possible, drawn apart, so that they change nothing of the rest. S2.2 */
function someGuards(outside: Random, event: string) {
  if (!GUARDED.includes(event) || !outside.chance(0.3)) return {};
  const count = property('count');
  const bound = 1 + outside.below(4);
  const is = outside.pick([
    count.isAtLeast(bound),
    count.isBelow(bound),
    not(count.isOneOf([1, 2, bound])),
    or(property('seen').isSet(), count.isAbove(bound)),
    and(count.isNot(bound), not(property('misheard').is('never'))),
  ]);
  return { when: [{ is, ...(outside.chance(0.5) && { otherwise: rejection('guarded') }) }] };
}

/** A rule for errors of one kind, drawn apart, so that it changes nothing of the rest. S3.5 */
function withErrors(outside: Random, behaviour: Behaviour, work: State<string, never>): State<never> {
  if (!outside.chance(0.5)) return work as State<never>;
  const code = outside.pick(codesOf(behaviour));
  const rule = {
    attempts: 1 + outside.below(3),
    delay: 300,
    ...(outside.chance(0.6) && { exhausted: 'Bad' as never }),
  };
  return { ...work, retry: { ...work.retry, errors: { [code]: rule } } } as State<never>;
}

/** The codes with which an action may end; one at least. */
function codesOf({ deeds, reports }: Behaviour): readonly string[] {
  const does = (...kinds: readonly string[]) => deeds.some(({ kind }) => kinds.includes(kind));
  const codes = [
    ...(does('flaky', 'slow start') ? ['defect'] : []),
    ...(does('look') ? ['engaged'] : []),
    ...(does('give up') ? ['no_use'] : []),
    ...(reports ? ['reported'] : []),
  ];
  return codes.length > 0 ? codes : ['defect'];
}

function someWork(random: Random, { deeds }: Behaviour) {
  // Work that waits for others may fail each time: they may wait for it too, so that only its time limit ends that.
  const limited = random.chance(0.6) || deeds.some(({ kind }) => kind === 'ask' || kind.endsWith('and wait'));
  return unstable({
    health: random.chance(0.2) ? 'error' : 'normal',
    ...(random.chance(0.3) && { wait: random.below(3) * 1_000 }),
    retry: {
      delay: 100 + random.below(1_000),
      ...(limited && { attempts: 2 + random.below(3) }),
      ...(limited && random.chance(0.7) && { exhausted: 'Bad' as never }),
    },
  });
}
