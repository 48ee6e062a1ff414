import { Gauge, type Registry } from 'prom-client';
import { EVERYTHING } from '../readable.js';
import { Visible } from '../lists/visible.js';
import type { Attention } from './attention-schema.js';
import { findConcerns, type Sources } from './find-concerns.js';
import { REASONS } from './reasons.js';

/** How many of each reason are counted. */
const MOST = 1_000;

/**
 * Measures how many things need a person, by reason. Every instance has the same numbers, so take the maximum and not the sum.
 * `reeve_attention_partial` is 1 where something could not be asked. S5.5
 */
export function measureAttention(registry: Registry, sources: Sources): void {
  let asking: Promise<Attention> | undefined;
  // Both metrics of a scrape are collected at the same time.
  const found = () =>
    (asking ??= findConcerns(sources, { readable: EVERYTHING, visible: Visible.ofAll(), most: MOST }).finally(
      () => (asking = undefined),
    ));
  new Gauge({
    name: 'reeve_attention_partial',
    help: '1 where the store or Temporal could not be queried for reeve_attention.',
    registers: [registry],
    async collect() {
      this.set((await found()).partial.length > 0 ? 1 : 0);
    },
  });
  new Gauge({
    name: 'reeve_attention',
    help: 'What needs a person, by reason.',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const counts = new Map<string, number>(Object.keys(REASONS).map((reason) => [reason, 0]));
      for (const { reason } of (await found()).items) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      for (const [reason, count] of counts) this.set({ reason }, count);
    },
  });
}
