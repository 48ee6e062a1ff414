import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { simulate, type Simulation } from '../../src/simulation/index.js';
import { Bell } from '../entities/bell.js';
import { bell } from '../entities/bell-workflows.js';

const rings = (sim: Simulation) => sim.read(Bell, 'b').properties['rings'] as readonly string[];
const CHANGES = [
  ['forward', '2026-03-27T20:00:00Z', ['2026-03-28T02', '2026-03-29T01', '2026-03-30T01']],
  ['back', '2026-10-23T20:00:00Z', ['2026-10-24T01', '2026-10-25T02', '2026-10-26T02']],
] as const;

async function hung(startsAt: string): Promise<Simulation> {
  const sim = simulate([bell], { seed: 3 });
  await sim.advance(Date.parse(startsAt) - sim.now);
  await sim.create(Bell, 'b', 'hang');
  return sim;
}

describe('a daily timer by calendar', () => {
  it('is declared in the docs as it runs here', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const line = /^timers: .*cron.*$/m.exec(read('docs/guides/time.md'))![0];
    expect(read('test/entities/bell.ts')).toContain(line);
  });

  it.each(CHANGES)('keeps its local hour where clocks go %s (S4.5)', async (_, startsAt, expected) => {
    const sim = await hung(startsAt);
    await sim.advance('3d');
    expect(rings(sim).map((at) => at.slice(0, 16))).toEqual(expected.map((hour) => `${hour}:00`));
  });

  it('drops a tick where its event is not valid, and ticks at the next one (S4.5, calendar.3)', async () => {
    const sim = await hung('2026-07-01T20:00:00Z');
    await sim.advance('1h');
    await sim.raise(Bell, 'b', 'muffle');
    await sim.advance('1d');
    await sim.raise(Bell, 'b', 'free');
    await sim.advance('1d');
    expect(rings(sim).map((at) => at.slice(0, 16))).toEqual(['2026-07-03T01:00']);
  });
});
