import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, implementActions, initial, stable, terminal, unstable } from '../../src/definition/index.js';
import {
  crashPoints,
  fakeResource,
  ResourceError,
  type CrashProgress,
  type CrashReport,
  type End,
} from '../../src/simulation/index.js';
import { account, clerk } from '../entities/bank-workflows.js';
import { Account } from '../entities/bank.js';
import { Box, shelf } from '../entities/box.js';
import { site } from '../entities/town-workflows.js';
import { box, room } from '../entities/workflows.js';

const resources = () => [
  fakeResource(shelf, { put: ({ name }) => ({ place: name.length }), look: () => ({ place: 70 }) }),
];
const examples = {
  Box: { place: { label: 'red' }, relabel: { label: 'blue' } },
  Room: { furnish: { boxes: ['a', 'b'] } },
};

/** A thing with deadlines in an unstable and in a stable state, one sooner and one later than a dead worker is missed. */
const Dough = defineEntity('Dough', {
  key: z.string(),
  properties: z.object({ place: z.number().optional() }),
  states: {
    Absent: initial(),
    Rising: unstable({ deadline: { after: '5s', raise: 'fallIn' } }),
    Risen: stable({ deadline: { after: '1d', raise: 'dry' } }),
    Flat: terminal({ health: 'error' }),
    Dry: terminal(),
  },
  events: {
    knead: { in: 'Absent' },
    fallIn: { in: 'Rising', busy: 'abort', internal: true },
    dry: { in: 'Risen', internal: true },
  },
  actions: {
    begin: { on: 'knead', in: 'Absent', to: 'Rising' },
    rise: { in: 'Rising', to: 'Risen' },
    fallIn: { on: 'fallIn', in: 'Rising', to: 'Flat' },
    dry: { on: 'dry', in: 'Risen', to: 'Dry' },
  },
});

const dough = implementActions(Dough, {
  begin: async (app) => app.goTo('Rising'),
  rise: async (app) => {
    app.properties.place = (await app.call(shelf.put, { name: app.key })).place;
    return app.goTo('Risen');
  },
  fallIn: async (app) => app.goTo('Flat'),
  dry: async (app) => {
    await app.call(shelf.put, { name: 'crumbs' });
    return app.goTo('Dry');
  },
});

/** Nobody calls while it rises, so that it always comes to its long deadline. */
const restful = { ...dough.actions, rise: async (app: Parameters<typeof dough.actions.rise>[0]) => app.goTo('Risen') };

/** A thing that rests until a deadline far away, with an event of its own kind behind it. */
const Lease = defineEntity('Lease', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Let: stable({ deadline: { after: '14d', raise: 'end' } }),
    Ended: stable(),
    Closed: terminal(),
  },
  events: {
    sign: { in: 'Absent' },
    end: { in: 'Let', internal: true },
    close: { in: 'Ended' },
    seize: { in: 'Ended', internal: true },
  },
  actions: {
    sign: { on: 'sign', in: 'Absent', to: 'Let' },
    end: { on: 'end', in: 'Let', to: 'Ended' },
    close: { on: 'close', in: 'Ended', to: 'Closed' },
    seize: { on: 'seize', in: 'Ended', to: 'Closed' },
  },
});

const lease = implementActions(Lease, {
  sign: async (app) => app.goTo('Let'),
  end: async (app) => app.goTo('Ended'),
  close: async (app) => app.goTo('Closed'),
  seize: async (app) => app.goTo('Closed'),
});

describe('crash points', () => {
  it('wait for the deadline that raises an internal event, and say of one that others raise what to do (S4.1, S4.5)', async () => {
    const { paths, differences, untried } = await crashPoints([lease]);
    expect(paths.map(({ path }) => path)).toEqual(['Lease: sign, end, close']);
    expect(differences).toEqual([]);
    expect(untried).toEqual([
      expect.stringMatching(/^Lease\.seize: .*Let the entity that raises it do so, in a 'scenario'/) as string,
    ]);
  });

  it('find every path of the declarations, and each ends the same after a crash at any step (S4.1)', async () => {
    const { paths, runs, differences, untried, unreached } = await crashPoints([box, room], { resources, examples });
    expect(paths.map(({ path }) => path)).toEqual([
      'Box: place, relabel',
      'Box: place, look',
      'Box: place, break',
      'Box: place, remove',
      'Room: furnish, empty',
    ]);
    expect(runs).toBe(2 * paths.reduce((sum, { points }) => sum + points, 0));
    expect(differences.map(({ path, fault, at }) => ({ path, fault, at }))).toEqual([]);
    expect(untried).toEqual([]);
    expect(unreached).toEqual(['Box.Clearing', 'Box.Lost', 'Room.Failed']);
  });

  it('say how far they are, and go on where a limit has stopped them, until all is tried (S4.1)', async () => {
    const ofBox = { Box: examples.Box };
    let total = 0;
    const all = await crashPoints([box], { resources, examples: ofBox, progress: ({ of }) => (total = of) });
    const told: CrashProgress[] = [];
    let runs = 0;
    const found = new Set<string>();
    let seed: number | undefined = 0;
    for (let calls = 0; seed !== undefined; calls++) {
      expect(calls).toBeLessThan(20);
      const report: CrashReport = await crashPoints([box], {
        ...{ resources, examples: ofBox, most: 40, seed },
        progress: (each) => told.push(each),
      });
      expect(report.left).toBe(total - told.at(-1)!.tried);
      expect(report.differences).toEqual([]);
      runs += report.runs;
      for (const { path } of told) if (path !== undefined && calls === 0) found.add(path);
      seed = report.next;
    }
    expect(runs).toBe(all.runs);
    expect(all).toMatchObject({ left: 0 });
    expect(all.next).toBeUndefined();
    // The first 40 are of more than one path, and each is told of.
    expect(found.size).toBeGreaterThan(2);
    expect(told.slice(0, 2)).toEqual([
      { tried: 0, of: 40 },
      { tried: 1, of: 40, path: expect.any(String) as string },
    ]);
    await expect(crashPoints([box], { resources, examples, most: 0 })).rejects.toThrow("'most' is 0");
    await expect(crashPoints([box], { resources, examples, most: 1, seed: 1_000_000 })).rejects.toThrow("'seed' is");
  });

  it('tell the states to which no run came, so that nobody takes them for proved (S4.1)', async () => {
    const put = () => {
      throw new ResourceError('shelf_full', 'no room');
    };
    const failing = () => [fakeResource(shelf, { put, look: () => ({ place: 70 }) })];
    const { paths, untried, unreached } = await crashPoints([box], { resources: failing, examples });
    expect(paths.map(({ path }) => path)).toEqual(['Box: place, remove']);
    expect(untried).toEqual([]);
    expect(unreached).toEqual(['Box.Placed']);
    const scenario = async () => undefined;
    await expect(crashPoints([box], { resources: failing, scenario })).rejects.toThrow('ran nothing');
  });

  it('report the run whose end depends on a crash, and where the crash was', async () => {
    let executions = 0;
    const forgetful = implementActions(Box, {
      ...box.actions,
      // A count outside of the entity: an execution that is done again counts twice.
      begin: async (app) => {
        executions++;
        app.properties.label = String(executions % 2 === 1);
        return app.goTo('Placing');
      },
    });
    const { differences } = await crashPoints([forgetful], {
      resources,
      scenario: async (sim) => {
        executions = 0;
        await sim.create(Box, 'a', 'place', { label: 'red' });
        await sim.settle();
      },
    });
    expect(differences[0]).toMatchObject({ fault: 'crash', at: { entity: 'Box/a', action: 'begin' } });
  });

  it('begin with what has to be there, and with what an entity comes to be with (S2.1, S4.1)', async () => {
    const sites = await crashPoints([site], { construct: { Site: { size: 2 } } });
    expect(sites.paths.map(({ path }) => path)).toContain('Site: build, archive');
    expect(sites.differences).toEqual([]);

    const clerks = await crashPoints([account, clerk], {
      resources,
      types: ['Clerk'],
      examples: { Clerk: { look: { account: 'a' } } },
      setUp: async (sim) => {
        await sim.create(Account, 'a', 'open');
        await sim.settle();
      },
    });
    expect(clerks.paths.map(({ path }) => path)).toContain('Clerk: look');
    expect(clerks.differences).toEqual([]);
  });

  it('name an event that needs parameters and has no example', async () => {
    const { runs, untried } = await crashPoints([box], { resources, examples: { Box: { place: examples.Box.place } } });
    expect(runs).toBeGreaterThan(0);
    expect(untried).toEqual([
      expect.stringMatching(/^Box\.relabel: .*Give parameters in 'examples': \{ Box: \{ relabel: /),
    ]);
  });

  it('fail where nothing ran, and say what was lacking, since no difference would look like a proof (S4.1)', async () => {
    const refused = (given: Promise<unknown>) => expect(given).rejects;
    await refused(crashPoints([box, site], { resources })).toThrow(
      /^crashPoints ran nothing, so it says nothing about crashes:\n {2}Box\.place: .*\n {2}Site\.build: .*'construct': \{ Site: /,
    );
    await refused(crashPoints([box], { resources, examples, types: ['Bax'] })).toThrow(
      "None of the given entities is one of 'types': Bax.",
    );
    await refused(crashPoints([])).toThrow('There are no entities with events.');
    await refused(crashPoints([box], { scenario: async () => {} })).toThrow('The scenario raised no event.');
  });

  it('report nothing where a crash only lets a deadline come first, or later (S4.1, S4.5)', async () => {
    const { paths, runs, differences } = await crashPoints([dough], { resources });
    expect(paths.map(({ path }) => path)).toEqual(['Dough: knead']);
    expect(runs).toBeGreaterThan(10);
    expect(differences.map(({ fault, at, actual }) => ({ fault, at, actual }))).toEqual([]);
  });

  it('still report a call that does something else when it is made again, also by a deadline (S3.4)', async () => {
    const forgetful = () => [
      fakeResource(shelf, { put: (_, { attempt }) => ({ place: attempt }), look: () => ({ place: 70 }) }),
    ];
    const noting = implementActions(Dough, {
      ...restful,
      dry: async (app) => {
        app.properties.place = (await app.call(shelf.put, { name: app.key })).place;
        return app.goTo('Dry');
      },
    });
    const { differences } = await crashPoints([noting], { resources: forgetful });
    expect(differences.map(({ fault, at }) => ({ fault, at }))).toEqual([
      { fault: 'crash', at: { kind: 'call', entity: 'Dough/a', action: 'dry', call: 'shelf.put' } },
    ]);
    expect(differences[0]).toMatchObject({
      expected: { entities: { 'Dough/a': { state: 'Dry', properties: { place: 1 } } } },
      actual: { entities: { 'Dough/a': { state: 'Dry', properties: { place: 2 } } } },
    });
  });

  it('still report what a deadline does twice after a crash (S3.4)', async () => {
    let executions = 0;
    const counting = implementActions(Dough, {
      ...restful,
      // A count outside of the entity: an execution that is done again counts twice.
      dry: async (app) => {
        app.properties.place = ++executions;
        return app.goTo('Dry');
      },
    });
    const { differences } = await crashPoints([counting], {
      resources,
      scenario: async (sim) => {
        executions = 0;
        await sim.create(Dough, 'a', 'knead');
        await sim.advance('1d');
      },
    });
    expect(differences[0]).toMatchObject({ fault: 'crash', at: { entity: 'Dough/a', action: 'dry' } });
  });

  it('report an event that ends otherwise while all else is the same (S5.1)', async () => {
    let executions = 0;
    const failing = implementActions(Box, {
      ...box.actions,
      relabel: async (app) => {
        await app.call(shelf.put, { name: app.key });
        if (++executions % 2 === 0) throw new Error('It fails each second time.');
      },
    });
    const { differences } = await crashPoints([failing], {
      resources,
      scenario: async (sim) => {
        executions = 0;
        await sim.create(Box, 'a', 'place', { label: 'red' });
        await sim.settle();
        await sim.raise(Box, 'a', 'relabel', { label: 'blue' });
        await sim.settle();
      },
    });
    const [found] = differences;
    expect(found).toMatchObject({
      expected: { events: { 'relabel Box/a: success': 1 } },
      actual: { events: { 'relabel Box/a: failed': 1 } },
    });
    expect(found?.actual).toMatchObject({ entities: (found?.expected as End).entities });
  });
});
