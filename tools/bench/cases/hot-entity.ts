import type { Case } from '../case.js';
import { crowd } from '../callers.js';
import { quantile } from '../statistics.js';

const LOADS = [
  { callers: 64, perSecond: 2_000 },
  { callers: 512, perSecond: 10_000 },
] as const;
const P99_MS = 60;

/** Many callers of one entity. Its events make no calls. */
export const hotEntity: readonly Case[] = LOADS.map(({ callers, perSecond }) => ({
  name: `hot-${callers}`,
  figures: [
    {
      name: 'rate',
      title: `events without call, ${callers} callers of one entity`,
      unit: '/s',
      budget: { of: 'reeve', atLeast: perSecond },
    },
    { name: 'p99', title: 'their time to the outcome, p99', unit: 'ms', budget: { of: 'reeve', atMost: P99_MS } },
  ],
  rounds: 3,
  warmUps: 3,
  async round({ side, pace, round }) {
    const key = `hot-${callers}-${round}`;
    await side.create(key);
    // Raw Temporal takes ten updates at a time, so most callers would go on trying for a minute. Ending the valves stops them.
    const over = () => (side.name === 'raw' ? side.clear() : Promise.resolve());
    const { ms, perSecond: rate } = await crowd(callers, pace.forMs, () => side.raise(key, 'turn'), over);
    return { rate, p99: quantile(ms, 0.99) };
  },
}));
