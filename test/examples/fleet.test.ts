import { fakeResource, ResourceError, simulate, type Simulation } from 'reeve/simulation';
import { beforeEach, describe, expect, it } from 'vitest';
import { Fleet, fleet, machines, Server, server } from '../../examples/fleet/fleet.js';

let sim: Simulation;
let broken: readonly string[] = [];
beforeEach(async () => {
  broken = [];
  const boot = ({ name }: { readonly name: string }) => {
    if (broken.includes(name)) throw new ResourceError('no_power', `${name} has no power.`);
    return { address: `${name}.internal` };
  };
  sim = simulate([fleet, server], { resources: [fakeResource(machines, { boot })] });
  const created = await sim.create(Fleet, 'web', 'create');
  expect(await sim.result(created)).toMatchObject({ outcome: 'success' });
});

const running = () =>
  ['web-1', 'web-2', 'web-3', 'web-4', 'web-5'].filter(
    (key) => sim.exists(Server, key) && sim.read(Server, key).state === 'Running',
  );

describe('examples/fleet', () => {
  it('replaces a server that breaks, and removes it', async () => {
    expect(running()).toEqual(['web-1', 'web-2', 'web-3']);
    await sim.raise(Server, 'web-2', 'fail');
    await sim.advance('5s');
    expect(running()).toEqual(['web-1', 'web-3', 'web-4']);
    expect(sim.exists(Server, 'web-2')).toBe(false);
    expect(sim.read(Fleet, 'web').state).toBe('Complete');
  });

  it('replaces a server whose workflow was terminated', async () => {
    sim.terminate(Server, 'web-1');
    await sim.advance('1m');
    expect(running()).toEqual(['web-2', 'web-3', 'web-4']);
    expect(sim.read(Fleet, 'web').state).toBe('Complete');
  });

  it('replaces a replacement that does not boot', async () => {
    broken = ['web-4'];
    await sim.raise(Server, 'web-3', 'fail');
    await sim.advance('3m');
    expect(running()).toEqual(['web-1', 'web-2', 'web-5']);
    expect(sim.read(Fleet, 'web').state).toBe('Complete');
  });
});
