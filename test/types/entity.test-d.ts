/** Checks what compiles and what must not: S1.1. A line under `@ts-expect-error` that compiles fails the type check. */
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import {
  alreadyDone,
  alreadyInProgress,
  all,
  and,
  defineEntity,
  defineResource,
  deleted,
  implementActions,
  initial,
  link,
  linked,
  not,
  or,
  parameter,
  property,
  stable,
  unstable,
  type ActionContext,
  type AnyEntity,
} from '../../src/definition/index.js';
import type { ReeveClient } from '../../src/exports/reeve.js';
import type { Simulation } from '../../src/simulation/index.js';

const databases = defineResource('databases', {
  create: { input: z.object({ name: z.string() }), output: z.object({ port: z.number() }) },
});

const App = defineEntity('App', {
  key: z.string(),
  properties: z.object({ port: z.number().optional() }),
  states: {
    Absent: initial(),
    Creating: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Failed' } }),
    Ready: stable(),
    Failed: stable({ health: 'error' }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z.object({ size: z.number() }),
      in: 'Absent',
      otherwise: { Creating: alreadyInProgress(), Ready: alreadyDone() },
    },
    drop: { in: ['Ready', 'Failed'] },
    scale: { params: z.object({ size: z.number() }).optional(), in: 'Ready' },
  },
  actions: {
    scale: { on: 'scale', in: 'Ready' },
    begin: { on: 'create', in: 'Absent', to: 'Creating' },
    install: { in: 'Creating', to: ['Ready', 'Failed', 'Creating'] },
    drop: { on: 'drop', in: ['Ready', 'Failed'], to: 'Deleted' },
  },
  subscriptions: {},
});

implementActions(App, {
  scale: async () => undefined,
  begin: async (app, { params }) => {
    expectTypeOf(app.state).toEqualTypeOf<'Absent'>();
    const size: number = params.size;
    // @ts-expect-error an undeclared parameter
    params.colour;
    // @ts-expect-error begin may not go to Ready
    app.goTo('Ready');
    app.properties.port = size;
    // @ts-expect-error an action of an event has no rounds
    app.nextRound();
    return app.goTo('Creating');
  },
  install: async (app) => {
    const { port } = await app.call(databases.create, { name: app.key });
    // @ts-expect-error a wrong input
    await app.call(databases.create, { nme: app.key });
    app.properties.port = port;
    // @ts-expect-error a wrong type of property
    app.properties.port = 'one';
    // @ts-expect-error an unknown property
    app.properties.prot = 1;
    app.create(App, 'other', 'create', { size: 1 });
    app.create(App, 'other', 'create', { size: 1 }, { role: 'standby' });
    app.raise(App, 'other', 'drop');
    app.raise(App, 'other', 'drop', { role: 'standby' });
    app.raise(App, 'other', 'drop', { mayBeRejected: true });
    // @ts-expect-error an event without parameters has its options directly after it
    app.raise(App, 'other', 'drop', undefined, { role: 'standby' });
    // @ts-expect-error a misspelt option
    app.raise(App, 'other', 'drop', { rule: 'standby' });
    // @ts-expect-error options in the place of parameters
    app.create(App, 'other', 'create', { role: 'standby' });
    // @ts-expect-error one of them takes parameters and the other one does not
    app.raise(App, 'other', app.attempt > 1 ? 'drop' : 'create', { size: 1 });
    app.raise(App, 'other', 'scale');
    app.raise(App, 'other', 'scale', { size: 1 }, { role: 'standby' });
    app.raise(App, 'other', 'scale', undefined, { role: 'standby' });
    // @ts-expect-error how long to wait is missing
    await app.raiseAndWait(App, 'other', 'drop');
    // @ts-expect-error how long to wait is missing
    await app.createAndWait(App, 'other', 'create', { size: 1 });
    // @ts-expect-error a wrong event name
    app.raise(App, 'other', 'dorp');
    // @ts-expect-error parameters are missing
    app.create(App, 'other', 'create');
    // @ts-expect-error a wrong payload
    app.create(App, 'other', 'create', { size: 'big' });
    const outcome = await app.raiseAndWait(App, 'other', 'drop', { within: '1m' });
    if (outcome.status === 'rejected') return app.goTo('Failed', { error: outcome });
    expectTypeOf(app.nextRound).returns.toExtend<{ readonly to: 'Creating' }>();
    if (app.attempt > 2) return app.nextRound({ wait: '1s' });
    // @ts-expect-error not a duration
    app.nextRound({ wait: 'soon' });
    const seen = await app.read(App, 'other');
    type AppState = 'Absent' | 'Creating' | 'Ready' | 'Failed' | 'Deleted';
    expectTypeOf(seen!.state).toEqualTypeOf<AppState>();
    expectTypeOf(seen!.properties).toEqualTypeOf<Readonly<{ port?: number | undefined }>>();
    // @ts-expect-error it may not exist
    app.properties.port = seen.properties.port;
    app.properties.port = seen?.properties.port;
    // @ts-expect-error what is read cannot be changed
    if (seen) seen.properties.port = 1;
    // @ts-expect-error not a state of App
    if (seen?.state === 'Raedy') return app.goTo('Failed');
    const [one, two] = await app.reserveAll([
      [App, 'one'],
      [App, 'two'],
    ]);
    const fences: readonly (number | undefined)[] = [one?.fence, two?.fence];
    // @ts-expect-error only two were asked for
    await app.reserveAll([[App, 'one']]).then(([, second]) => second?.fence ?? fences);
    // @ts-expect-error until is the action or the operation
    await app.reserve(App, 'one', { until: 'later' });
    return app.goTo('Ready');
  },
  drop: async (app) => {
    expectTypeOf(app.state).toEqualTypeOf<'Ready' | 'Failed'>();
    // @ts-expect-error the action does not run in this state
    if (app.state === 'Creating') return undefined;
    return app.goTo('Deleted');
  },
});

const Payment = defineEntity('Payment', {
  key: z.string(),
  properties: z.object({}),
  states: { new: initial(), requires_capture: stable({ displayName: 'Requires capture' }) },
  events: { confirm_payment: { in: 'new', displayName: 'Confirm' }, undo: { in: 'requires_capture' } },
  actions: {
    confirm: { on: 'confirm_payment', in: 'new', to: 'requires_capture' },
    undo: { on: 'undo', in: 'requires_capture', to: 'new' },
  },
});
implementActions(Payment, {
  confirm: async (app) => {
    // @ts-expect-error what people read is no name for programs
    app.goTo('Requires capture');
    return app.goTo('requires_capture');
  },
  undo: async (app) => app.goTo('new'),
});

/** For code that treats all alike, a state is a text. */
export function stateOf(app: ActionContext<AnyEntity, string>): void {
  expectTypeOf(app.state).toEqualTypeOf<string>();
}

/** Programs and tests give the same as actions. */
export async function give(reeve: ReeveClient, sim: Simulation): Promise<void> {
  await reeve.raise(App, 'k', 'drop');
  await reeve.raise(App, 'k', 'drop', { requestId: 'r' });
  // @ts-expect-error an event without parameters has its options directly after it
  await reeve.raise(App, 'k', 'drop', undefined, { requestId: 'r' });
  await reeve.create(App, 'k', 'create', { size: 1 });
  await reeve.create(App, 'k', 'create', { size: 1 }, { requestId: 'r' });
  // @ts-expect-error options in the place of parameters
  await reeve.create(App, 'k', 'create', { requestId: 'r' });
  // @ts-expect-error parameters are missing
  await reeve.create(App, 'k', 'create');
  await reeve.perform(App, 'k', 'drop');
  await reeve.perform(App, 'k', 'drop', { requestId: 'r' });
  await reeve.perform(App, 'k', 'create', { size: 1 }, { requestId: 'r' });
  await sim.raise(App, 'k', 'drop');
  await sim.raise(App, 'k', 'drop', { requestId: 'r' });
  // @ts-expect-error an event without parameters has its options directly after it
  await sim.raise(App, 'k', 'drop', undefined, { requestId: 'r' });
  await sim.create(App, 'k', 'create', { size: 1 });
  await sim.create(App, 'k', 'create', { size: 1 }, { requestId: 'r' });
  // @ts-expect-error options in the place of parameters
  await sim.create(App, 'k', 'create', { requestId: 'r' });
  // @ts-expect-error parameters are missing
  await sim.create(App, 'k', 'create');
}

// @ts-expect-error a missing action
implementActions(App, { begin: async (app) => app.goTo('Creating'), install: async (app) => app.goTo('Ready') });

all({ of: App, in: 'Ready' });
// @ts-expect-error not a state of App
all({ of: App, in: 'Raedy' });

const common = { key: z.string(), properties: z.object({}) };
defineEntity('Bad', {
  ...common,
  // @ts-expect-error exhausted goes to a state that does not exist
  states: { A: initial(), B: unstable({ retry: { attempts: 1, exhausted: 'Nowhere' } }) },
  events: {},
  actions: {},
});
defineEntity('Bad', {
  ...common,
  states: { A: initial() },
  // @ts-expect-error an event in a state that does not exist
  events: { go: { in: 'B' } },
  actions: {},
});
defineEntity('Bad', {
  ...common,
  states: { A: initial() },
  events: { go: { in: 'A' } },
  // @ts-expect-error an action on an event that does not exist
  actions: { went: { on: 'gone', in: 'A', to: 'A' } },
});
defineEntity('Bad', {
  ...common,
  states: { A: initial() },
  events: { go: { in: 'A' } },
  // @ts-expect-error an action to a state that does not exist
  actions: { went: { on: 'go', in: 'A', to: 'Z' } },
});

const timed = { ...common, events: { go: { in: 'A' } }, actions: { went: { on: 'go', in: 'A', to: 'A' } } } as const;
defineEntity('Bad', {
  ...timed,
  states: { A: initial(stable({ deadline: { after: '1h', raise: 'go' } })) },
  // @ts-expect-error a timer that raises an event that does not exist
  timers: { tick: { every: '1h', raise: 'gone' } },
});
defineEntity('Good', {
  ...timed,
  states: { A: initial() },
  timers: { tick: { cron: '0 3 * * *', raise: 'go' }, tock: { cron: '0 3 * * *', timeZone: 'UTC', raise: 'go' } },
});
defineEntity('Bad', {
  ...timed,
  states: { A: initial() },
  // @ts-expect-error a timer with a period and a calendar
  timers: { tick: { every: '1h', cron: '0 3 * * *', raise: 'go' } },
});
defineEntity('Bad', {
  ...timed,
  states: { A: initial() },
  // @ts-expect-error a time zone without a calendar
  timers: { tick: { every: '1h', timeZone: 'UTC', raise: 'go' } },
});
defineEntity('Bad', {
  ...timed,
  states: { A: initial() },
  // @ts-expect-error a timer without a period or a calendar
  timers: { tick: { raise: 'go' } },
});
defineEntity('Bad', {
  ...timed,
  // @ts-expect-error a deadline that raises an event that does not exist
  states: { A: initial(stable({ deadline: { after: '1h', raise: 'gone' } })) },
});
defineEntity('Bad', {
  ...timed,
  // @ts-expect-error a deadline of an unstable state that raises an event that does not exist
  states: { A: initial(unstable({ retry: { attempts: 1 }, deadline: { after: '1h', raise: 'gone' } })) },
});
defineEntity('Bad', {
  ...timed,
  states: { A: initial() },
  // @ts-expect-error a time-out that raises an event that does not exist
  subscriptions: { all: { when: all({ of: App }), raise: 'go', timeout: { after: '1h', raise: 'gone' } } },
});
/* A misspelt name is an error at its place and nowhere else: what uses the rest of the declaration goes on to compile. */
const Misspelt = defineEntity('Misspelt', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Ready: stable(), Deleted: deleted() },
  events: {
    create: { params: z.object({ size: z.number() }), in: 'Absent' },
    // @ts-expect-error a state that does not exist
    drop: { in: 'Reday' },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Ready' },
    // @ts-expect-error a state that does not exist
    finish: { on: 'drop', in: 'Ready', to: 'Deletd' },
    // @ts-expect-error an event that does not exist
    drop: { on: 'dorp', in: 'Ready', to: 'Deleted' },
  },
});
implementActions(Misspelt, {
  begin: async (app, { params }) => {
    const size: number = params.size;
    return app.goTo('Ready', { wait: size });
  },
  // @ts-expect-error its declaration has another name
  finish: async (app) => app.goTo('Deleted'),
  drop: async (app) => app.goTo('Deleted'),
});

/* So is a misspelt member. */
const Missaid = defineEntity('Missaid', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Ready: stable(), Deleted: deleted() },
  events: {
    create: { params: z.object({ size: z.number() }), in: 'Absent' },
    // @ts-expect-error `in`
    drop: { ins: 'Ready' },
    // @ts-expect-error `interrupts`
    leave: { in: 'Ready', interupts: 'cancel' },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Ready' },
    // @ts-expect-error `in`
    drop: { on: 'drop', inn: 'Ready', to: 'Deleted' },
    // @ts-expect-error `to`
    leave: { on: 'leave', in: 'Ready', too: 'Deleted' },
  },
});
implementActions(Missaid, {
  begin: async (app, { params }) => {
    const size: number = params.size;
    return app.goTo('Ready', { wait: size });
  },
  drop: async (app) => app.goTo('Deleted'),
  leave: async () => undefined,
});

// @ts-expect-error a length of time without its unit
stable({ deadline: { after: '10', raise: 'go' } });
// @ts-expect-error a misspelt option
stable({ deadlines: { after: '10s', raise: 'go' } });

const Forward = defineEntity('Forward', {
  key: z.string(),
  properties: z.object({}),
  states: { Going: initial(unstable()), There: stable() },
  events: { back: { in: 'There' } },
  actions: { go: { in: 'Going', to: 'There' }, back: { on: 'back', in: 'There', to: ['There', 'Going'] } },
});

implementActions(Forward, {
  go: async (app) => {
    // @ts-expect-error the action does not go to its own state
    app.nextRound();
    return app.goTo('There');
  },
  back: async (app) => {
    // @ts-expect-error an event starts the action
    app.nextRound();
    return app.goTo('Going');
  },
});

const guarded = {
  key: z.string(),
  properties: z.object({ size: z.number().default(1), deep: z.object({ flag: z.boolean() }).optional() }),
  links: { host: link('Host') },
  states: { Idle: initial() },
  actions: { go: { on: 'go', in: 'Idle' } },
} as const;
defineEntity('Guarded', {
  ...guarded,
  events: {
    go: {
      params: z.object({ size: z.number() }),
      in: 'Idle',
      when: [
        { is: and(property('deep.flag').is(true), not(linked('host').isSet())) },
        { is: or(parameter('size').isAbove(property('size')), parameter('size').is(0)), otherwise: alreadyDone() },
      ],
    },
  },
});
defineEntity('Guarded', {
  ...guarded,
  // @ts-expect-error a misspelt property
  events: { go: { in: 'Idle', when: [{ is: property('siz').isSet() }] } },
});
defineEntity('Guarded', {
  ...guarded,
  // @ts-expect-error a misspelt property within other conditions
  events: { go: { in: 'Idle', when: [{ is: or(property('size').is(1), not(property('siz').isSet())) }] } },
});
defineEntity('Guarded', {
  ...guarded,
  // @ts-expect-error a misspelt link
  events: { go: { in: 'Idle', when: [{ is: linked('hosts').isSet() }] } },
});
// @ts-expect-error conditions and patterns of successors do not mix
and(property('size').is(1), all({ is: 'settled' }));
