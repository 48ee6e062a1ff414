import { describe, expect, it } from 'vitest';
import {
  attribute,
  call,
  component,
  compound,
  delay,
  doNothing,
  eventCounter,
  eventQueue,
  eventSend,
  parallel,
  ref,
  repeat,
  retry,
  runningFor,
  sequence,
  waitFor,
  type Description,
} from '../../src/components/index.js';
import { part } from '../support/seeds.js';
import { resource } from './resource.js';
import { done, failed, Trial } from './trial.js';

const DAY = 86_400_000;
/** How large the tree is at most while some time passes, without its digits: numbers are longer later. */
async function sizeDuring(ran: Trial, milliseconds: number): Promise<number> {
  let largest = 0;
  for (const until = ran.now + milliseconds; !ran.end && ran.now < until;) {
    await ran.go(ran.now + 10);
    largest = Math.max(largest, JSON.stringify(ran.tree).replace(/\d+/g, '0').length);
  }
  return largest;
}

/** Lets everything happen, however many steps that takes. */
async function toTheEnd(ran: Trial): Promise<Trial> {
  for (let before = -1; !ran.end && before !== ran.now;) {
    before = ran.now;
    await ran.go();
  }
  return ran;
}

describe('large trees (W1)', () => {
  it('are 20 deep: an end reaches the deepest, and its record the outermost', async () => {
    const levels = Array.from({ length: 20 }, (_, level) => level);
    const deep = levels.reduce<Description>(
      (inner, level) => (level % 2 === 0 ? compound({ a: inner }) : sequence({ a: inner })),
      doNothing({ time: '1h', message: ref('../host'), terminationType: 'odd' }),
    );
    const tree = compound({ a: deep }, { host: 'h1' });
    const path = Array.from({ length: 21 }, () => 'a').join('/');
    const ended = await new Trial(tree, { newRuns: true }).run();
    expect(ended.end).toEqual({ type: 'odd', description: 'h1', component: path });
    expect(ended.now).toBe(3_600_000);
    const told = await new Trial(tree).run(5);
    await told.tell({ kind: 'terminate', path: '', end: { type: 'normal', description: 'stop' } });
    expect(told.seen('ended').at(0)).toBe(`5 ${path}: ended normal`);
    expect(told.seen('ended').at(-1)).toBe('5 /: ended normal');
    expect(told.seen('ended')).toHaveLength(22);
  });

  it.each([false, true])('have 1,000 leaves beside each other (asynchCreateChild %j)', async (asynchCreateChild) => {
    const count = part(1_000);
    const leaves = Array.from({ length: count }, (_, index) => [`n${index}`, doNothing({ time: 1 + (index % 10) })]);
    const ran = await new Trial(parallel(Object.fromEntries(leaves) as never, { asynchCreateChild })).run(0);
    expect(ran.seen(' /: up')).toHaveLength(1);
    expect(ran.seen(': up')).toHaveLength(count + 1);
    await toTheEnd(ran);
    expect(ran.end).toMatchObject({ type: 'normal', description: 'its time is over' });
    expect(ran.now).toBe(10);
    expect(ran.seen(': ended normal')).toHaveLength(count + 1);
  });
});

describe('long runs (W1, W2)', () => {
  const hears = doNothing({ time: 50, registerWith: [ref('../../../source')] });
  const round = sequence({
    copy: retry({ retry: 3, action: call(resource.copy, { from: 'a', to: 'b' }) }),
    note: attribute({ component: ref('../..'), name: 'host', value: ref('../copy/running_1/output') }),
    hear: hears,
    send: eventSend({ event: 'round', sendTo: [ref('../../../queue'), ref('../../../source')] }),
  });
  const shop = (action: Description, times: number) =>
    compound({
      source: doNothing({ terminationType: 'none', printEvents: false }),
      queue: eventQueue({ limit: 5 }),
      counts: eventCounter({ count: 1_000_000, allDifferent: true, registerWith: [ref('../queue')] }),
      rounds: repeat({ repeat: times, action }),
    });

  it('repeat 10,000 times, and the tree does not grow', async () => {
    const times = part(10_000);
    const ran = await new Trial(repeat({ repeat: times, action: doNothing({ time: 50 }) })).run(200);
    const early = await sizeDuring(ran, 500);
    while (ran.now < 48 * times) await ran.go(ran.now + 5_000);
    expect(await sizeDuring(ran, 500)).toBe(early);
    await toTheEnd(ran);
    expect(ran.seen('running: up')).toHaveLength(times);
    expect(ran.end).toMatchObject({ type: 'normal', component: 'running' });
  });

  it('repeat much, with retries, listeners, queues and attributes, and nothing of it stays', async () => {
    const times = 400;
    const answers = { 'files.copy': (_: never, call: number) => (call % 2 === 1 ? failed('locked') : done('made')) };
    const ran = await new Trial(shop(round, times), { answers }).run(1_000);
    const early = await sizeDuring(ran, 1_000);
    while (ran.now < 45 * times) {
      await ran.go(ran.now + 1_000);
      ran.effects.length = 0;
    }
    expect(await sizeDuring(ran, 1_000)).toBe(early);
    await toTheEnd(ran);
    expect(ran.end).toMatchObject({ type: 'normal', component: 'rounds/running/send' });
  });

  it("repeat code of one's own, and its journal does not stay", async () => {
    const Work = component('Work', {
      work: async (self) => {
        await self.call(resource.copy, { from: 'a', to: 'b' });
        return await self.call(resource.copy, { from: 'b', to: 'c' });
      },
    });
    const times = part(500);
    const action = sequence({ work: Work({ sfShouldTerminate: true }), wait: delay({ time: 10 }) });
    const answers = { 'files.copy': () => done('made') };
    const ran = await new Trial(repeat({ repeat: times, action }), { components: [Work], answers }).run(100);
    const early = await sizeDuring(ran, 200);
    while (ran.now < 8 * times) await ran.go(ran.now + 100);
    expect(await sizeDuring(ran, 200)).toBe(early);
    await toTheEnd(ran);
    expect(ran.end?.type).toBe('normal');
    expect(ran.calls()).toHaveLength(2 * times);
  });

  it('last for a year', async () => {
    const year = sequence({
      wait: waitFor({ condition: runningFor({ days: 364 }), interval: '1h' }),
      rest: delay({ time: '1d' }),
    });
    const ran = await toTheEnd(await new Trial(year).run());
    expect(ran.end?.type).toBe('normal');
    expect(ran.now).toBe(365 * DAY);
  });
});
