import { describe, expect, it } from 'vitest';
import { PassedProbes } from '../../src/kernel/reservations/passed-probes.js';
import type { Effect } from '../../src/kernel/rules/step.js';
import type { WaitedFor } from '../../src/protocol/probe.js';

const to = { type: 'Box', key: 'b' };
const edge = (on: string, kind: WaitedFor['kind'] = 'event', id = 'e'): WaitedFor => ({ on, kind, id });

/** A probe that goes over an edge, by a way to here. */
function probe(
  last: WaitedFor,
  more: { wait?: string; round?: number; by?: readonly WaitedFor[]; life?: string } = {},
) {
  const { wait = 'w', round = 0, by = [], life = 'life-1' } = more;
  const initiator = { type: 'Clerk', key: 'c', life };
  const message = { kind: 'probe', initiator, wait, round, path: [...by, last] } as const;
  return { kind: 'send', to, message } satisfies Effect;
}

describe('the probes that an entity has sent on', () => {
  it('go over each edge once, by however many ways they come (S3.8, passed-probes.1)', () => {
    const passed = new PassedProbes();
    const first = probe(edge('Box/b'));
    expect(passed.unsent([first, first])).toEqual([first]);
    expect(passed.unsent([probe(edge('Box/b'), { by: [edge('Box/x')] })])).toEqual([]);
    const others = [probe(edge('Box/c')), probe(edge('Box/b', 'release')), probe(edge('Box/b', 'event', 'f'))];
    expect(passed.unsent(others)).toEqual(others);
    expect(passed.unsent(others)).toEqual([]);
  });

  it('go again in another round, for another wait, and for another life; an overtaken round does not (S3.8, passed-probes.1)', () => {
    const passed = new PassedProbes();
    const passes = (more: Parameters<typeof probe>[1]) => passed.unsent([probe(edge('Box/b'), more)]).length === 1;
    expect(passes({ round: 1 })).toBe(true);
    expect(passes({ round: 2 })).toBe(true);
    expect(passes({ round: 1 })).toBe(false);
    expect(passes({ round: 2 })).toBe(false);
    expect(passes({ wait: 'v' })).toBe(true);
    expect(passes({ life: 'life-2' })).toBe(true);
  });

  it('leave other effects as they are, and in order', () => {
    const release: Effect = { kind: 'send', to, message: { kind: 'release', wait: 'w' } };
    const passed = new PassedProbes();
    const effects = [release, release];
    expect(passed.unsent(effects)).toBe(effects);
    const once = probe(edge('Box/b'));
    expect(passed.unsent([release, once, once, release])).toEqual([release, once, release]);
  });

  it('are forgotten for the wait of which nothing was heard for longest, past 1,000 (passed-probes.2)', () => {
    const passed = new PassedProbes();
    const passes = (wait: string, on = 'Box/b') => passed.unsent([probe(edge(on), { wait })]).length === 1;
    for (let wait = 0; wait < 1_000; wait++) expect(passes(`${wait}`)).toBe(true);
    // Heard of again.
    expect(passes('0', 'Box/c')).toBe(true);
    expect(passes('1000')).toBe(true);
    expect(passes('0')).toBe(false);
    expect(passes('2')).toBe(false);
    expect(passes('1')).toBe(true);
  });
});
