import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { component, doNothing, during, provesItEnds } from '../../src/components/index.js';
import { resource } from './resource.js';

const Copy = component('Copy', {
  attributes: z.object({ from: z.string() }),
  work: async (self) => (await self.call(resource.copy, { from: self.attributes.from, to: 'b' })) as string,
});
const Daemon = component('Daemon', {
  start: async (self) => void (await self.call(resource.run, { line: 'x' })),
  end: async (self) => void (await self.call(resource.stop, { line: 'x' })),
});

describe('a proof that a component ends (W1)', () => {
  it('gives the record of its end', async () => {
    const answer = () => ({ output: 'copied' });
    expect(await provesItEnds(Copy({ from: 'a' }), { components: [Copy], answer })).toEqual({
      type: 'normal',
      description: 'its work is done',
      component: 'component',
    });
    const stopped = await provesItEnds(during({ time: '1m', action: Daemon() }), {
      components: [Daemon],
      answer: async () => ({ output: null }),
    });
    expect(stopped).toMatchObject({ type: 'normal' });
  });

  it('lets a call fail for which it has no answer', async () => {
    expect(await provesItEnds(Copy({ from: 'a' }), { components: [Copy] })).toEqual({
      type: 'abnormal',
      description: "The test has no answer for files.copy: give it one in 'answer'.",
      component: 'component',
    });
  });

  it('shows what it waits for when it never ends, or not in time', async () => {
    await expect(provesItEnds(doNothing({ terminationType: 'none' }))).rejects.toThrow(
      new Error(
        [
          'The component waits forever. Inside a sequence, nothing after it would run:',
          'sequence      Sequence   up for 0 s  runs 1 of 1',
          '└─ component  DoNothing  up for 0 s  does nothing',
        ].join('\n'),
      ),
    );
    await expect(provesItEnds(doNothing({ time: '2h' }))).rejects.toThrow(/^The component has not ended within 1h/);
    expect(await provesItEnds(doNothing({ time: '2h' }), { within: '3h' })).toMatchObject({ type: 'normal' });
  });
});
