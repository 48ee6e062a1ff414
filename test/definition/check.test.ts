import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  all,
  and,
  any,
  atLeast,
  defineEntity,
  DeclarationError,
  deleted,
  initial,
  link,
  linked,
  links,
  none,
  not,
  or,
  parameter,
  property,
  stable,
  terminal,
  unstable,
  type DeclarationProblem,
} from '../../src/definition/index.js';
import { controlPlane } from '../../workflows/definitions.js';

/** A declaration without mistakes, as plain data that each test spoils. */
const sound = () => ({
  key: z.string(),
  properties: z.object({ size: z.number().default(1), place: z.string() }) as z.ZodObject,
  links: { owner: link('Person'), rooms: links('Room') } as Record<string, unknown>,
  subordinates: { labels: z.object({ text: z.string() }) } as Record<string, unknown>,
  construct: z.object({ place: z.string(), owner: z.string().optional() }) as z.ZodObject | undefined,
  fixed: ['place'] as unknown,
  dimensions: { thing_id: 'key', size: 'properties.size', owner: 'links.owner' } as Record<string, string>,
  states: {
    Absent: initial(),
    Busy: unstable(),
    Resting: stable({ waiting: true }),
    Ready: stable(),
    Deleted: deleted(),
  } as Record<string, unknown>,
  events: {
    create: { in: 'Absent' },
    rested: { in: 'Resting' },
    drop: { in: ['Ready', 'Resting'] },
  } as Record<string, unknown>,
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Busy' },
    work: { in: 'Busy', to: 'Resting' },
    wake: { on: 'rested', in: 'Resting', to: 'Ready' },
    drop: { on: 'drop', in: ['Ready', 'Resting'], to: 'Deleted' },
  } as Record<string, unknown>,
  subscriptions: { rest: { when: all({ is: 'settled' }), raise: 'rested' } } as Record<string, unknown>,
  timers: {} as Record<string, unknown>,
  limits: undefined as Record<string, unknown> | undefined,
  cancel: undefined as string | undefined,
});

type Declaration = ReturnType<typeof sound>;

function problemsOf(spoil: (declaration: Declaration) => void, name = 'Thing'): readonly DeclarationProblem[] {
  const declaration = sound();
  spoil(declaration);
  try {
    // As from plain JavaScript, where no compiler has looked at it.
    (defineEntity as unknown as (name: string, declaration: unknown) => void)(name, declaration);
  } catch (thrown) {
    if (thrown instanceof DeclarationError) return thrown.problems;
    throw thrown;
  }
  return [];
}

const places = (problems: readonly DeclarationProblem[]) =>
  problems.map(({ place, problem }) => `${place}: ${problem}`);

describe('a declaration (S1.5)', () => {
  it('without mistakes is taken', () => {
    expect(problemsOf(() => undefined)).toEqual([]);
    expect(controlPlane).toHaveLength(7);
  });

  it.each<[string, (declaration: Declaration) => void, string]>([
    ['no initial state', (d) => (d.states['Absent'] = stable()), 'states: no state is the initial one'],
    ['two initial states', (d) => (d.states['Ready'] = initial()), 'states: Absent, Ready are all initial'],
    ['two deleted states', (d) => (d.states['Gone'] = deleted()), 'states: Deleted, Gone are all the deleted state'],
    [
      'an unreachable state',
      (d) => (d.actions['wake'] = { on: 'rested', in: 'Resting', to: 'Deleted' }),
      'states.Ready: is never reached',
    ],
    [
      'a state with no way out',
      (d) => {
        d.states['Stuck'] = stable();
        d.actions['work'] = { in: 'Busy', to: ['Resting', 'Stuck'] };
      },
      'states.Stuck: has no transition that leaves it',
    ],
    [
      'an action out of the deleted state',
      (d) => (d.actions['rise'] = { on: 'create', in: 'Deleted', to: 'Ready' }),
      'actions.rise.in: runs in the deleted state Deleted',
    ],
    [
      'an event in the deleted state',
      (d) => (d.events['create'] = { in: ['Absent', 'Deleted'] }),
      'events.create.in: is valid in the deleted state Deleted',
    ],
    [
      'an unstable state without automatic action',
      (d) => (d.actions['work'] = { on: 'create', in: 'Busy', to: 'Resting' }),
      'states.Busy: is unstable and has no automatic action',
    ],
    [
      'an unstable state with two automatic actions',
      (d) => (d.actions['more'] = { in: 'Busy', to: 'Ready' }),
      'states.Busy: has more than one automatic action: work, more',
    ],
    [
      'a stable state with an automatic action',
      (d) => (d.actions['more'] = { in: 'Ready', to: 'Busy' }),
      "states.Ready: is stable and has the automatic action 'more'",
    ],
    [
      'two actions for an event in a state',
      (d) => (d.actions['also'] = { on: 'create', in: 'Absent', to: 'Ready' }),
      'events.create.in: starts two actions in Absent: begin, also',
    ],
    [
      'a valid event without an action',
      (d) => (d.events['create'] = { in: ['Absent', 'Ready'] }),
      'events.create.in: is valid in Ready and starts no action there',
    ],
    ['an event valid nowhere', (d) => (d.events['never'] = { in: [] }), 'events.never.in: is valid nowhere'],
    [
      'an action in a state where its event is not valid',
      (d) => (d.actions['begin'] = { on: 'create', in: ['Absent', 'Ready'], to: 'Busy' }),
      "actions.begin.in: never runs in Ready: 'create' is not valid there",
    ],
    [
      'a need of an event by which nothing comes to be',
      (d) => {
        const needs = { type: 'Box', key: z.string(), unless: {}, absent: { code: 'x' } };
        d.events['rest'] = { in: 'Ready', needs };
        d.actions['restNow'] = { on: 'rest', in: 'Ready', to: 'Resting' };
      },
      'events.rest.needs: has no effect: the event creates no entity',
    ],
    [
      'a need without an answer',
      (d) => (d.events['create'] = { in: 'Absent', needs: {} }),
      'events.create.needs.type: is not a text',
    ],
    [
      'an answer where the event is valid',
      (d) => (d.events['create'] = { in: 'Absent', otherwise: { Absent: { code: 'x' } } }),
      'events.create.otherwise.Absent: has no effect: the event is valid there',
    ],
    [
      'what becomes of an event where no action runs',
      (d) => (d.events['create'] = { in: 'Absent', busy: { Deleted: 'reject' } }),
      'events.create.busy.Deleted: is never used: no action runs in Deleted',
    ],
    [
      'an event that aborts where it is not valid',
      (d) => (d.events['create'] = { in: 'Absent', busy: { Busy: 'abort' } }),
      'events.create.busy.Busy: aborts nothing: the event is not valid in Busy',
    ],
    [
      'what becomes of an event in an unknown state',
      (d) => (d.events['create'] = { in: 'Absent', busy: { Nowhere: 'reject' } }),
      "events.create.busy: there is no state 'Nowhere'",
    ],
    [
      'a busy of another kind',
      (d) => (d.events['create'] = { in: 'Absent', busy: 'refuse' }),
      "events.create.busy: is neither 'wait', 'abort' nor 'reject', nor a rejection",
    ],
    [
      'a subscription in a state where its event is not valid',
      (d) => (d.subscriptions['rest'] = { when: all({ is: 'settled' }), raise: 'rested', in: ['Resting', 'Ready'] }),
      "subscriptions.rest.in: never fires in Ready: 'rested' is not valid there",
    ],
    [
      'a subscription in no state',
      (d) => (d.subscriptions['late'] = { when: any({ is: 'failed' }), raise: 'rested', in: [] }),
      'subscriptions.late.in: fires nowhere',
    ],
    [
      'a subscription in an unknown state',
      (d) => (d.subscriptions['late'] = { when: any({ is: 'failed' }), raise: 'rested', in: 'Nowhere' }),
      "subscriptions.late.in: there is no state 'Nowhere'",
    ],
    [
      'an undeclared target',
      (d) => (d.actions['begin'] = { on: 'create', in: 'Absent', to: ['Busy', 'Nowhere'] }),
      "actions.begin.to: there is no state 'Nowhere'",
    ],
    [
      'an unknown event',
      (d) => (d.actions['more'] = { on: 'absent', in: 'Ready', to: 'Busy' }),
      "actions.more.on: there is no event 'absent'",
    ],
    [
      'an event with the name of an inherited member',
      (d) => (d.actions['more'] = { on: 'toString', in: 'Ready', to: 'Busy' }),
      "actions.more.on: there is no event 'toString'",
    ],
    [
      'a subscription to an unknown event',
      (d) => (d.subscriptions['other'] = { when: any({ is: 'failed' }), raise: 'failed' }),
      "subscriptions.other.raise: there is no event 'failed'",
    ],
    [
      'a subscription whose event needs parameters',
      (d) => (d.events['rested'] = { in: 'Resting', params: z.object({ by: z.string() }) }),
      "subscriptions.rest.raise: 'rested' needs parameters, but none are passed",
    ],
    [
      'a subscription that can never match',
      (d) => (d.subscriptions['rest'] = { when: and(any({ in: 'A' }), none({ in: 'A' })), raise: 'rested' }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to no state at all',
      (d) => (d.subscriptions['rest'] = { when: all({ in: [] }), raise: 'rested' }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to one successor twice',
      (d) => (d.subscriptions['rest'] = { when: atLeast(2, { of: 'Room', key: 'hall' }), raise: 'rested' }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to a lost successor that is healthy',
      (d) => (d.subscriptions['rest'] = { when: and(all({ is: 'lost' }), any({ is: 'healthy' })), raise: 'rested' }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to a lost successor where none failed',
      (d) => (d.subscriptions['rest'] = { when: and(any({ is: 'lost' }), none({ is: 'failed' })), raise: 'rested' }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to a lost successor in a state',
      (d) => (d.subscriptions['rest'] = { when: any({ is: 'lost', in: 'Ready' }), raise: 'rested' }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to at least none',
      (d) => (d.subscriptions['rest'] = { when: atLeast(0, { is: 'settled' }), raise: 'rested' }),
      'subscriptions.rest.when.count: is not a whole number of at least 1',
    ],
    [
      'a waiting state that no subscription, deadline or answer leaves',
      (d) => (d.subscriptions = {}),
      'states.Resting: waits forever: no subscription, deadline or answer leads out of it',
    ],
    [
      'a limit over one state',
      (d) => (d.limits = { resting: { in: ['Resting'], after: '1h', raise: 'rested' } }),
      'limits.resting.in: names fewer than two states',
    ],
    [
      'a limit of no length',
      (d) => (d.limits = { resting: { in: ['Resting', 'Ready'], after: 0, raise: 'rested' } }),
      "limits.resting.after: '0' is no length of time",
    ],
    [
      'a limit whose event is not valid in one of its states',
      (d) => (d.limits = { resting: { in: ['Resting', 'Ready'], after: '1h', raise: 'rested' } }),
      "limits.resting.raise: 'rested' is not valid in Ready",
    ],
    [
      'a waiting state that only an answer leaves',
      (d) => {
        d.subscriptions = {};
        d.events['rested'] = { ...d.events['rested']!, answer: true };
      },
      'states.Resting: waits for an answer that may never come',
    ],
    [
      'an unstable waiting state',
      (d) => (d.states['Busy'] = { ...unstable(), waiting: true }),
      'states.Busy: is unstable and waiting',
    ],
    [
      'a cycle of unstable states',
      (d) => {
        d.states['Round'] = unstable();
        d.actions['work'] = { in: 'Busy', to: ['Round', 'Resting'] };
        d.actions['round'] = { in: 'Round', to: 'Busy' };
      },
      'states.Busy: loops without a pause: Busy -> Round -> Busy',
    ],
    [
      'a cycle of unstable states that is only limited in its attempts, which each entry starts anew (S1.5a)',
      (d) => {
        d.states['Busy'] = unstable({ retry: { attempts: 3, delay: '1s' } });
        d.states['Round'] = unstable({ wait: 0 });
        d.actions['work'] = { in: 'Busy', to: ['Round', 'Resting'] };
        d.actions['round'] = { in: 'Round', to: 'Busy' };
      },
      'states.Busy: loops without a pause: Busy -> Round -> Busy',
    ],
    [
      'a cycle of unstable states by the end of one attempt (S1.5a)',
      (d) => {
        d.states['Busy'] = unstable({ retry: { attempts: 1, exhausted: 'Round' } });
        d.states['Round'] = unstable();
        d.actions['round'] = { in: 'Round', to: 'Busy' };
      },
      'states.Busy: loops without a pause: Busy -> Round -> Busy',
    ],
    [
      'a state to which the end of its only attempt leads back (S1.5a)',
      (d) => (d.states['Busy'] = unstable({ retry: { attempts: 1, exhausted: 'Busy' } })),
      'states.Busy: loops without a pause: Busy -> Busy',
    ],
    [
      'attempts without end and without a delay (S1.5a)',
      (d) => (d.states['Busy'] = unstable({ retry: { delay: 0 } })),
      'states.Busy.retry: a failing action is retried forever, without a pause',
    ],
    [
      'a subscription that arms itself again (S1.5a)',
      (d) => {
        d.events['note'] = { in: 'Resting' };
        d.actions['note'] = { on: 'note', in: 'Resting', raises: ['Other.go'] };
        d.subscriptions['failed'] = { when: any({ of: 'Room', is: 'failed' }), raise: 'note' };
        d.subscriptions['rest'] = { when: all({ of: 'Room', is: 'healthy' }), raise: 'rested' };
      },
      'subscriptions.failed: fires without end: its event leads back to Resting, where the pattern still matches',
    ],
    [
      'subscriptions that arm each other again (S1.5a)',
      (d) => {
        d.events['note'] = { in: 'Ready' };
        d.events['again'] = { in: 'Resting' };
        d.actions['note'] = { on: 'note', in: 'Ready', to: 'Resting', raises: [] };
        d.actions['again'] = { on: 'again', in: 'Resting', to: 'Ready', raises: [] };
        d.subscriptions = {
          failed: { when: any({ is: 'failed' }), raise: 'note' },
          still: { when: any({ is: 'failed' }), raise: 'again' },
        };
      },
      'subscriptions.failed: fires without end: its event leads back to Resting, Ready, where the pattern still matches',
    ],
    [
      'a subscription to something and its opposite (S1.5)',
      (d) =>
        (d.subscriptions['rest'] = {
          when: and(any({ is: 'settled' }), or(not(any({ is: 'settled' })), not(atLeast(1, { is: 'settled' })))),
          raise: 'rested',
        }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to two, and not to one (S1.5)',
      (d) =>
        (d.subscriptions['rest'] = {
          when: and(atLeast(2, { is: 'settled' }), not(or(any({ is: 'settled' }), all({ is: 'lost' })))),
          raise: 'rested',
        }),
      'subscriptions.rest.when: can never match',
    ],
    [
      'a subscription to something or its opposite (S1.5)',
      (d) =>
        (d.subscriptions['rest'] = { when: or(all({ is: 'settled' }), not(all({ is: 'settled' }))), raise: 'rested' }),
      'subscriptions.rest.when: always matches',
    ],
    [
      'no attempts',
      (d) => (d.states['Busy'] = unstable({ retry: { attempts: 0 } })),
      'states.Busy.retry.attempts: 0 is not a number of attempts',
    ],
    [
      'a delay that is none',
      (d) => (d.states['Busy'] = unstable({ retry: { delay: 'soon' as '1s' } })),
      "states.Busy.retry.delay: 'soon' is not a duration",
    ],
    [
      'shrinking delays',
      (d) => (d.states['Busy'] = unstable({ retry: { growth: 0.5 } })),
      'states.Busy.retry.growth: 0.5 is not a valid growth factor',
    ],
    [
      'delays that grow without end at once',
      (d) => (d.states['Busy'] = unstable({ retry: { growth: Infinity } })),
      'states.Busy.retry.growth: Infinity is not a valid growth factor',
    ],
    [
      'a longest delay below the first one',
      (d) => (d.states['Busy'] = unstable({ retry: { delay: '10m', maxDelay: '1m' } })),
      'states.Busy.retry.maxDelay: 1m is shorter than the delay of 10m',
    ],
    [
      'growth of a delay that is as long as the longest one',
      (d) => (d.states['Busy'] = unstable({ retry: { delay: '10m', growth: 2 } })),
      'states.Busy.retry.growth: has no effect: no delay grows beyond 10m',
    ],
    [
      'exhaustion that is never reached',
      (d) => (d.states['Busy'] = unstable({ retry: { exhausted: 'Ready' } })),
      'states.Busy.retry.exhausted: is never reached: the attempts have no limit',
    ],
    [
      'exhaustion that leads nowhere',
      (d) => (d.states['Busy'] = unstable({ retry: { attempts: 2, exhausted: 'Nowhere' } })),
      "states.Busy.retry.exhausted: there is no state 'Nowhere'",
    ],
    [
      'a retry on a stable state',
      (d) => (d.states['Ready'] = { ...stable(), retry: {} }),
      'states.Ready: is stable and has a wait or a retry',
    ],
    [
      'a property without a first value',
      (d) => (d.properties = z.object({ size: z.number(), place: z.string() })),
      'properties.size: has no value when the entity is created',
    ],
    [
      'a property whose schema throws where no value is given',
      (d) => {
        const read = z.codec(z.string(), z.any(), {
          decode: (text) => JSON.parse(text),
          encode: (value) => JSON.stringify(value),
        });
        d.properties = z.object({ size: read.prefault(''), place: z.string() });
      },
      'properties.size: has a schema that throws if there is no value: SyntaxError: Unexpected end of JSON input',
    ],
    [
      'a property without a first value that has the name of a member of all objects',
      (d) => (d.properties = z.object({ constructor: z.number(), size: z.number().default(1), place: z.string() })),
      'properties.constructor: has no value when the entity is created',
    ],
    [
      'an event for requests to cancel whose schema throws without parameters',
      (d) => {
        const params = z.object({}).transform(() => {
          throw new Error('none');
        });
        d.events['stop'] = { in: 'Ready', params };
        d.cancel = 'stop';
      },
      "cancel: 'stop' needs parameters, but none are passed",
    ],
    ['an unknown event for requests to cancel', (d) => (d.cancel = 'stop'), "cancel: there is no event 'stop'"],
    [
      'an event for requests to cancel that needs parameters',
      (d) => {
        d.events['stop'] = { in: 'Ready', params: z.object({ by: z.string() }) };
        d.cancel = 'stop';
      },
      "cancel: 'stop' needs parameters, but none are passed",
    ],
    [
      'a budget of no length',
      (d) => (d.events['drop'] = { in: 'Ready', budget: 0 }),
      'events.drop.budget: lasts no time',
    ],
    [
      'a budget that is no duration',
      (d) => (d.events['drop'] = { in: 'Ready', budget: 'long' }),
      "events.drop.budget: 'long' is not a duration",
    ],
    [
      'a timer that raises an unknown event',
      (d) => (d.timers = { look: { every: '1h', raise: 'look' } }),
      "timers.look.raise: there is no event 'look'",
    ],
    [
      'a timer whose event needs parameters',
      (d) => {
        d.events['rested'] = { in: 'Resting', params: z.object({ by: z.string() }) };
        d.timers = { look: { every: '1h', raise: 'rested' } };
      },
      "timers.look.raise: 'rested' needs parameters, but none are passed",
    ],
    [
      'a timer whose event is valid nowhere',
      (d) => {
        d.events['look'] = { in: [] };
        d.timers = { look: { every: '1h', raise: 'look' } };
      },
      'events.look.in: is valid nowhere',
    ],
    [
      'a timer without pause',
      (d) => (d.timers = { look: { every: 0, raise: 'drop' } }),
      'timers.look.every: lasts no time',
    ],
    [
      'a timer without a period',
      (d) => (d.timers = { look: { raise: 'drop' } }),
      "timers.look.every: 'undefined' is not a duration",
    ],
    [
      'a timer whose pattern is malformed',
      (d) => (d.timers = { look: { cron: '0 25 * * *', raise: 'drop' } }),
      "timers.look.cron: '0 25 * * *' has '25' as hour, which takes 0 to 23",
    ],
    [
      'a timer whose pattern has seconds',
      (d) => (d.timers = { look: { cron: '0 0 3 * * *', raise: 'drop' } }),
      "timers.look.cron: '0 0 3 * * *' has six fields: seconds are not supported",
    ],
    [
      'a timer whose pattern never ticks',
      (d) => (d.timers = { look: { cron: '0 3 30 2 *', raise: 'drop' } }),
      "timers.look.cron: '0 3 30 2 *' never ticks: no such month has such a day",
    ],
    [
      'a timer whose pattern is no text',
      (d) => (d.timers = { look: { cron: 3, raise: 'drop' } }),
      "timers.look.cron: '3' is not a text",
    ],
    [
      'a timer in an unknown time zone',
      (d) => (d.timers = { look: { cron: '0 3 * * *', timeZone: 'Europe/Gotham', raise: 'drop' } }),
      "timers.look.timeZone: 'Europe/Gotham' is not a time zone that this version of Node knows",
    ],
    [
      'a timer with a period and a calendar',
      (d) => (d.timers = { look: { every: '1h', cron: '0 3 * * *', raise: 'drop' } }),
      'timers.look: has both a period and a calendar',
    ],
    [
      'a timer with a period and a time zone',
      (d) => (d.timers = { look: { every: '1h', timeZone: 'UTC', raise: 'drop' } }),
      'timers.look.timeZone: belongs to a calendar, but the timer has a period',
    ],
    [
      'a timer with a meaningless member',
      (d) => (d.timers = { look: { every: '1h', raise: 'drop', in: 'Ready' } }),
      'timers.look.in: is not an option here',
    ],
    [
      'a timer in capitals',
      (d) => (d.timers = { Look: { every: '1h', raise: 'drop' } }),
      "timers.Look: 'Look' is not a valid name",
    ],
    [
      'a deadline that raises an unknown event',
      (d) => (d.states['Ready'] = stable({ deadline: { after: '1h', raise: 'expire' } })),
      "states.Ready.deadline.raise: there is no event 'expire'",
    ],
    [
      'a deadline whose event is not valid in its state',
      (d) => (d.states['Ready'] = stable({ deadline: { after: '1h', raise: 'rested' } })),
      "states.Ready.deadline.raise: 'rested' is not valid in Ready",
    ],
    [
      'a deadline of no length',
      (d) => (d.states['Ready'] = stable({ deadline: { after: '0s', raise: 'drop' } })),
      'states.Ready.deadline.after: lasts no time',
    ],
    [
      'a deadline that is no duration',
      (d) => (d.states['Busy'] = unstable({ deadline: { after: 'later' as '1s', raise: 'drop' } })),
      "states.Busy.deadline.after: 'later' is not a duration",
    ],
    [
      'a deadline in the deleted state',
      (d) => (d.states['Deleted'] = { ...deleted(), deadline: { after: '1h', raise: 'drop' } }),
      'states.Deleted.deadline: never runs: Deleted ends the entity',
    ],
    [
      'a time-out that raises an unknown event',
      (d) =>
        (d.subscriptions['rest'] = {
          when: all({ is: 'settled' }),
          raise: 'rested',
          timeout: { after: '5m', raise: 'giveUp' },
        }),
      "subscriptions.rest.timeout.raise: there is no event 'giveUp'",
    ],
    [
      'a time-out whose event is valid only elsewhere',
      (d) =>
        (d.subscriptions['rest'] = {
          when: all({ is: 'settled' }),
          raise: 'rested',
          timeout: { after: '5m', raise: 'create' },
        }),
      "subscriptions.rest.timeout.raise: 'create' is not valid where 'rested' is awaited: Resting",
    ],
    [
      'a time-out of no length',
      (d) =>
        (d.subscriptions['rest'] = {
          when: all({ is: 'settled' }),
          raise: 'rested',
          timeout: { after: -1, raise: 'drop' },
        }),
      "subscriptions.rest.timeout.after: '-1' is not a duration",
    ],
    [
      'a property that a construction may leave out',
      (d) => (d.construct = z.object({ place: z.string().optional() })),
      'properties.place: has no value when the entity is created',
    ],
    [
      'a construction of something unknown',
      (d) => (d.construct = z.object({ place: z.string(), colour: z.string() })),
      "construct.colour: there is no property or link 'colour'",
    ],
    ['fixed properties that are no list', (d) => (d.fixed = 'place'), 'fixed: is not a list of names'],
    ['a fixed property that there is not', (d) => (d.fixed = ['owner']), "fixed: there is no property 'owner'"],
    [
      'a fixed property that nothing sets',
      (d) => {
        d.properties = z.object({ place: z.string(), note: z.string().optional() });
        d.fixed = ['place', 'note'];
      },
      'fixed.note: never has a value: nothing sets it when the entity is created',
    ],
    ['a construction that is no object', (d) => (d.construct = z.string() as never), 'construct: is not a zod object'],
    [
      'a link with the name of a property',
      (d) => (d.links['size'] = link('Size')),
      'links.size: has the name of a property',
    ],
    [
      'subordinates with the name of a link',
      (d) => (d.subordinates['rooms'] = z.object({})),
      'subordinates.rooms: has the name of a link',
    ],
    [
      'a link with a misspelt option',
      (d) => (d.links['owner'] = link('Person', { mustExists: true } as object)),
      'links.owner.mustExists: is not an option here',
    ],
    ['a link to nothing', (d) => (d.links['owner'] = 'Person'), 'links.owner: is not an object'],
    [
      'a dimension of nothing',
      (d) => (d.dimensions['colour'] = 'properties.colour'),
      "dimensions.colour: there is no 'properties.colour'",
    ],
    [
      'a dimension of a list of links',
      (d) => (d.dimensions['rooms'] = 'links.rooms'),
      "dimensions.rooms: there is no 'links.rooms'",
    ],
    [
      'a dimension that names no column',
      (d) => (d.dimensions['Thing'] = 'key'),
      "dimensions.Thing: 'Thing' is not a valid column name",
    ],
    [
      'an action out of a terminal state',
      (d) => {
        d.states['Ready'] = terminal();
      },
      'actions.drop.in: runs in the terminal state Ready',
    ],
    [
      'an event in a terminal state',
      (d) => {
        d.states['Ready'] = terminal();
      },
      'events.drop.in: is valid in the terminal state Ready',
    ],
    [
      'a constraint that is no schema',
      (d) => (d.states['Ready'] = { ...stable(), constraint: { size: 1 } }),
      'states.Ready.constraint: is not a zod schema',
    ],
    [
      'a wait before a stable state',
      (d) => (d.actions['wake'] = { on: 'rested', in: 'Resting', to: 'Ready', wait: '5s' }),
      'actions.wake.wait: has no effect: it delays an automatic action, and no target is an unstable state',
    ],
    [
      'a wait of no duration',
      (d) => (d.actions['begin'] = { on: 'create', in: 'Absent', to: 'Busy', wait: 'soon' }),
      "actions.begin.wait: 'soon' is not a duration",
    ],
    [
      'a raise that names no event of a type',
      (d) => (d.actions['wake'] = { on: 'rested', in: 'Resting', to: 'Ready', raises: ['create'] }),
      'actions.wake.raises.0: names no event of a type',
    ],
    [
      'the name of a creation without an event',
      (d) => (d.events['created'] = { in: 'Ready' }),
      "events.created: 'created' is the name for a creation without an event",
    ],
    [
      'a name with a blank',
      (d) => (d.events['not so'] = { in: 'Ready' }),
      "events.not so: 'not so' is not a valid name",
    ],
    ['a state with a blank', (d) => (d.states['not so'] = stable()), "states.not so: 'not so' is not a valid name"],
    ...['_so', 'so_', 'so__so', 'so-so', '1so'].flatMap((name): [string, (d: Declaration) => void, string][] => [
      [`the state ${name}`, (d) => (d.states[name] = stable()), `states.${name}: '${name}' is not a valid name`],
      [`the event ${name}`, (d) => (d.events[name] = { in: 'Ready' }), `events.${name}: '${name}' is not a valid name`],
    ]),
    ['an event in capitals', (d) => (d.events['Drop'] = { in: 'Ready' }), "events.Drop: 'Drop' is not a valid name"],
    [
      'a state with the name of an inherited member',
      (d) => (d.states['constructor'] = stable()),
      "states.constructor: 'constructor' is the name of a member of every JavaScript object",
    ],
    [
      'two states that people cannot tell apart',
      (d) => {
        d.states['Ready'] = stable({ displayName: 'At rest' });
        d.states['Resting'] = stable({ waiting: true, displayName: 'At rest' });
      },
      "states.Ready.displayName: 'At rest' is already the display name of states.Resting",
    ],
    [
      'a state that people call by the name of another one',
      (d) => (d.states['Ready'] = stable({ displayName: 'Resting' })),
      "states.Ready.displayName: 'Resting' is already the display name of states.Resting",
    ],
    [
      'two events that people cannot tell apart',
      (d) => {
        d.events['create'] = { in: 'Absent', displayName: 'Do it' };
        d.events['drop'] = { in: ['Ready', 'Resting'], displayName: 'Do it' };
      },
      "events.drop.displayName: 'Do it' is already the display name of events.create",
    ],
    ...['', ' Ready', 'Rea\ndy', 'x'.repeat(65)].map((displayName): [string, (d: Declaration) => void, string] => [
      `the display name ${JSON.stringify(displayName)}`,
      (d) => (d.states['Ready'] = stable({ displayName })),
      `states.Ready.displayName: '${displayName}' is not a valid display name`,
    ]),
    [
      'a display name that is no text',
      (d) => (d.events['drop'] = { in: ['Ready', 'Resting'], displayName: 7 }),
      'events.drop.displayName: is not a text',
    ],
    ['a key that is no schema', (d) => (d.key = 'text' as unknown as Declaration['key']), 'key: is not a zod schema'],
    ['an event that is no object', (d) => (d.events['create'] = 'Absent'), 'events.create: is not an object'],
  ])('with %s is refused, with place and remedy', (_, spoil, expected) => {
    const problems = problemsOf(spoil);
    expect(places(problems)).toContain(expected);
    for (const { remedy } of problems) expect(remedy).toMatch(/^[A-Z].*[.?]$/);
  });

  it.each<[string, (declaration: Declaration) => void]>([
    [
      'by states that lead to each other after a wait of one of them',
      (d) => {
        d.states['Round'] = unstable({ wait: '1s' });
        d.actions['work'] = { in: 'Busy', to: ['Round', 'Resting'] };
        d.actions['round'] = { in: 'Round', to: 'Busy' };
      },
    ],
    [
      'by states that lead to each other after a wait of an action',
      (d) => {
        d.states['Round'] = unstable();
        d.actions['work'] = { in: 'Busy', to: ['Round', 'Resting'] };
        d.actions['round'] = { in: 'Round', to: 'Busy', wait: '1s' };
      },
    ],
    [
      'by the end of attempts with delays',
      (d) => {
        d.states['Busy'] = unstable({ retry: { attempts: 2, exhausted: 'Round' } });
        d.states['Round'] = unstable();
        d.actions['round'] = { in: 'Round', to: 'Busy' };
      },
    ],
    [
      'by a subscription whose event stays',
      (d) => {
        d.events['note'] = { in: 'Resting', stays: true };
        d.actions['note'] = { on: 'note', in: 'Resting', raises: [] };
        d.subscriptions['failed'] = { when: any({ is: 'failed' }), raise: 'note' };
      },
    ],
    [
      'by a subscription whose action may raise on these successors, or may leave the state',
      (d) => {
        d.events['note'] = { in: 'Resting' };
        d.events['tell'] = { in: 'Resting' };
        d.events['free'] = { in: 'Resting' };
        d.actions['note'] = { on: 'note', in: 'Resting', raises: ['Room.mend'] };
        d.actions['tell'] = { on: 'tell', in: 'Resting', to: ['Resting', 'Ready'], raises: [] };
        d.actions['free'] = { on: 'free', in: 'Resting' };
        d.subscriptions['note'] = { when: any({ of: 'Room', is: 'failed' }), raise: 'note' };
        d.subscriptions['tell'] = { when: any({ of: 'Hall', is: 'failed' }), raise: 'tell' };
        d.subscriptions['free'] = { when: any({ of: 'Barn', is: 'failed' }), raise: 'free' };
      },
    ],
    [
      'by a subscription before which another one goes that may leave the state',
      (d) => {
        d.events['note'] = { in: 'Resting' };
        d.actions['note'] = { on: 'note', in: 'Resting', raises: [] };
        d.subscriptions['failed'] = { when: any({ is: 'failed' }), raise: 'note' };
      },
    ],
  ])('may go round with a pause, or with an end: %s (S1.5a)', (_, spoil) => {
    expect(places(problemsOf(spoil))).toEqual([]);
  });

  it('may have any number of terminal states, which nothing needs to leave (S1.3)', () => {
    const spoil = (declaration: Declaration) => {
      declaration.states['Archived'] = terminal();
      declaration.states['Sealed'] = terminal({ health: 'error' });
      declaration.actions['drop'] = { on: 'drop', in: ['Ready', 'Resting'], to: ['Deleted', 'Archived', 'Sealed'] };
    };
    expect(problemsOf(spoil)).toEqual([]);
  });

  it('may have the names of another domain, and other ones for people, alike for a state and an event', () => {
    const spoil = (declaration: Declaration) => {
      declaration.states['requires_capture'] = stable({ displayName: 'Requires capture' });
      declaration.states['PROVISIONING_v2'] = stable({ displayName: 'PROVISIONING_v2' });
      declaration.states['Deleted'] = deleted({ displayName: 'Gone' });
      declaration.events['rested'] = { in: 'Resting', displayName: 'Gone' };
      declaration.events['capture_now'] = { in: ['requires_capture', 'PROVISIONING_v2'] };
      declaration.actions['capture'] = {
        ...{ on: 'capture_now', in: ['requires_capture', 'PROVISIONING_v2'], to: 'Deleted' },
        raises: ['Payment.capture_now'],
      };
      declaration.actions['wake'] = {
        on: 'rested',
        in: 'Resting',
        to: ['Ready', 'requires_capture', 'PROVISIONING_v2'],
      };
    };
    expect(problemsOf(spoil)).toEqual([]);
  });

  it('does not take the name of operations', () => {
    for (const name of ['Operation', 'Records', 'Keeper']) {
      expect(places(problemsOf(() => undefined, name))).toEqual([`name: '${name}' is taken`]);
    }
  });

  it.each<[string, unknown, string]>([
    ['no condition', [], 'events.drop.when: names no condition'],
    ['what is no condition', [{ is: true }], 'events.drop.when.0.is: is not a condition'],
    ['an unknown property', [{ is: property('siz').isSet() }], "events.drop.when.0: there is no property 'siz'"],
    [
      'an unknown member of a property',
      [{ is: property('limits.cpus').isSet() }],
      "events.drop.when.0: there is no property 'limits.cpus'",
    ],
    ['an unknown link', [{ is: linked('room').isSet() }], "events.drop.when.0: there is no link 'room'"],
    [
      'a parameter of an event that takes none',
      [{ is: parameter('size').is(property('size')) }],
      "events.drop.when.0: asks about the parameter 'size' of an event that takes none",
    ],
    [
      'a value that a property never has',
      [{ is: not(property('size').is('big')) }],
      'events.drop.when.0: compares \'properties.size\' with "big", which it can never be',
    ],
    [
      'a value outside of an enumeration',
      [{ is: property('kind').isOneOf(['new', 'odl']) }],
      'events.drop.when.0: compares \'properties.kind\' with "odl", which it can never be',
    ],
    [
      'an order of truth values',
      [{ is: property('limits.hard').isAbove(false) }],
      "events.drop.when.0: compares 'properties.limits.hard' with false, which has no order",
    ],
    [
      'members of what is no list',
      [{ is: property('place').includes('a') }],
      "events.drop.when.0: asks what 'properties.place' includes, which is no list",
    ],
    [
      'the only value of a link to several',
      [{ is: linked('rooms').is('r1') }],
      'events.drop.when.0: compares \'links.rooms\' with "r1", which it can never be',
    ],
  ])('with a guard that asks for %s is told so (S2.2)', (_, when, problem) => {
    const spoil = (d: Declaration) => {
      const limits = z.object({ cpu: z.number(), hard: z.boolean() }).default({ cpu: 1, hard: false });
      d.properties = d.properties.extend({ limits, kind: z.enum(['new', 'old']).default('new') });
      d.events['drop'] = { in: ['Ready', 'Resting'], when };
    };
    expect(places(problemsOf(spoil))).toEqual([problem]);
  });

  it.each<[string, object, string]>([
    ['an unknown property', { at: property('expires') }, "deadline.at: there is no property 'expires'"],
    ['a property without a time', { after: property('fast') }, "deadline.after: 'properties.fast' never holds a time"],
    [
      'a time beside a length',
      { after: '1m', at: property('place') },
      'deadline: has both a length of time and a time',
    ],
    ['neither', {}, "deadline.after: 'undefined' is not a duration"],
    ['a link', { at: linked('owner') }, 'deadline.at.of: names no property'],
  ])('with a deadline by %s is told so (S4.5)', (_, time, problem) => {
    const spoil = (d: Declaration) => {
      d.properties = d.properties.extend({ fast: z.boolean().default(true) });
      d.states['Ready'] = stable({ deadline: { ...time, raise: 'drop' } as never });
    };
    expect(places(problemsOf(spoil))).toEqual([`states.Ready.${problem}`]);
  });

  it('that guards the end of a deployment is told so, since the end would be lost (W1)', () => {
    const spoil = (d: Declaration) => {
      d.states['Ready'] = stable({ deploys: 'system', ended: 'drop' });
      d.events['drop'] = { in: ['Ready', 'Resting'], when: [{ is: property('size').is(1) }] };
    };
    expect(places(problemsOf(spoil))).toEqual([
      "states.Ready.ended: raises 'drop', which has a guard: the end of a deployment is told once, and would be lost",
    ]);
  });

  it('may compare with whatever its schemas leave open (S2.2)', () => {
    const open = [
      property('any').is('x'),
      property('maybe').is(1),
      property('table.of.anything').is(true),
      property('size').isAbove(0.5),
      linked('rooms').includes('r1'),
      linked('owner').isOneOf(['ann']),
      property('tree.left.left.value').is(1),
    ];
    const spoil = (d: Declaration) => {
      const tree = z.object({
        value: z.number(),
        get left() {
          return tree.optional();
        },
      });
      d.properties = d.properties.extend({
        any: z.any().optional(),
        maybe: z.union([z.string(), z.number()]).nullish(),
        table: z.record(z.string(), z.looseObject({})).default({}),
        tree: tree.optional(),
      });
      d.events['drop'] = { in: ['Ready', 'Resting'], when: open.map((is) => ({ is })) };
    };
    expect(places(problemsOf(spoil))).toEqual([]);
  });

  it('that misspells a name is told which one is near (S1.5)', () => {
    const [first] = problemsOf((declaration) => {
      declaration.actions['begin'] = { on: 'craete', in: 'Absent', to: 'Busy' };
    });
    expect(first).toMatchObject({
      place: 'actions.begin.on',
      problem: "there is no event 'craete'",
      remedy: expect.stringContaining("Did you mean 'create'?"),
    });
  });

  it('with many mistakes is told all of them at once, in one readable message', () => {
    const spoil = (declaration: Declaration) => {
      declaration.states['Lost'] = stable();
      declaration.events['never'] = { in: [] };
      declaration.actions['begin'] = { on: 'create', in: 'Absent', to: 'Nowhere' };
      declaration.subscriptions['other'] = { when: any({}), raise: 'nothing' };
    };
    const found = places(problemsOf(spoil));
    expect(found).toEqual(
      expect.arrayContaining([
        'events.never.in: is valid nowhere',
        "actions.begin.to: there is no state 'Nowhere'",
        "subscriptions.other.raise: there is no event 'nothing'",
        'states.Lost: is never reached',
        'states.Lost: has no transition that leaves it',
      ]),
    );
    // A reference to nothing comes first: the others may follow from it.
    const unknown = found.filter((each) => each.includes('there is no'));
    expect(found.slice(0, unknown.length)).toEqual(unknown);
    const error = new DeclarationError('Thing', problemsOf(spoil));
    expect(error.message).toContain(`The declaration of Thing has ${found.length} mistakes:\n  `);
  });
});
