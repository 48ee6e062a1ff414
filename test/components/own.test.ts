import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  component,
  compound,
  delay,
  doNothing,
  during,
  eventCounter,
  eventSend,
  extend,
  fail,
  kindsOf,
  parallel,
  ref,
  sequence,
  type Json,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, failed, Trial, trial, type TestAnswer } from './trial.js';

const forever = doNothing({ terminationType: 'none' });
const slow =
  (result = done()): TestAnswer =>
  () => ({ after: 10, result });

const Daemon = component('Daemon', {
  attributes: z.object({ commandLine: z.string() }),
  start: async (self) => {
    await self.call(resource.run, { line: self.attributes.commandLine });
  },
  ping: (self) => self.call(resource.alive, { line: self.attributes.commandLine }),
  end: async (self) => {
    await self.call(resource.stop, { line: self.attributes.commandLine });
  },
});

const Application = component('Application', {
  attributes: z.object({
    file: z.string(),
    url: z.string(),
    commandLine: z.string(),
    time: z.union([z.number(), z.string()]).default('10s'),
  }),
  deploys: () =>
    sequence(
      {
        copy: delay({ time: 2_000, action: doNothing({ time: 0, message: ref('../url') }) }),
        run: during({
          time: ref('../time'),
          action: Daemon({ commandLine: ref('../commandLine') }),
          sfSyncTerminate: true,
        }),
        remove: doNothing({ time: 2_000, message: ref('../file') }),
      },
      { sfSyncTerminate: true },
    ),
});
const own = [Daemon, Application];
const answers = { 'files.run': slow(), 'files.stop': slow(), 'files.alive': slow(done(true)) };
const given = { file: 'f', url: 'u', commandLine: 'c' };

describe("a component of one's own (W1)", () => {
  it.each([false, true])('lives as its code and what it deploys say; in new runs: %j', async (newRuns) => {
    const ran = await trial(Application(given), { components: own, answers, newRuns });
    expect(ran.seen('up', 'ended').filter((line) => !line.includes('message'))).toEqual([
      ...['0 running/copy: up', '0 running: up', '0 /: up', '2000 running/copy/running: up'],
      ...['2000 running/copy/running: ended normal', '2000 running/copy: ended normal'],
      ...['2010 running/run/running: up', '2010 running/run: up', '12010 running/run/running: ended normal'],
      ...['12010 running/run: ended normal', '12010 running/remove: up', '14010 running/remove: ended normal'],
      ...['14010 running: ended normal', '14010 /: ended normal'],
    ]);
    expect(ran.calls()).toEqual(['files.run {"line":"c"}', 'files.stop {"line":"c"}']);
  });

  it('ends abnormally when its start fails, after its own end', async () => {
    const ran = await trial(Daemon({ commandLine: 'c' }), {
      components: own,
      answers: { ...answers, 'files.run': () => failed('no_room') },
    });
    const why = { type: 'abnormal', description: 'it failed with no_room', component: '' };
    expect(ran.end).toEqual({ ...why, undeployed: true });
    expect(ran.calls()).toHaveLength(2);
  });

  it('gets an end that comes while it starts when the start is over (W-2)', async () => {
    const ran = await new Trial(compound({ a: Daemon({ commandLine: 'c' }) }), { components: own, answers }).run(5);
    await ran.tell({ kind: 'terminate', path: 'a', end: { type: 'normal', description: 'stop' } });
    await ran.tell({ kind: 'terminate', path: 'a', end: { type: 'abnormal', description: 'too late' } });
    await ran.go();
    expect(ran.seen(' a: ')).toEqual([
      '0 a: deployed',
      '0 a: starting',
      '10 a: up',
      '10 a: ending normal',
      '20 a: ended normal',
    ]);
    expect(ran.end).toEqual({ type: 'normal', description: 'stop', component: 'a' });
  });

  it('is cancelled by an end while it works, and cleans up (W-2)', async () => {
    const Works = component('Works', {
      work: async (self) => {
        await self.call(resource.run, { line: 'long' });
        await self.call(resource.run, { line: 'never' });
      },
      end: (self) => self.call(resource.stop, { line: 'long' }),
    });
    const ran = await trial(during({ time: 5, action: Works() }), { components: [Works], answers });
    expect(ran.effects.filter(({ kind }) => kind === 'cancel')).toHaveLength(1);
    expect(ran.calls()).toEqual(['files.run {"line":"long"}', 'files.stop {"line":"long"}']);
  });

  it('logs a failure of its end, and ends all the same', async () => {
    const ran = await trial(during({ action: Daemon({ commandLine: 'c' }) }), {
      components: own,
      answers: { ...answers, 'files.stop': () => failed('busy') },
    });
    expect(ran.seen('Its end has failed')).toEqual(['10 running: Its end has failed: it failed with busy']);
    expect(ran.end?.type).toBe('normal');
  });

  it('ends when a ping finds it ill (W-5)', async () => {
    const lives = { ...answers, 'files.alive': (_: never, times: number) => done(times < 2) };
    const ran = await new Trial(compound({ a: Daemon({ commandLine: 'c' }), b: forever }), {
      components: own,
      answers: lives,
    }).run(100);
    await ran.tell({ kind: 'ping' });
    await ran.go(200);
    expect(ran.end).toBeUndefined();
    await ran.tell({ kind: 'ping' });
    await ran.go();
    expect(ran.end).toEqual({ type: 'abnormal', description: 'it does not answer a ping', component: 'a' });
  });

  it.each([false, true])(
    'takes events one after the other, sends, sets, and ends itself; in new runs: %j',
    async (newRuns) => {
      const Taker = component('Taker', {
        handle: async (self, event) => {
          const before = self.now();
          await self.call(resource.copy, { from: String(event), to: '' });
          self.set('host', `${String(event)} ${self.now() - before}`);
          self.send({ got: event });
          if (event === 'last') self.end('odd', 'enough');
        },
      });
      const tree = compound({
        a: Taker({ sendTo: [ref('../counts')] }),
        counts: parallel({ c: forever }, { sendTo: [ref('../log')] }),
        log: forever,
      });
      const ran = await new Trial(tree, { components: [Taker], answers: { 'files.copy': slow() }, newRuns }).run(0);
      for (const event of ['first', 'last', 'never']) await ran.tell({ kind: 'event', path: 'a', event });
      expect(ran.calls()).toHaveLength(1);
      await ran.go();
      expect(ran.seen('got')).toEqual(['10 log: event {"got":"first"}', '20 log: event {"got":"last"}']);
      expect(ran.end).toEqual({ type: 'odd', description: 'enough', component: 'a' });
      expect(ran.calls()).toHaveLength(2);
    },
  );

  it('goes on in a new run where it was, over several answers at once', async () => {
    const said: Json[] = [];
    const Both = component('Both', {
      work: async (self) => {
        const one = self.call(resource.copy, { from: 'slow', to: '' });
        const other = self.call(resource.copy, { from: 'fast', to: '' });
        const first = await Promise.race([one, other]);
        const all = await Promise.all([one, other]);
        said.push([first, ...all, self.now()] as Json);
        return await self.call(resource.copy, { from: 'last', to: '' });
      },
    });
    const copies: TestAnswer = ({ from }: { from: string }) => ({
      after: from === 'slow' ? 50 : 20,
      result: done(from),
    });
    const options = { components: [Both], answers: { 'files.copy': copies } };
    const once = await trial(Both({ sfShouldTerminate: true }), options);
    const often = await trial(Both({ sfShouldTerminate: true }), { ...options, newRuns: true });
    expect(often.trace).toEqual(once.trace);
    expect(often.calls()).toEqual(once.calls());
    expect(new Set(said.map((each) => JSON.stringify(each)))).toEqual(new Set(['["fast","slow","fast",50]']));
  });

  it('has keys for its calls that name run, path, incarnation, handler and place', async () => {
    const ran = await trial(sequence({ a: during({ time: 1, action: Daemon({ commandLine: 'c' }) }) }), {
      components: own,
      answers,
    });
    const keys = ran.effects.flatMap((effect) => (effect.kind === 'call' ? [effect.key] : []));
    expect(keys).toEqual([
      expect.stringMatching(/^deployment\/test\/a\/running#\d+\/start:\d+\/0$/),
      expect.stringMatching(/^deployment\/test\/a\/running#\d+\/end:\d+\/0$/),
    ]);
  });

  it('can be extended by attributes and children', async () => {
    const Node = component('Node', {
      attributes: z.object({ name: z.string() }),
      deploys: () => parallel({ web: delay({ time: 9 }) }),
    });
    const Rogue = Node.with({
      attributes: { name: 'rogue' },
      children: { failure: doNothing({ time: 4, terminationType: 'abnormal' }) },
    });
    const ran = await trial(Rogue(), { components: [Node] });
    expect(ran.end).toMatchObject({ type: 'abnormal', component: 'running/failure' });
    expect(
      extend(sequence({ a: fail(), b: forever }), { children: { a: delay(), c: delay() } }).children.map(
        ([name]) => name,
      ),
    ).toEqual(['a', 'b', 'c']);
  });

  it('refuses names that could not be used', () => {
    expect(() => component('Bad', { attributes: z.object({ host: z.string() }) })).toThrow(
      /every component has an attribute 'host'/,
    );
    expect(() => component('1', {})).toThrow(/'1' is a number/);
    expect(() => kindsOf([component('Sequence', {})])).toThrow(/two kinds 'Sequence'/);
  });

  it('is deployed only so deep', async () => {
    const Endless: ReturnType<typeof component> = component('Endless', { deploys: () => Endless() });
    expect((await trial(Endless(), { components: [Endless] })).end?.description).toMatch(/a component deploys itself/);
  });

  it('runs calls on the nearest host, within its time', async () => {
    const tree = compound({ a: sequence({ b: Daemon({ commandLine: 'c' }) }) }, { host: 'h1', reachWithin: 500 });
    const ran = await new Trial(tree, { components: own, answers }).run(0);
    expect(ran.effects.find(({ kind }) => kind === 'call')).toMatchObject({
      host: 'h1',
      reachWithin: 500,
      component: 'a/b',
    });
  });

  it('takes part in events', async () => {
    const tree = parallel({
      c: eventCounter(),
      d: delay({ time: 1, action: eventSend({ event: 1, sendTo: [ref('../../c')] }) }),
    });
    expect((await trial(tree)).end?.type).toBe('normal');
  });
});
