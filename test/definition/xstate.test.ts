import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineEntity, type AnyEntity } from '../../src/definition/index.js';
import { stateArrows } from '../../src/definition/state-arrows.js';
import { machineConfig } from '../../src/xstate/machine-config.js';
import { readMachine } from '../../src/xstate/machine.js';
import { declarationOf } from '../../src/xstate/declaration.js';
import type { Skeleton } from '../../src/xstate/skeleton.js';
import { skeletonsOf } from '../../src/xstate/skeletons.js';
import { controlPlane } from '../../workflows/definitions.js';
import { Box } from '../entities/box.js';
import { Kiln } from '../entities/kiln.js';
import { Site } from '../entities/site.js';

/* The shapes of the machines are those of XState's config, `packages/core/src/types.ts` in statelyai/xstate, of version 4 and 5. */

function imported(machine: object, name = 'Thing'): readonly Skeleton[] {
  const read = readMachine(machine);
  if ('problem' in read) throw new Error(read.problem);
  return skeletonsOf(read, name);
}

/** The only entity of a machine, as data. */
function only(machine: object) {
  const [first, ...others] = imported(machine);
  expect(others).toEqual([]);
  const { states, events, actions, limits, remarks } = first!;
  const shape = Object.fromEntries(
    Object.entries(actions).map(([name, { on, in: sources, to }]) => [name, [on, sources, to]]),
  );
  const kinds = Object.fromEntries(Object.entries(states).map(([name, { kind, options }]) => [name, [kind, options]]));
  return {
    states: kinds,
    events,
    actions: shape,
    limits,
    remarks: remarks.map(({ place, problem }) => `${place}: ${problem}`),
  };
}

const names = ['a', 'b', 'c d', 'constructor', '2x', 'Long_Name'];
const target = fc.constantFrom(...names, ...names.map((name) => `.${name}`), ...names.map((name) => `#m.${name}`));
const one = fc.record(
  { target, guard: fc.constantFrom('g', { type: 'h' }, null), actions: fc.constantFrom('x', ['y', null]) },
  { requiredKeys: [] },
);
const transitions = fc.oneof(target, one, fc.array(one, { maxLength: 3 }));
const events = fc.dictionary(fc.constantFrom('GO', 'a.b', '', '*', 'created', 'reeve'), transitions, { maxKeys: 3 });
const { node: anyNode } = fc.letrec<{ readonly node: object }>((tie) => ({
  node: fc.record(
    {
      type: fc.constantFrom('parallel', 'final', 'history', undefined, undefined, undefined),
      initial: fc.constantFrom(...names),
      on: events,
      always: transitions,
      after: fc.dictionary(fc.constantFrom('0', '500', 'soon'), transitions, { maxKeys: 2 }),
      invoke: fc.record({ src: fc.constantFrom('s', null), onDone: transitions, onError: transitions }),
      onDone: transitions,
      tags: fc.constantFrom('error', 'deleted'),
      states: fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 3, depthIdentifier: 'state' }),
    },
    { requiredKeys: [] },
  ),
}));
const anyMachine = fc
  .dictionary(fc.constantFrom(...names), anyNode, { minKeys: 1, maxKeys: 4 })
  .chain((states) => anyNode.map((root) => ({ ...root, id: 'm', states })));

describe('a machine of XState', () => {
  it('gives states, events and actions, and names that Reeve accepts', () => {
    const door = only({
      initial: 'closed',
      states: {
        closed: { on: { OPEN_DOOR: 'wide open', 'lock.it': { target: 'locked' } } },
        'wide open': { description: 'Anyone may enter.', on: { CLOSE: 'closed', KNOCK: { actions: 'answer' } } },
        locked: { type: 'final' },
      },
    });
    expect(door.states).toEqual({
      closed: ['stable', {}],
      WideOpen: ['stable', { description: 'Anyone may enter.' }],
      locked: ['terminal', {}],
    });
    expect(door.events).toEqual({
      openDoor: { in: ['closed'] },
      lockIt: { in: ['closed'] },
      close: { in: ['WideOpen'] },
      knock: { in: ['WideOpen'], stays: true },
    });
    expect(door.actions['openDoor']).toEqual(['openDoor', ['closed'], ['WideOpen']]);
    expect(door.actions['knock']).toEqual(['knock', ['WideOpen'], []]);
    expect(door.remarks).toEqual([]);
  });

  it('has its nested states joined, with what they inherit, and with the end of the last one', () => {
    const order = only({
      id: 'order',
      initial: 'open',
      on: { CANCEL: '.canceled' },
      states: {
        open: {
          initial: 'empty',
          onDone: 'paid',
          after: { 60000: '#order.canceled' },
          states: {
            empty: { on: { ADD: 'full' } },
            full: { on: { PAY: 'settled', CANCEL: {} } },
            settled: { type: 'final' },
          },
        },
        paid: { on: { SHIP: '#gone' } },
        gone: { id: 'gone', type: 'final' },
        canceled: { type: 'final' },
      },
    });
    expect(Object.keys(order.states)).toEqual(['open_empty', 'open_full', 'open_settled', 'paid', 'gone', 'canceled']);
    expect(order.states['open_settled']).toEqual(['unstable', {}]);
    expect(order.actions['finishOpenSettled']).toEqual([undefined, ['open_settled'], ['paid']]);
    expect(order.actions['ship']).toEqual(['ship', ['paid'], ['gone']]);
    expect(order.events['cancel']).toMatchObject({ in: ['open_empty', 'open_full', 'open_settled', 'paid'] });
    const timed = ['open_empty', 'open_full', 'open_settled'];
    expect(order.limits).toEqual({ openTimeout: { in: timed, after: '1m', raise: 'openTimeout' } });
    expect(order.events['openTimeout']).toEqual({ in: timed, internal: true });
  });

  it('has a service as the automatic action of an unstable state, and its error as the end of the attempts', () => {
    const { states, actions, events } = only({
      initial: 'loading',
      states: {
        loading: {
          invoke: { src: 'fetch user', onDone: [{ target: 'big', cond: 'isBig' }, 'small'], onError: 'failed' },
          after: { 5000: 'failed' },
          on: { STOP: 'failed' },
        },
        ...{ big: {}, small: {}, failed: { tags: ['error'], on: { RETRY: 'loading' } } },
      },
    });
    const retry = { attempts: 5, delay: '1s', exhausted: 'failed' };
    expect(states['loading']).toEqual(['unstable', { retry, deadline: { after: '5s', raise: 'loadingTimeout' } }]);
    expect(states['failed']).toEqual(['stable', { health: 'error' }]);
    expect(states['big']).toEqual(['terminal', {}]);
    expect(actions['fetchUser']).toEqual([undefined, ['loading'], ['big', 'small']]);
    expect(events['stop']).toEqual({ in: ['loading'], busy: { loading: 'abort' } });
  });

  it.each([
    { version: 4, decide: { on: { '': [{ target: 'good', cond: 'isGood' }, { target: 'bad' }] } } },
    { version: 5, decide: { always: [{ target: 'good', guard: { type: 'isGood' } }, 'bad'] } },
  ])('decides without an event in an unstable state, version $version', ({ decide }) => {
    const { states, actions } = only({ initial: 'decide', states: { decide, good: {}, bad: {} } });
    expect(states['decide']).toEqual(['unstable', {}]);
    expect(actions['leaveDecide']).toEqual([undefined, ['decide'], ['good', 'bad']]);
  });

  it('stays where no guard holds: a state that decides comes before, and again after each event', () => {
    const { states, actions } = only({
      initial: 'playing',
      states: {
        playing: { always: [{ target: 'won', guard: 'isFull' }], on: { SCORE: { actions: 'count' }, QUIT: 'won' } },
        won: { type: 'final' },
      },
    });
    expect(Object.keys(states)).toEqual(['playing_check', 'playing', 'won']);
    expect(actions['leavePlaying']).toEqual([undefined, ['playing_check'], ['won', 'playing']]);
    expect(actions['score']).toEqual(['score', ['playing'], ['playing_check']]);
  });

  it('has an entity for each region of a parallel state, and is told so', () => {
    const [whole, ...regions] = imported({
      initial: 'shipping',
      states: {
        shipping: {
          type: 'parallel',
          onDone: 'done',
          on: { PRINT: 'lost' },
          states: {
            label: {
              initial: 'none',
              states: { none: { on: { PRINT: 'there', LOSE: '#lost' } }, there: { type: 'final' } },
            },
            route: { initial: 'open', states: { open: { on: { PLAN: 'planned' } }, planned: { type: 'final' } } },
          },
        },
        ...{ done: { type: 'final' }, lost: { id: 'lost', type: 'final' } },
      },
    });
    expect(regions.map(({ name }) => name)).toEqual(['ThingLabel', 'ThingRoute']);
    expect(Object.keys(whole!.states)).toEqual(['shipping', 'done', 'lost']);
    expect(Object.keys(whole!.events)).toEqual(['print', 'shippingDone']);
    expect(whole!.remarks.map(({ problem }) => problem)).toEqual(['is parallel: label, route']);
    expect(regions[0]!.remarks.map(({ problem }) => problem)).toEqual([`leaves its region for '#lost'`]);
    const all = imported({
      type: 'parallel',
      states: { a: { initial: 'x', states: { x: {} } }, b: { initial: 'y', states: { y: {} } } },
    });
    expect(all.map(({ name }) => name)).toEqual(['Thing', 'ThingA', 'ThingB']);
    expect(Object.keys(all[0]!.states)).toEqual(['AllRegions', 'Removed']);
  });

  it.each([
    { is: 'atomic, with an empty list of states', state: { states: {}, on: { GO: 'b' } }, names: ['a', 'b'] },
    {
      is: 'parallel in the words of version 4',
      state: { parallel: true, states: { x: {} }, on: { GO: 'b' } },
      names: ['a', 'b'],
    },
    {
      is: 'a parent of a history state in the words of version 4',
      state: { initial: 'x', states: { x: { on: { GO: '#b' } }, last: { history: 'deep' } } },
      names: ['a_x', 'b'],
    },
  ])('can be $is', ({ state, names }) => {
    const { states } = only({ initial: 'a', states: { a: state, b: { id: 'b', on: { BACK: 'a.last', AGAIN: 'a' } } } });
    expect(Object.keys(states)).toEqual(names);
  });

  it('has other names for events that Reeve reserves, and for those of JavaScript', () => {
    const on = { created: 'constructor', reeveStop: 'constructor', '2x': 'constructor' };
    const { events, states } = only({ initial: 'a', states: { a: { on }, constructor: { on: { BACK: 'a' } } } });
    expect(Object.keys(events)).toEqual(['onCreated', 'onReeveStop', 'event2x', 'back']);
    expect(Object.keys(states)).toEqual(['a', 'constructor2']);
  });

  it('leaves out what leads nowhere, also where that is all that a state has', () => {
    const { states, remarks } = only({
      initial: 'a',
      states: {
        a: { always: { target: 'nowhere', guard: 'g' }, on: { GO: 'b' } },
        b: { type: 'parallel', states: { x: { states: { h: { type: 'history' } } } } },
      },
    });
    expect(Object.keys(states)).toEqual(['a', 'b', 'Removed']);
    expect(remarks).toEqual([
      "a: leads to 'nowhere', which does not exist",
      'b: is parallel: x',
      'b: would never be left',
    ]);
    expect(readMachine({ states: { h: { type: 'history' } } })).toHaveProperty('problem');
  });

  it('is told all that an entity does not have, each with its place and a remedy', () => {
    const { remarks, states, events } = only({
      id: 'thing',
      initial: 'a',
      states: {
        a: {
          entry: 'begin',
          invoke: { src: 'ticks', onError: 'b' },
          on: { '*': 'b.back', GO: ['c', 'nowhere'] },
          after: { 50: 'b', 100: 'b' },
        },
        b: {
          initial: 'one',
          states: {
            one: { on: { NEXT: 'two' }, after: { soon: 'two' } },
            two: { on: { NEXT: 'one', STOP: '#thing.f' } },
            back: { type: 'history' },
          },
        },
        c: { always: 'd' },
        d: { always: [{ target: 'c' }] },
        e: {},
        f: { on: { COUNT: { actions: 'count' } } },
      },
    });
    expect(remarks).toEqual([
      "a: 'ticks' runs while the state lasts",
      "a: takes any event, '*'",
      'b.back: is a history state',
      "a: leads to 'nowhere', which does not exist",
      'a: is the initial state and has entry actions',
      'e: is never reached, and left out',
      'a: has several delays',
      "b_one: 'soon' is a delay without a length",
      'f: would never be left',
      'c: is part of a loop without a pause',
    ]);
    expect(states['Removed']).toEqual(['deleted', {}]);
    expect(events['remove']).toEqual({ in: ['f'] });
  });

  it.each([
    { is: 'no object', machine: [1], problem: 'the document: ' },
    { is: 'no machine', machine: { name: 'reeve' }, problem: "it has no 'states'" },
    {
      is: 'wrong inside',
      machine: { states: { a: { on: { GO: { target: 3 } } } } },
      problem: 'states.a.on.GO.0.target',
    },
    {
      is: 'a definition',
      machine: { key: 'a', transitions: [], states: {} },
      problem: 'JSON.stringify(machine.config)',
    },
  ])('is refused if it is $is', ({ machine, problem }) => {
    expect((readMachine(machine) as { readonly problem: string }).problem).toContain(problem);
  });

  it('gives declarations that Reeve accepts, whatever it has', () => {
    fc.assert(
      fc.property(anyMachine, (machine) => {
        const read = readMachine(machine);
        if ('problem' in read) return;
        for (const each of skeletonsOf(read, 'Thing')) defineEntity(each.name, declarationOf(each) as never);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a declaration as a machine of XState', () => {
  const shapeOf = (entity: AnyEntity) => ({
    states: Object.entries(entity.states).map(([name, { initial, stability, ending, health }]) => ({
      ...{ name, initial, stability, ending, health },
    })),
    events: Object.fromEntries(
      Object.entries(entity.events).map(([name, event]) => [name, [event.in].flat().toSorted()]),
    ),
    arrows: stateArrows(entity)
      .flatMap(({ from, to, causes }) => causes.map(({ event }) => `${from} ${event ?? ''} ${to}`))
      .toSorted(),
  });

  it.each([Box, Kiln, Site, ...controlPlane].map((entity) => ({ entity, name: entity.name })))(
    'says the same of $name when it is imported again',
    ({ entity, name }) => {
      const [again, ...others] = imported(machineConfig(entity), name);
      expect(others).toEqual([]);
      const made = defineEntity(name, declarationOf(again!) as never);
      expect(shapeOf(made)).toEqual(shapeOf(entity));
    },
  );

  it('has guards and descriptions in words, and delays in milliseconds', () => {
    const { initial, states } = machineConfig(Box);
    expect(initial).toBe('Absent');
    expect(states['Placing']).toMatchObject({
      tags: ['unstable'],
      invoke: { src: 'put', onDone: [{ target: 'Placed' }], onError: [{ target: 'Clearing' }] },
    });
    expect(states['Deleted']).toEqual({ type: 'final', tags: ['deleted'] });
  });
});
