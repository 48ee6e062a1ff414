import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  component,
  compound,
  delay,
  doNothing,
  eventSend,
  provesItEnds,
  ref,
  run,
  sequence,
  TestTree,
} from '../../src/components/index.js';
import { resource } from './resource.js';

const Copy = component('Copy', {
  attributes: z.object({ from: z.string() }),
  work: async (self) => (await self.call(resource.copy, { from: self.attributes.from, to: 'b' })) as string,
  ping: async (self) => (await self.call(resource.alive, { line: 'x' })) as boolean,
  handle: async (self, event) => self.set('from', event),
});
const components = [Copy];

describe('a tree in a test (W1)', () => {
  it('is checked first, so that a misspelt attribute is an error', async () => {
    expect(() => new TestTree({ ...doNothing(), attributes: { tiem: 5 } })).toThrow(
      /DoNothing has no attribute 'tiem'/,
    );
    await expect(provesItEnds({ ...doNothing(), attributes: { tiem: 5 } })).rejects.toThrow(/no attribute 'tiem'/);
    const tree = new TestTree({ ...doNothing(), attributes: { tiem: 5 } }, { unchecked: true });
    expect((await tree.run()).end).toMatchObject({ type: 'abnormal' });
  });

  it('lets time pass, and answers calls as the test says', async () => {
    const later = { after: 5_000, result: { output: 'copied' } };
    const tree = new TestTree(sequence({ wait: delay({ time: '1h' }), copy: Copy({ from: 'a' }) }), {
      components,
      answers: { 'files.copy': () => later },
    });
    await tree.run('2h');
    expect(tree.attribute('copy', 'output')).toBe('copied');
    expect(tree.seen('up')).toEqual(['0 wait: up', '0 /: up', '3600000 copy: up']);
    expect(tree.calls()).toEqual(['files.copy {"from":"a","to":"b"}']);
  });

  it('keeps a call pending until the test answers it', async () => {
    const tree = new TestTree(Copy({ from: 'a', sfShouldTerminate: true }), {
      components,
      answers: { 'files.copy': () => undefined },
    });
    await tree.run();
    expect(tree.show()).toContain('waits for files.copy');
    await tree.answer('files.copy', { output: 'late' });
    expect(tree.end).toMatchObject({ type: 'normal' });
    expect(() => tree.answer('files.copy', {})).toThrow(/No call of files.copy is pending/);
  });

  it('takes pings, events, attributes and ends from outside, and shows events that leave it', async () => {
    const tree = new TestTree(
      compound({
        copy: Copy({ from: 'a' }),
        tell: doNothing({ terminationType: 'none', sendTo: [ref('/deployment/shop/counter')] }),
        first: sequence({
          send: eventSend({ event: 1, sendTo: [ref('/deployment/shop')] }),
          stay: Copy({ from: 'c' }),
        }),
      }),
      { components, answer: (activity) => ({ output: activity === 'files.alive' }) },
    );
    await tree.run();
    await tree.send('copy', 'b');
    expect(tree.attribute('copy', 'from')).toBe('b');
    await tree.set('copy', 'from', 'd');
    expect(tree.attribute('copy', 'from')).toBe('d');
    await (await tree.ping()).go();
    expect(tree.end).toBeUndefined();
    await tree.send('tell', 'hello');
    expect(tree.sent()).toEqual([
      { to: '/deployment/shop', event: 1 },
      { to: '/deployment/shop/counter', event: 'hello' },
    ]);
    await tree.terminate('first', 'odd');
    expect(tree.end).toEqual({ type: 'odd', description: 'the test ends it', component: 'first' });
    expect(() => tree.attribute('nowhere', 'x')).toThrow(/no component at 'nowhere'/);
  });

  it('takes what a run starts as up, unless the test says otherwise', async () => {
    const start = run({ action: doNothing(), asName: 'shop' });
    expect((await new TestTree(start).run()).end).toMatchObject({ type: 'normal' });
    const deploys = () => ({ error: { code: 'not_up', message: 'no disk' } });
    expect((await new TestTree(start, { deploys }).run()).end).toMatchObject({
      description: 'its action did not start: no disk',
    });
  });
});
