import { describe, expect, it } from 'vitest';
import { compareBuilds } from '../../tools/bench/compare/compare-builds.js';
import type { MeasuredBuild } from '../../tools/bench/compare/measured-build.js';
import { medianInterval } from '../../tools/bench/statistics.js';

const figures = [
  { name: 'cpu', title: 'CPU', unit: 'ms' as const },
  { name: 'rate', title: 'events', unit: '/s' as const },
];

/** Two builds on a machine that becomes slower with each round. Notes who was asked in which order. */
function builds(then: { cpu: number; rate: number }, now: { cpu: number; rate: number }) {
  const asked: string[] = [];
  const build = (name: string, warmUps: number, { cpu, rate }: { cpu: number; rate: number }): MeasuredBuild => ({
    prepare: async () => warmUps,
    async round(round) {
      asked.push(`${name} ${round}`);
      const slowness = 1 + Math.abs(round);
      return { cpu: cpu * slowness, rate: rate / slowness };
    },
    stop: async () => undefined,
  });
  return { asked, then: build('then', 1, then), now: build('now', 2, now) };
}

describe('the comparison of two builds', () => {
  it('divides neighbouring rounds, so that a machine that slows down slows down both', async () => {
    const found = await compareBuilds(builds({ cpu: 2, rate: 100 }, { cpu: 3, rate: 100 }), { name: 'c', figures }, 30);
    expect(found).toMatchObject([
      { figure: 'cpu', ratio: { median: 1.5, low: 1.5, high: 1.5 }, worse: true },
      { figure: 'rate', ratio: { median: 1, low: 1, high: 1 }, worse: false },
    ]);
  });

  it('calls more time worse, and fewer events a second, from three per cent on', async () => {
    const worse = async (now: { cpu: number; rate: number }) =>
      (await compareBuilds(builds({ cpu: 100, rate: 100 }, now), { name: 'c', figures }, 30)).map((one) => one.worse);
    expect(await worse({ cpu: 104, rate: 96 })).toEqual([true, true]);
    expect(await worse({ cpu: 102, rate: 98 })).toEqual([false, false]);
    expect(await worse({ cpu: 50, rate: 200 })).toEqual([false, false]);
  });

  it('warms both up alike, and begins each round with the other one', async () => {
    const both = builds({ cpu: 1, rate: 1 }, { cpu: 1, rate: 1 });
    await compareBuilds(both, { name: 'c', figures }, 2);
    expect(both.asked).toEqual(['then -2', 'now -2', 'then -1', 'now -1', 'then 0', 'now 0', 'now 1', 'then 1']);
  });

  it('knows the median of thirty rounds to ten ranks on each side', () => {
    const thirty = Array.from({ length: 30 }, (_, index) => index);
    expect(medianInterval(thirty)).toEqual({ low: 10, high: 19 });
    expect(medianInterval([5])).toEqual({ low: 5, high: 5 });
  });
});
