import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { simulate, type Simulation } from '../../src/simulation/index.js';
import { explainEntity } from '../../src/kernel/index.js';
import { Loaf, loaf } from '../entities/loaf.js';
import { seeds } from '../support/seeds.js';

const spoilings = (sim: Simulation) =>
  sim.records.flatMap((each) => (each.kind === 'event' && each.event === 'tooLong' ? each.startedAt : []));

describe('a limit over several states (S4.5)', () => {
  it('is declared in the docs as it runs here', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const line = /^limits: .*$/m.exec(read('docs/guides/time.md'))![0];
    expect(read('test/entities/loaf.ts')).toContain(line);
  });

  it.each(seeds(5))('runs from entering them, whatever happens within, with seed %i (staying.5)', async (seed) => {
    const sim = simulate([loaf], { seed });
    const before = sim.now;
    const baked = await sim.create(Loaf, 'l', 'bake');
    await sim.advance('1s');
    const [limit] = explainEntity(Loaf, sim.read(Loaf, 'l')).flatMap((wait) => (wait.kind === 'timer' ? [wait] : []));
    expect(limit).toMatchObject({ timer: 'limits.baking', event: 'tooLong' });
    expect(limit!.at - before).toBeLessThan(5_600);
    await sim.result(baked);
    const [spoilt = 0] = spoilings(sim);
    expect(spoilt).toBeGreaterThanOrEqual(limit!.at);
    await sim.settle();
    expect(sim.read(Loaf, 'l')).toMatchObject({ state: 'Spoilt' });
    expect(sim.read(Loaf, 'l').clocks).toBeUndefined();
  });

  it('runs anew where the states are entered again', async () => {
    const sim = simulate([loaf], {});
    await sim.result(await sim.create(Loaf, 'l', 'bake'));
    await sim.advance('1h');
    const again = sim.now;
    await sim.result(await sim.raise(Loaf, 'l', 'bake'));
    expect(spoilings(sim)[1]! - again).toBeGreaterThanOrEqual(5_000);
  });
});
