import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { any, defineEntity, deleted, implementActions, initial, stable, terminal } from '../../src/definition/index.js';
import { simulate, type Simulation } from '../../src/simulation/index.js';

/** With `REEVE_FOR_LIFE=1`, as many as an entity has in years: that takes more than a minute. */
const FULL = process.env['REEVE_FOR_LIFE'] === '1';
const CREATIONS = FULL ? 20_000 : 150;
const RAISERS = FULL ? 5_000 : 100;
/** Days of a year, or of two months. */
const DAYS = FULL ? 365 : 60;

/** Something short-lived. */
const Lease = defineEntity('Lease', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Held: stable(), Ended: deleted() },
  events: { take: { in: 'Absent' }, end: { in: 'Held' } },
  actions: {
    take: { on: 'take', in: 'Absent', to: 'Held' },
    end: { on: 'end', in: 'Held', to: 'Ended' },
  },
});
const lease = implementActions(Lease, {
  take: async (app) => app.goTo('Held'),
  end: async (app) => app.goTo('Ended'),
});

/** Gives out leases for life, and counts for life whether one was ever given. */
const Office = defineEntity('Office', {
  key: z.string(),
  properties: z.object({ given: z.number().default(0), noticed: z.number().default(0), ticks: z.number().default(0) }),
  states: { Closed: initial(), Open: stable(), Busy: stable() },
  events: {
    open: { in: 'Closed' },
    give: { in: 'Open' },
    takeBack: { in: 'Open' },
    notice: { in: 'Busy' },
    tick: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Closed', to: 'Open' },
    give: { on: 'give', in: 'Open', to: 'Open' },
    takeBack: { on: 'takeBack', in: 'Open', to: 'Busy' },
    notice: { on: 'notice', in: 'Busy', to: 'Open' },
    tick: { on: 'tick', in: 'Open', to: 'Open' },
  },
  subscriptions: { given: { when: any({ of: Lease, in: 'Ended' }), raise: 'notice', among: 'life' } },
  timers: { tick: { every: '1d', raise: 'tick' } },
});
const name = (number: number) => `${'lease-'.repeat(20)}${number}`;
const office = implementActions(Office, {
  open: async (app) => app.goTo('Open'),
  give: async (app) => {
    app.properties.given += 1;
    app.create(Lease, name(app.properties.given), 'take');
    return app.goTo('Open');
  },
  takeBack: async (app) => {
    app.raise(Lease, name(app.properties.given), 'end');
    return app.goTo('Busy');
  },
  notice: async (app) => app.goTo('Open'),
  tick: async (app) => {
    app.properties.ticks += 1;
    app.properties.given += 1;
    app.create(Lease, name(app.properties.given), 'take');
    return app.goTo('Open');
  },
});

/** Uses a shared lease once. */
const User = defineEntity('User', {
  key: z.string(),
  properties: z.object({}),
  states: { New: initial(), Done: terminal() },
  events: { use: { in: 'New' } },
  actions: { use: { on: 'use', in: 'New', to: 'Done' } },
});
/** Is used by many. */
const Shared = defineEntity('Shared', {
  key: z.string(),
  properties: z.object({ uses: z.number().default(0) }),
  states: { Ready: initial(), Closed: terminal() },
  events: { touch: { in: 'Ready' }, close: { in: 'Ready' } },
  actions: {
    touch: { on: 'touch', in: 'Ready', to: 'Ready' },
    close: { on: 'close', in: 'Ready', to: 'Closed' },
  },
});
const user = implementActions(User, {
  use: async (app) => {
    app.raise(Shared, 'all', 'touch');
    return app.goTo('Done');
  },
});
const shared = implementActions(Shared, {
  touch: async (app) => {
    app.properties.uses += 1;
    return app.goTo('Ready');
  },
  close: async (app) => app.goTo('Closed'),
});

/** The parts of a snapshot that grew with age. */
const size = (sim: Simulation, entity: typeof Office | typeof Shared, key: string) => {
  const { successors, watchers } = sim.read(entity, key);
  return JSON.stringify([successors, watchers]).length;
};

/** Steps of the simulation, tasks and messages: how many each of the first and of the last ten rounds took, on average. */
class Steps {
  readonly #counts: number[] = [];

  note(sim: Simulation): void {
    this.#counts.push(sim.steps);
  }

  get early(): number {
    return (this.#counts[19]! - this.#counts[9]!) / 10;
  }

  get late(): number {
    return (this.#counts.at(-1)! - this.#counts.at(-11)!) / 10;
  }
}

describe('an entity that lives long', () => {
  it(
    'has a flat snapshot, however many successors it has created and deleted (Q1, S3.3)',
    async () => {
      const sim = simulate([office, lease]);
      await sim.create(Office, 'o', 'open');
      let early = 0;
      const steps = new Steps();
      for (let number = 1; number <= CREATIONS; number++) {
        await sim.raise(Office, 'o', 'give');
        await sim.advance('1s');
        // Half of them are deleted by itself, half by somebody else.
        await (number % 2 === 0 ? sim.raise(Office, 'o', 'takeBack') : sim.raise(Lease, name(number), 'end'));
        await sim.advance('1s');
        if (number === 10) early = size(sim, Office, 'o');
        steps.note(sim);
      }
      expect(sim.read(Office, 'o').properties).toMatchObject({ given: CREATIONS });
      // The entity's memory of requests is full by then, and the entity asks the store.
      expect(steps.late).toBeLessThanOrEqual(1.5 * steps.early);
      expect(size(sim, Office, 'o')).toBeLessThanOrEqual(early + 500);
      expect(sim.read(Office, 'o').successors.length).toBeLessThanOrEqual(4);
    },
    FULL ? 3_600_000 : 60_000,
  );

  it(
    'tells one raiser of each event, however many have raised one before (Q1, S4.4)',
    async () => {
      const sim = simulate([user, shared]);
      await sim.construct(Shared, 'all', {});
      const steps = new Steps();
      for (let number = 1; number <= RAISERS; number++) {
        await sim.create(User, `user-${number}`, 'use');
        await sim.advance('1s');
        steps.note(sim);
      }
      expect(steps.late).toBeLessThanOrEqual(1.5 * steps.early);
      const { properties, watchers, version } = sim.read(Shared, 'all');
      expect(properties).toEqual({ uses: RAISERS });
      expect(watchers).toEqual([]);
      expect(version).toBe(RAISERS);
      const reports = sim.trace.filter((line) => /User\/user-\d+ +task: .*report/.test(line));
      expect(reports.length).toBeLessThanOrEqual(RAISERS);
    },
    FULL ? 3_600_000 : 60_000,
  );

  it('has a flat snapshot after a year, or two months, of a timer that creates something each day (Q1, S4.5)', async () => {
    const sim = simulate([office, lease]);
    await sim.create(Office, 'o', 'open');
    let early = 0;
    const steps = new Steps();
    for (let day = 1; day <= DAYS; day++) {
      await sim.advance('1d');
      const { given } = sim.read(Office, 'o').properties;
      await sim.raise(Lease, name(Number(given)), 'end');
      if (day === 10) early = size(sim, Office, 'o');
      steps.note(sim);
    }
    expect(steps.late).toBeLessThanOrEqual(1.5 * steps.early);
    expect(sim.read(Office, 'o').properties).toMatchObject({ ticks: DAYS });
    expect(size(sim, Office, 'o')).toBeLessThanOrEqual(early + 500);
  });
});
