import { describe, expect, it } from 'vitest';
import { implementActions } from '../../src/definition/index.js';
import { crashPoints, fakeResource } from '../../src/simulation/index.js';
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

describe('crash points', () => {
  it('find every path of the declarations, and each ends the same after a crash at any step (S4.1)', async () => {
    const { paths, runs, differences, untried } = await crashPoints([box, room], { resources, examples });
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
    const { untried } = await crashPoints([box], { resources });
    expect(untried).toEqual([
      expect.stringMatching(/^Box\.place: .*Give parameters in 'examples', or values in 'construct'\.$/),
    ]);
  });
});
