import { describe, expect, it } from 'vitest';
import {
  attribute,
  call,
  component,
  compound,
  concat,
  delay,
  doNothing,
  parallel,
  ref,
  run,
  sequence,
  terminator,
  type Description,
  type Effect,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, Trial, trial } from './trial.js';

const forever = doNothing({ terminationType: 'none' });
const deployed = (ran: Trial) =>
  ran.effects.filter((effect): effect is Effect & { kind: 'deploy' } => effect.kind === 'deploy');
const remove = (path: string) => call(resource.remove, { file: ref(path) });
const answers = { 'files.remove': () => done() };

describe('an attribute (W4)', () => {
  const Holder = component('Holder', { deploys: () => sequence() });
  const holding = (change: ReturnType<typeof attribute>) =>
    sequence({ change, tell: doNothing({ time: 0, message: concat('host ', ref('../host')) }) }, { host: 'old' });

  it('is set or replaced', async () => {
    const ran = await trial(holding(attribute({ component: ref('..'), name: 'host', value: 'new' })));
    expect(ran.seen('host new')).toEqual(['0 tell: host new']);
  });

  it('is removed when no value is given', async () => {
    const ran = await trial(holding(attribute({ component: ref('..'), name: 'host' })));
    expect(ran.end).toMatchObject({
      type: 'abnormal',
      description: expect.stringMatching(/^ref\('..\/host'\) of tell leads nowhere/),
    });
  });

  it('of another deployment is set there', async () => {
    const ran = await trial(attribute({ component: ref('/deployment/other/a'), name: 'x', value: 1 }));
    expect(ran.effects.find(({ kind }) => kind === 'set')).toEqual({
      kind: 'set',
      path: '/deployment/other/a',
      name: 'x',
      value: 1,
    });
    expect(ran.end?.type).toBe('normal');
  });

  it("can be set from outside, and of a component of one's own is found through what it deploys", async () => {
    const Port = component('Port', { deploys: () => sequence({ wait: delay({ time: 5 }), tell: remove('../host') }) });
    const ran = await new Trial(Port({ host: 'old' }), { components: [Port, Holder], answers }).run(1);
    await ran.tell({ kind: 'set', path: '', name: 'host', value: 'new' });
    await ran.go();
    expect(ran.calls()).toEqual(['files.remove {"file":"new"}']);
  });
});

describe('a terminator (W4)', () => {
  it('ends another component and then itself', async () => {
    const ran = await trial(
      parallel({ a: forever, end: delay({ time: 3, action: terminator({ kill: ref('../../a') }) }) }),
    );
    expect(ran.at('a')).toMatchObject({ end: { type: 'normal', description: 'terminator action' } });
    expect(ran.end).toMatchObject({ type: 'normal', description: 'terminator action' });
  });

  it('takes types and description from its attributes', async () => {
    const kills = terminator({ kill: ref('../a'), type: 'odd', selftype: 'even', description: 'enough' });
    const ran = await trial(parallel({ a: forever, b: kills }, { terminateOnAbnormalChildTermination: false }));
    expect(ran.at('a')).toMatchObject({ end: { type: 'odd', description: 'enough' } });
    expect(ran.at('b')).toMatchObject({ end: { type: 'even', description: 'enough' } });
  });

  it('without a target ends itself only', async () => {
    const ran = await trial(parallel({ a: doNothing({ time: 5 }), b: terminator() }));
    expect(ran.seen('ended')).toEqual(['0 b: ended normal', '5 a: ended normal', '5 /: ended normal']);
  });

  it('with detachFirst does not let the parent of its target hear of it', async () => {
    const tree = compound({
      in: compound({ a: forever, b: forever }),
      end: sequence({
        wait: delay({ time: 1 }),
        kill: terminator({ kill: ref('../../in/a'), detachFirst: true }),
        stay: forever,
      }),
    });
    const ran = await trial(tree);
    expect(ran.seen('a~', 'in/a').at(-1)).toMatch(/a~\d+: ended normal/);
    expect(ran.at('in/b')).toMatchObject({ status: 'running' });
    expect(deployed(ran)).toEqual([]);
  });

  it('ends normally when its target is not there', async () => {
    expect((await trial(terminator({ kill: ref('../a') }))).end?.type).toBe('normal');
  });

  it('ends a component of another deployment', async () => {
    const other = await trial(terminator({ kill: ref('/deployment/other/a'), type: 'abnormal' }));
    expect(other.effects.find(({ kind }) => kind === 'terminate')).toEqual({
      kind: 'terminate',
      path: '/deployment/other/a',
      end: { type: 'abnormal', description: 'terminator action' },
    });
  });
});

describe('run (W4)', () => {
  it('deploys its action as a tree of its own, and ends when that has come up', async () => {
    const ran = await new Trial(sequence({ start: run({ action: forever, asName: 'shop', host: 'h2' }) })).run();
    const [effect] = deployed(ran);
    expect(effect).toMatchObject({ host: 'h2', tree: { run: 'deployment/shop' } });
    expect(ran.end).toBeUndefined();
    await ran.tell({ kind: 'answer', key: effect!.key!, result: done() });
    expect(ran.end?.type).toBe('normal');
  });

  it('stays in its tree until it has heard, since what it runs knows no other one', async () => {
    const Leaves = component('Leaves', {
      deploys: () => sequence({ start: run({ action: forever, asName: 'shop' }), stay: forever }),
      work: async () => undefined,
    });
    const ran = await new Trial(compound({ a: Leaves({ sfShouldDetach: true }), b: forever }), {
      components: [Leaves],
    }).run();
    const handedOver = () => deployed(ran).filter(({ key }) => key === undefined);
    expect(handedOver()).toEqual([]);
    await ran.tell({ kind: 'answer', key: deployed(ran)[0]!.key!, result: done() });
    expect(handedOver()).toHaveLength(1);
    expect(ran.seen('running/start: ended')).toHaveLength(1);
  });

  it('fails when its action does not come up', async () => {
    const ran = await new Trial(run({ action: forever })).run();
    const error = { code: 'host_unreachable', message: 'h2 does not answer' };
    await ran.tell({ kind: 'answer', key: deployed(ran)[0]!.key!, result: { error } });
    expect(ran.end).toMatchObject({ type: 'abnormal', description: 'its action did not start: h2 does not answer' });
  });

  it('with a parent makes the action its child, which the parent ends', async () => {
    const tree = compound({
      shelf: parallel({ a: doNothing({ time: 50 }) }),
      start: sequence({
        now: run({ action: doNothing({ time: 60 }), parent: ref('../../shelf'), asName: 'b' }),
        wait: delay({ time: 5 }),
        stay: forever,
      }),
    });
    const ran = await trial(tree);
    expect(ran.seen('shelf/b: up', 'now: ended', 'shelf: ended')).toEqual([
      '0 shelf/b: up',
      '0 start/now: ended normal',
      '60 shelf: ended normal',
    ]);
  });

  it('with a parent fails when the action does not come up, or the name is taken', async () => {
    const start = (action: Description, asName: string) =>
      compound({
        shelf: parallel({ a: forever }, { asynchCreateChild: true, terminateOnAbnormalChildDeploy: false }),
        now: sequence({ go: run({ action, parent: ref('../../shelf'), asName }) }),
      });
    expect((await trial(start(doNothing({ time: ref('../nowhere') }), 'b'))).end?.description).toMatch(
      /^its action did not start: /,
    );
    expect((await trial(start(forever, 'a'))).end?.description).toMatch(/has a child 'a' already/);
  });
});

describe('the three switches (W4)', () => {
  const Work = component('Work', { work: async () => 'made' });
  const Start = component('Start', { start: async () => undefined });

  it.each([
    ['work', Work],
    ['start', Start],
  ])('leave a component with its %s done as it is by default, and end it when told', async (_, Own) => {
    const own = [Work, Start];
    expect((await trial(Own(), { components: own })).end).toBeUndefined();
    expect((await trial(Own({ sfShouldTerminate: true }), { components: own })).end?.type).toBe('normal');
  });

  it('quietly ends it without a word to its parent', async () => {
    const ran = await trial(sequence({ a: Work({ sfShouldTerminateQuietly: true }), b: forever }), {
      components: [Work],
    });
    expect(ran.seen('a: ended', 'b:')).toEqual(['0 a: ended normal']);
    expect(ran.end).toBeUndefined();
  });

  it('detach it, to go on in a tree of its own, with its host', async () => {
    const ran = await trial(compound({ a: Work({ sfShouldDetach: true }), b: forever }, { host: 'h7' }), {
      components: [Work],
    });
    const [{ tree, host }] = deployed(ran) as [Effect & { kind: 'deploy' }];
    expect([tree.run, host]).toEqual([expect.stringMatching(/^deployment\/test\/a~\d+$/), 'h7']);
    expect(tree.components[tree.root]).toMatchObject({ name: 'a', phase: 'up', attributes: { output: 'made' } });
    expect(ran.at('a')).toEqual({ status: 'gone' });
  });

  it('detach and end it', async () => {
    const ran = await trial(compound({ a: Work({ sfShouldDetach: true, sfShouldTerminate: true }), b: forever }), {
      components: [Work],
    });
    expect(ran.end).toBeUndefined();
    expect(ran.seen('ended')).toEqual([expect.stringMatching(/^0 a~\d+: ended normal$/)]);
  });
});
