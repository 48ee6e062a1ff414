import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  all,
  and,
  any,
  atLeast,
  defineEntity,
  defineResource,
  initial,
  link,
  none,
  not,
  or,
  stable,
  unstable,
  type AnyEntity,
  type Predicate,
} from '../../src/definition/index.js';
import { checkModel } from '../../src/definition/model/check.js';
import { longWaitAdvice } from '../../src/definition/model/long-waits.js';
import { describePath } from '../../src/definition/model/problem.js';
import { controlPlane } from '../../workflows/definitions.js';
import * as bank from '../entities/bank.js';
import * as box from '../entities/box.js';
import * as fleet from '../entities/fleet.js';
import * as job from '../entities/job.js';
import * as kiln from '../entities/kiln.js';
import { Lease } from '../entities/lease.js';
import { Press } from '../entities/press.js';
import { Site } from '../entities/site.js';
import { Seed, Town } from '../entities/town.js';
import { Twin } from '../entities/twin.js';
import * as vault from '../entities/vault.js';

const common = { key: z.string(), properties: z.object({}) };

const Room = defineEntity('Room', {
  ...common,
  states: { Empty: initial(), Full: stable() },
  events: { fill: { in: 'Empty' }, clear: { in: 'Full' } },
  actions: { fill: { on: 'fill', in: 'Empty', to: 'Full' }, clear: { on: 'clear', in: 'Full', to: 'Empty' } },
});

/** Tells what is wrong, with the way to it. */
const told = (...entities: readonly AnyEntity[]) =>
  checkModel(entities).map(({ place, problem, path }) => `${place}: ${problem} | ${describePath(path)}`);

describe('declarations together (S1.5)', () => {
  it('of the reference control plane are sound', () => {
    expect(told(...controlPlane)).toEqual([]);
  });

  it('of the tests have subscriptions that do fire: none is told to be dead (S4.3)', () => {
    const { Account, Clerk } = bank;
    const { Batch, Caller, Floor, Job, Plan } = job;
    const all = [Account, Clerk, box.Box, box.Room, fleet.Fleet, fleet.Ship, Job, Batch, Plan, Caller, Floor];
    const others = [kiln.Kiln, kiln.Pottery, Lease, Press, Site, Seed, Town, Twin, vault.Vault, vault.Cellar];
    expect(told(...all, ...others).filter((each) => each.includes('can never match'))).toEqual([]);
  });

  it('each come with a remedy', () => {
    const [problem] = checkModel([{ ...Room, links: { room: link('Nowhere') } }]);
    expect(problem?.remedy).toBe('Name one of Room.');
  });

  describe('a state from which an entity can never settle', () => {
    const trap = (ways: object) =>
      defineEntity('Trap', {
        ...common,
        states: {
          Free: initial(),
          Running: unstable({ retry: { attempts: 3, exhausted: 'Limping' } }),
          Limping: unstable({ wait: '1s' }),
          Round: unstable({ wait: '1s' }),
        },
        events: { run: { in: 'Free' } },
        actions: {
          run: { on: 'run', in: 'Free', to: 'Running' },
          go: { in: 'Running', to: 'Free' },
          limp: { in: 'Limping', to: ['Round'] },
          round: { in: 'Round', to: ['Limping'] },
          ...ways,
        },
      });

    it('is told once, where the last way to settle is left behind, with the way there', () => {
      expect(told(trap({}))).toEqual([
        'Trap.states.Limping: can never settle: no path leads to a stable state that is not waiting | ' +
          'Free -(run / run)-> Running -(attempts used up)-> Limping',
      ]);
    });

    it('is none when some way leads out', () => {
      expect(told(trap({ round: { in: 'Round', to: ['Limping', 'Free'] } }))).toEqual([]);
    });
  });

  describe('an internal event', () => {
    const Door = defineEntity('Door', {
      ...common,
      states: { Open: initial(), Shut: stable() },
      events: { shut: { in: 'Open' }, blow: { in: 'Shut', internal: true } },
      actions: { shut: { on: 'shut', in: 'Open', to: 'Shut' }, blow: { on: 'blow', in: 'Shut', to: 'Open' } },
    });

    it('that nothing raises is told, with the way to where it is valid', () => {
      expect(told(Door, Room)).toEqual([
        'Door.events.blow: is internal, and nothing raises it | Open -(shut / shut)-> Shut',
      ]);
    });

    it('may be raised by the action of another entity', () => {
      const actions = { ...Room.actions, fill: { ...Room.actions.fill, raises: ['Door.blow'] } } as const;
      expect(told(Door, { ...Room, actions })).toEqual([]);
    });

    it('may be raised by a subscription of its own', () => {
      const subscriptions = { wind: { when: any({ is: 'failed' }), raise: 'blow' } } as const;
      expect(told({ ...Door, subscriptions })).toEqual([]);
    });
  });

  it.each<[string, Partial<AnyEntity>]>([
    ['a timer', { timers: { daily: { every: '1d', raise: 'close' } } }],
    ['a deadline', { states: { Open: initial(), Shut: stable({ deadline: { after: '1h', raise: 'close' } }) } }],
    ['a request to cancel', { cancel: 'close' }],
    [
      'the time-out of a subscription',
      { subscriptions: { wait: { when: any({}), raise: 'go', timeout: { after: '1h', raise: 'close' } } } },
    ],
  ])('of which %s raises an internal event are sound (S4.5, S4.7)', (_, raiser) => {
    const Gate = defineEntity('Gate', {
      ...common,
      states: { Open: initial(), Shut: stable() },
      events: { go: { in: ['Open', 'Shut'] }, close: { in: ['Open', 'Shut'], internal: true } },
      actions: {
        go: { on: 'go', in: ['Open', 'Shut'], to: ['Shut', 'Open'] },
        close: { on: 'close', in: ['Open', 'Shut'], to: ['Shut', 'Open'] },
      },
    });
    expect(told(Gate)).toHaveLength(1);
    expect(told({ ...Gate, ...raiser })).toEqual([]);
  });

  describe('a wait for reports that nobody can send', () => {
    /** A hotel that opens by way of a short cut or of a long one, and waits for its rooms. */
    const hotel = (when: Predicate, ways: object = {}, events: object = {}) =>
      defineEntity('Hotel', {
        ...common,
        states: { Planned: initial(), Building: unstable(), Waiting: stable({ waiting: true }), Open: stable() },
        events: { build: { in: 'Planned' }, ready: { in: 'Waiting' }, close: { in: 'Open' }, ...events },
        actions: {
          begin: { on: 'build', in: 'Planned', to: 'Building', raises: [] },
          build: { in: 'Building', to: 'Waiting', raises: [] },
          finish: { on: 'ready', in: 'Waiting', to: 'Open', raises: [] },
          close: { on: 'close', in: 'Open', to: 'Planned', raises: [] },
          ...ways,
        },
        subscriptions: { rooms: { when, raise: 'ready' } },
      });
    const silent =
      'Hotel.states.Waiting: can wait forever: only subscriptions leave it, and no action on this path raises an event ' +
      'on an entity that they match | Planned -(build / begin)-> Building -(build)-> Waiting';
    const build = (...raises: readonly `${string}.${string}`[]) => ({
      build: { in: 'Building', to: 'Waiting', raises },
    });
    const rooms = all({ of: Room, in: 'Full' });

    it('is told, with the way there', () => {
      expect(told(hotel(rooms), Room)).toEqual([silent]);
      expect(told(hotel(rooms, build('Hotel.build')), Room)).toEqual([silent]);
    });

    it('is none when an action on the way raises on such an entity', () => {
      expect(told(hotel(rooms, build('Room.fill')), Room)).toEqual([]);
      expect(told(hotel(rooms, build('Room.created')), Room)).toEqual([]);
    });

    it('is told when only another way leads past such an action', () => {
      const ways = {
        begin: { on: 'build', in: 'Planned', to: ['Building', 'Waiting'], raises: [] },
        ...build('Room.fill'),
      };
      expect(told(hotel(rooms, ways), Room)).toEqual([silent.replace(' Building -(build)-> Waiting', ' Waiting')]);
    });

    it('is not judged when an action on the way does not say what it raises', () => {
      expect(told(hotel(rooms, { build: { in: 'Building', to: 'Waiting' } }), Room)).toEqual([]);
    });

    it('is none when an event leaves the state that no subscription raises', () => {
      const ways = { stop: { on: 'stop', in: 'Waiting', to: 'Planned', raises: [] } };
      expect(told(hotel(rooms, ways, { stop: { in: 'Waiting' } }), Room)).toEqual([]);
    });

    it.each<[string, Predicate, boolean]>([
      ['none needs no successor', none({ of: Room }), false],
      ['not any needs no successor', not(any({ of: Room })), false],
      ['not none needs one', not(none({ of: Room })), true],
      ['all that must hold', and(none({ is: 'failed' }), rooms), true],
      ['one of several that may hold', or(none({ is: 'failed' }), rooms), false],
      ['not and is one of several', not(and(any({ of: Room }), none({ is: 'failed' }))), false],
      ['not or is all of several', not(or(any({ is: 'failed' }), none({ of: Room }))), true],
      ['any type needs a successor', any({ is: 'settled' }), true],
    ])('is seen through a pattern: %s', (_, when, problem) => {
      expect(told(hotel(when), Room)).toEqual(problem ? [silent] : []);
    });

    it('is none when a deadline leaves the state in any case (S4.5)', () => {
      const silentOne = hotel(rooms);
      const { states } = silentOne;
      const Waiting = stable({ waiting: true, deadline: { after: '1h', raise: 'ready' } });
      expect(told({ ...silentOne, states: { ...states, Waiting } }, Room)).toEqual([]);
    });

    it('sees what is raised while it waits', () => {
      const more = {
        start: { when: none({ of: Room }), raise: 'order' },
        rooms: { when: rooms, raise: 'ready' },
      } as const;
      const plain = hotel(
        rooms,
        { order: { on: 'order', in: 'Waiting', to: 'Waiting', raises: ['Room.fill'] } },
        {
          order: { in: 'Waiting' },
        },
      );
      expect(told({ ...plain, subscriptions: more }, Room)).toEqual([]);
    });
  });

  describe('a subscription that can never fire', () => {
    const Oven = defineEntity('Oven', {
      ...common,
      states: {
        Cold: initial(),
        Heating: unstable({ retry: { attempts: 3, exhausted: 'Broken' } }),
        Cooling: unstable(),
        Hot: stable(),
        Broken: stable(),
      },
      events: { heat: { in: ['Cold', 'Broken'] }, cool: { in: 'Hot' } },
      actions: {
        heat: { on: 'heat', in: ['Cold', 'Broken'], to: 'Heating', raises: [] },
        warm: { in: 'Heating', to: 'Hot', raises: [] },
        cool: { on: 'cool', in: 'Hot', to: 'Cooling', raises: [] },
        rest: { in: 'Cooling', to: 'Cold', raises: [] },
      },
    });
    /** A bakery that is open all the time, and watches its ovens from there. */
    const bakery = (when: Predicate, raises?: readonly `${string}.${string}`[], build: object = { raises: [] }) =>
      defineEntity('Bakery', {
        ...common,
        states: { Shut: initial(), Open: stable() },
        events: { open: { in: 'Shut' }, shut: { in: 'Open' } },
        actions: {
          open: { on: 'open', in: 'Shut', to: 'Open', ...(raises && { raises }) },
          shut: { on: 'shut', in: 'Open', to: 'Shut', ...build },
        },
        subscriptions: { ovens: { when, raise: 'shut' } },
      });
    const lonely =
      'Bakery.subscriptions.ovens.when: can never match: no action of the entity raises an event on a successor of this type | ';
    const restless =
      'Bakery.subscriptions.ovens.when: can never match: it matches only unstable states, and successors report only stable ones | ';

    it.each<[string, Predicate]>([
      ['one in a state', any({ of: Oven, in: 'Broken' })],
      ['all of a type', all({ of: Oven, is: 'settled' })],
      ['at least two of any type', atLeast(2, { is: 'lost' })],
      ['not none', not(none({ of: Oven }))],
    ])('asks for successors on which no action raises anything: %s (S4.3, dead-subscriptions.1)', (_, when) => {
      expect(told(bakery(when, []), Oven)).toEqual([lonely]);
      expect(told(bakery(when, ['Oven.heat']), Oven)).toEqual([]);
    });

    it('is not judged where an action does not say what it raises, or no successor is needed (S4.3, dead-subscriptions.1)', () => {
      const broken = any({ of: Oven, in: 'Broken' });
      expect(told(bakery(broken), Oven)).toEqual([]);
      expect(told(bakery(broken, [], {}), Oven)).toEqual([]);
      expect(told(bakery(not(atLeast(3, { of: Oven, in: 'Hot' })), []), Oven)).toEqual([]);
    });

    it('asks for a state in which an entity is never at rest (S4.3, dead-subscriptions.2)', () => {
      expect(told(bakery(any({ of: Oven, in: 'Heating' })), Oven)).toEqual([restless]);
      expect(told(bakery(atLeast(3, { of: 'Oven', in: ['Heating'] })), Oven)).toEqual([restless]);
    });

    it('may ask for one in which its attempts can be used up, for several, and for what is not known (S4.3, dead-subscriptions.2)', () => {
      const { states } = Oven;
      const constrained = { ...states, Broken: { ...states.Broken, constraint: z.object({}) } };
      for (const when of [
        any({ of: Oven, in: 'Cooling' }),
        any({ of: Oven, in: ['Heating', 'Hot'] }),
        or(any({ of: Oven, in: 'Heating' }), any({ of: Oven, is: 'failed' })),
        none({ of: Oven, in: 'Heating' }),
        any({ role: 'main', in: ['Heating'] }),
      ]) {
        expect(told(bakery(when), Oven)).toEqual([]);
      }
      expect(told(bakery(any({ of: Oven, in: 'Heating' })), { ...Oven, states: constrained })).toEqual([]);
    });
  });

  describe('a name of something that is not there', () => {
    it('is told of links, raised events and patterns', () => {
      const Lost = defineEntity('Lost', {
        ...common,
        links: { room: link('Rom') },
        states: { Here: initial(), There: stable() },
        events: { go: { in: 'Here' }, back: { in: 'There' } },
        actions: {
          go: { on: 'go', in: 'Here', to: 'There', raises: ['Rom.fill', 'Room.flil', 'Room.fill', 'Room.created'] },
          back: { on: 'back', in: 'There', to: 'Here' },
        },
        subscriptions: {
          rom: { when: any({ of: 'Rom' }), raise: 'back' },
          full: { when: any({ of: 'Room', in: ['Full', 'Flul'] }), raise: 'back' },
        },
      });
      expect(told(Lost, Room)).toEqual([
        "Lost.links.room: there is no entity type 'Rom' | ",
        "Lost.actions.go.raises: there is no entity type 'Rom' | ",
        "Lost.actions.go.raises: Room has no event 'flil' | ",
        "Lost.subscriptions.rom.when: there is no entity type 'Rom' | ",
        "Lost.subscriptions.full.when: Room has no state 'Flul' | ",
      ]);
    });
  });

  describe('an answer that is awaited for long', () => {
    const ask = { input: z.object({}), output: z.object({}), answer: 'callback' } as const;

    it('is advised against from more than an hour on, with what to do instead (A2)', () => {
      const people = defineResource('people', {
        phone: { ...ask, within: '1h' },
        write: { ...ask, within: '61m' },
        read: { input: z.object({}), output: z.object({}), timeout: '2h' },
      });
      const [advice, ...more] = longWaitAdvice([people]);
      expect(more).toEqual([]);
      expect(advice).toMatchObject({ place: 'people.write.within', path: [] });
      expect(advice?.problem).toContain('61m');
      expect(advice?.remedy).toContain('answerBy');
    });
  });
});
