import { describe, expect, it } from 'vitest';
import { explainEntity } from '../../src/kernel/index.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { fakeResource, simulate, type FaultRates } from '../../src/simulation/index.js';
import { Daemon, processes } from '../entities/shop.js';
import { Station, station } from '../entities/station.js';
import { seeds } from '../support/seeds.js';

/** A world with one station, and the processes that run for it. */
function world(seed: number, faults: FaultRates = {}) {
  const running = new Set<string>();
  const history: string[] = [];
  const ill = new Set<string>();
  const fakes = fakeResource(processes, {
    start: ({ line }) => {
      if (line === 'broken') throw new ResourceError('no_such_program', 'There is no such program.');
      running.add(line);
      history.push(`start ${line}`);
      return { pid: 7 };
    },
    alive: ({ line }) => !ill.has(line),
    stop: ({ line }) => {
      running.delete(line);
      history.push(`stop ${line}`);
      return {};
    },
  });
  const sim = simulate([station], {
    ...{ seed, resources: [fakes], components: [Daemon], faults },
  });
  /** Lets the end of each process last 10 s longer for each answer that is lost. */
  const loseStops = (count: number) => {
    for (let n = 0; n < count; n++) sim.inject({ at: { call: 'processes.stop' }, fault: 'lose-answer' });
  };
  const explained = () => explainEntity(Station, sim.read(Station, 's'));
  const phase = () => sim.read(Station, 's').deployments?.map((each) => `${each.name} ${each.phase}`);
  return { sim, running, history, ill, phase, loseStops, explained };
}

describe('what a state deploys (W1)', () => {
  it.each(seeds(20))(
    'is up when the operation has settled, and ended when the state was left, with seed %i',
    async (seed) => {
      const { sim, running, history, phase } = world(seed);
      await sim.create(Station, 's', 'open', { lines: ['web', 'mail'] });
      await sim.settle();
      expect(sim.read(Station, 's').state).toBe('OnAir');
      expect([...running].sort()).toEqual(['mail', 'web']);
      expect(phase()).toEqual(['processes up']);
      await sim.raise(Station, 's', 'visit');
      await sim.settle();
      expect(history).toHaveLength(2);
      await sim.raise(Station, 's', 'close');
      await sim.settle();
      expect(sim.read(Station, 's')).toMatchObject({ state: 'Off', properties: { visits: 1 } });
      expect([...running]).toEqual([]);
      expect(phase()).toBeUndefined();
    },
  );

  it.each(seeds(10))(
    'ends by itself: the event is raised once, with the record of the end, with seed %i',
    async (seed) => {
      const { sim, ill, running, phase } = world(seed);
      await sim.create(Station, 's', 'open', { lines: ['web', 'mail'] });
      await sim.settle();
      ill.add('mail');
      await sim.advance('5m');
      await sim.settle();
      const { state, properties } = sim.read(Station, 's');
      expect(state).toBe('Broken');
      expect(properties.ends).toHaveLength(1);
      expect(properties.ends).toMatchObject([{ type: 'abnormal' }]);
      expect([...running]).toEqual([]);
      expect(phase()).toBeUndefined();
    },
  );

  it.each(seeds(10))('that cannot be started fails the operation by its event, with seed %i', async (seed) => {
    const { sim, running } = world(seed);
    const opened = await sim.create(Station, 's', 'open', { lines: ['web', 'broken'] });
    const result = await sim.result(opened);
    expect(sim.read(Station, 's')).toMatchObject({ state: 'Broken', properties: { ends: [{ type: 'abnormal' }] } });
    expect(JSON.stringify(sim.read(Station, 's').properties.ends)).toContain('no such program');
    expect(result.outcome).toBe('failed');
    expect([...running]).toEqual([]);
  });

  it.each(seeds(5))(
    'that cannot be described fails the action before anything takes effect, with seed %i',
    async (seed) => {
      const { sim, history } = world(seed);
      const result = await sim.result(await sim.create(Station, 's', 'open', { lines: ['impossible'] }));
      expect(sim.read(Station, 's').state).toBe('Broken');
      expect(result.errors[0]).toMatchObject({ message: 'RangeError: No process can be started with that line.' });
      expect(history).toEqual([]);
    },
  );

  it.each(seeds(10))('waits until that of the state before has ended, with seed %i', async (seed) => {
    const { sim, history, phase } = world(seed);
    await sim.create(Station, 's', 'open', { lines: ['web'] });
    await sim.settle();
    await sim.raise(Station, 's', 'guard');
    await sim.settle();
    expect(history).toEqual(['start web', 'stop web', 'start guard of s']);
    expect(phase()).toEqual(['guard up']);
  });

  it.each(seeds(10))('ends before the next action runs, while events wait visibly, with seed %i', async (seed) => {
    const { sim, history, loseStops, explained } = world(seed);
    loseStops(1);
    await sim.create(Station, 's', 'open', { lines: ['web'] });
    await sim.settle();
    await sim.raise(Station, 's', 'guard');
    await sim.advance('1s');
    const visit = await sim.raise(Station, 's', 'visit');
    expect(visit.answer).toMatchObject({
      status: 'waiting',
      behind: "the end of 'processes', which OnAir has deployed",
    });
    expect(explained()).toMatchObject([
      { kind: 'deployment', deployment: 'processes', phase: 'ending' },
      { kind: 'deployment', deployment: 'guard', phase: 'waiting' },
      { kind: 'event', event: 'visit' },
    ]);
    await sim.settle();
    expect(sim.read(Station, 's')).toMatchObject({ state: 'Serving', properties: { visits: 1 } });
    expect(history).toEqual(['start web', 'stop web', 'stop web', 'start guard of s']);
  });

  it.each(seeds(10))('is waited for no longer than declared, with seed %i', async (seed) => {
    const { sim, phase, loseStops } = world(seed);
    loseStops(5);
    await sim.create(Station, 's', 'open', { lines: ['web'] });
    await sim.settle();
    await sim.raise(Station, 's', 'close');
    await sim.advance('29s');
    expect(sim.read(Station, 's').state).toBe('Closing');
    await sim.advance('2s');
    expect(sim.read(Station, 's').state).toBe('Off');
    expect(phase()).toEqual(['processes left']);
    await sim.advance('1m');
    expect(phase()).toBeUndefined();
  });

  it.each(seeds(10))('is ended by hand: the event is raised as lost, with seed %i', async (seed) => {
    const { sim } = world(seed);
    await sim.create(Station, 's', 'open', { lines: ['web'] });
    await sim.settle();
    sim.terminateDeployment(sim.read(Station, 's').deployments![0]!.id);
    await sim.advance('1h');
    await sim.settle();
    expect(sim.read(Station, 's')).toMatchObject({ state: 'Broken', properties: { ends: [{ type: 'lost' }] } });
  });

  it.each(seeds(10))('is ended by hand before it was up: its operation has failed, with seed %i', async (seed) => {
    const { sim, phase } = world(seed);
    sim.inject({ at: { call: 'processes.start' }, fault: 'lose-answer' });
    const opened = await sim.create(Station, 's', 'open', { lines: ['web'] });
    await sim.advance('1s');
    expect(phase()).toEqual(['processes starting']);
    sim.terminateDeployment(sim.read(Station, 's').deployments![0]!.id);
    await sim.advance('1h');
    expect(await sim.result(opened)).toMatchObject({ outcome: 'failed', errors: [{ code: 'undeployed' }] });
    expect(sim.read(Station, 's')).toMatchObject({ state: 'Broken', properties: { ends: [{ type: 'lost' }] } });
  });

  it.each(seeds(10))('is ended before its entity is gone, with seed %i', async (seed) => {
    const { sim, history } = world(seed);
    await sim.create(Station, 's', 'open', { lines: ['web'] });
    await sim.settle();
    await sim.raise(Station, 's', 'remove');
    await sim.settle();
    expect(history).toEqual(['start web', 'stop web']);
    expect(sim.read(Station, 's').state).toBe('Gone');
  });

  it.each(seeds(10))('ends itself when its entity is gone without a word, with seed %i', async (seed) => {
    const { sim, history } = world(seed);
    await sim.create(Station, 's', 'open', { lines: ['web'] });
    await sim.settle();
    sim.terminate(Station, 's');
    await sim.advance('2h');
    expect(history).toEqual(['start web', 'stop web']);
  });

  it.each(seeds(40))('is deployed once, and ended once, whatever strikes, with seed %i', async (seed) => {
    const { sim, history, running } = world(seed, {
      ...{ crash: 0.05, loseAnswer: 0.05, slow: 0.1, delay: 0.1, double: 0.1, rollOver: 0.1, read: 0.2, lag: 0.1 },
    });
    await sim.create(Station, 's', 'open', { lines: ['web', 'mail'] });
    await sim.settle();
    for (const event of ['visit', 'guard', 'visit', 'close'] as const) {
      if (sim.read(Station, 's').state !== 'Broken') await sim.raise(Station, 's', event);
      await sim.settle();
    }
    expect([...running]).toEqual([]);
    expect(['Off', 'Broken']).toContain(sim.read(Station, 's').state);
    const starts = new Set(history.filter((line) => line.startsWith('start')));
    expect(starts.size).toBeGreaterThan(0);
  });
});
