import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  call,
  component,
  compound,
  defineKind,
  delay,
  delayField,
  doNothing,
  equals,
  fail,
  ifThen,
  kindsOf,
  maker,
  parallel,
  ref,
  repeat,
  run,
  sequence,
  tryThen,
  underWay,
  type Tree,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, failed, Trial, trial } from './trial.js';

const forever = doNothing({ terminationType: 'none' });
const stop = { type: 'normal', description: 'stop' };
const Starts = component('Starts', { start: async (self) => void (await self.call(resource.run, { line: 'x' })) });
const Work = component('Work', { work: async () => 'made' });
const Cleans = component('Cleans', { end: async (self) => void (await self.call(resource.run, { line: 'x' })) });
const later = (result = done()) => ({ 'files.run': () => ({ after: 10, result }) });

describe('a component of a round that is over while the next one runs (W-1)', () => {
  it('is known by its end until it is forgotten', async () => {
    const round = sequence({ a: delay({ time: 5 }), b: compound({ c: delay({ time: 5 }), d: Cleans() }) });
    const ran = await new Trial(repeat({ action: round, repeat: -1 }), { components: [Cleans], answers: later() }).run(
      12,
    );
    expect(ran.at('running/a')).toMatchObject({ status: 'running' });
    expect(ran.at('running/b/d')).toMatchObject({ status: 'ended', end: { type: 'normal' } });
    await ran.tell({ kind: 'terminate', path: 'running/b/d', end: stop });
    expect(ran.at('running/b/d')).toMatchObject({ status: 'ended', end: { type: 'normal', component: 'running/b/c' } });
  });
});

describe('an end that comes while a component starts (W-1, W-2)', () => {
  it('is its end when the start fails later, since it came first', async () => {
    const ran = await new Trial(compound({ a: Starts() }), {
      components: [Starts],
      answers: later(failed('no_room')),
    }).run(5);
    await ran.tell({ kind: 'terminate', path: 'a', end: stop });
    await ran.go();
    expect(ran.at('a')).toMatchObject({ end: { ...stop, component: 'a' } });
    expect(ran.seen('Its start has failed')).toEqual(['10 a: Its start has failed: it failed with no_room']);
  });

  it('comes before what its children make of their ends when the start is over', async () => {
    const tree = compound({ in: compound({ a: Starts(), b: forever }) });
    const ran = await new Trial(tree, { components: [Starts], answers: later(failed('no_room')) }).run(5);
    await ran.tell({ kind: 'terminate', path: 'in', end: stop });
    await ran.go();
    expect(ran.at('in')).toMatchObject({ end: { ...stop, component: 'in' } });
  });
});

describe('a component that leaves its parent (W4)', () => {
  const Leaves = defineKind({
    name: 'Leaves',
    attributes: z.object({}),
    start: (self) => self.finish('normal', 'it goes on by itself'),
  });
  const leaves = maker('Leaves', z.object({}))({ sfShouldDetach: true });
  const own = [Leaves];

  it('does not keep its parent from coming up', async () => {
    const ran = await new Trial(compound({ a: leaves, b: forever }), { components: own }).run(0);
    expect(ran.seen(' b: up', ' /: up')).toEqual(['0 b: up', '0 /: up']);
  });

  it('is none of those for which a parallel waits, whenever it leaves', async () => {
    const early = await trial(parallel({ a: leaves, b: doNothing({ time: 5 }) }), { components: own });
    expect(early.end).toMatchObject({ type: 'normal', description: 'its time is over' });
    const late = await trial(parallel({ a: Work({ sfShouldDetach: true }), b: fail({ normal: true }) }), {
      components: [Work],
    });
    expect(late.end).toMatchObject({ type: 'normal' });
  });

  it('has come up for who started it', async () => {
    const tree = compound({ shelf: compound({ x: forever }), now: run({ action: leaves, parent: ref('../shelf') }) });
    expect((await trial(tree, { components: own })).end).toMatchObject({
      type: 'normal',
      description: 'its action is started',
    });
  });

  it('goes on with its calls, and hears those and is heard by those that it leaves (W-7)', async () => {
    const wait = z.object({ time: delayField });
    const Later = defineKind({
      name: 'Later',
      attributes: wait,
      takesChildren: true,
      start(self) {
        for (const [name, template] of self.declared) self.start(name, template);
        self.wait(self.attribute('time'));
      },
      due: (self) => self.finish('normal', 'it goes on by itself'),
    });
    const kinds = kindsOf([Later]);
    const tree = compound({
      source: forever,
      go: {
        kind: 'Later',
        attributes: { time: 5, sfShouldDetach: true, registerWith: [{ $ref: '../source' }] },
        children: [['copy', call(resource.copy, { from: 'a', to: 'b' })]],
      },
      ear: doNothing({ terminationType: 'none', registerWith: [ref('../go')] }),
    });
    const ran = await new Trial(tree, { components: [Later], answers: { 'files.copy': () => undefined } }).run();
    const [left] = ran.effects.flatMap((effect) => (effect.kind === 'deploy' ? [effect.tree] : []));
    const [issued] = ran.effects.filter(({ kind }) => kind === 'call');
    expect(underWay(kinds, left!)).toEqual([{ ...issued, component: 'copy' }]);
    expect(listenersOf(left!, 'go')).toEqual(['/deployment/test/ear']);
    expect(listenersOf(ran.tree, 'source')).toEqual([`/${left!.run}`]);
  });
});

function listenersOf({ components }: Tree, wanted: string): unknown {
  return Object.values(components).find(({ name }) => name === wanted)?.listeners;
}

describe('a parallel whose child ends quietly (W-4)', () => {
  it('waits for it, whether it ends first or last', async () => {
    const quiet = Work({ sfShouldTerminateQuietly: true });
    for (const other of [fail({ normal: true }), doNothing({ time: 5 })]) {
      expect((await trial(parallel({ a: quiet, b: other }), { components: [Work] })).end).toBeUndefined();
    }
  });
});

describe('names that JavaScript knows (W1, W3, W-6)', () => {
  it('are no attributes, no continuations and no members', async () => {
    const action = doNothing({ time: 0, terminationType: 'constructor' });
    expect((await trial(tryThen({ action }))).end).toMatchObject({ type: 'constructor', component: 'running' });
    const found = await trial(doNothing({ message: ref('../toString') }));
    expect(found.end?.description).toMatch(/leads nowhere/);
    const condition = equals({ left: { a: 1 }, right: { toString: 1 } as never });
    expect((await trial(ifThen({ condition, else: fail() }))).end?.type).toBe('abnormal');
  });
});

describe('try (W1)', () => {
  it('goes on once, also after an end of the type running', async () => {
    const again = doNothing({ time: 0, terminationType: 'running', message: 'again' });
    const ran = await trial(tryThen({ action: again, running: again }));
    expect(ran.seen(': up', 'running').filter((line) => line.endsWith('running: up'))).toHaveLength(2);
    expect(ran.end).toEqual({ type: 'running', description: 'again', component: 'running' });
  });

  it('passes an end on whose type is the name of another attribute', async () => {
    const action = doNothing({ time: 0, terminationType: 'host' });
    expect((await trial(tryThen({ action, host: 'h1' }))).end?.type).toBe('host');
  });
});

describe('an empty sequence that stays (W1)', () => {
  it('takes a child that somebody gives it', async () => {
    const tree = compound({
      shelf: sequence({}, { sfShouldTerminate: false }),
      now: sequence({
        go: run({ action: doNothing({ time: 5 }), parent: ref('../../shelf'), asName: 'b' }),
        stay: forever,
      }),
    });
    const ran = await trial(tree);
    expect(ran.seen('shelf/b: ended')).toEqual(['5 shelf/b: ended normal']);
    expect(ran.end).toBeUndefined();
  });
});

describe('code of one’s own whose attributes cannot be read any more (W-6)', () => {
  it('ends its component, and nothing else', async () => {
    const Asks = component('Asks', { work: async (self) => void (await self.call(resource.run, { line: 'x' })) });
    const ran = await trial(parallel({ a: Asks({ host: ref('../nowhere') }), b: doNothing({ time: 1 }) }), {
      components: [Asks],
    });
    expect(ran.end?.description).toMatch(/^ref\('..\/nowhere'\) of a leads nowhere/);
  });

  it('ends it when its switches cannot be read after its work', async () => {
    const ran = await trial(Work({ sfShouldTerminate: ref('../nowhere') }), { components: [Work] });
    expect(ran.end?.type).toBe('abnormal');
  });
});

describe('the time within which a host answers (W1)', () => {
  it('may be written with its unit, and stays with the call in a new run', async () => {
    const tree = compound({ a: Starts() }, { host: 'h1', reachWithin: '5s' });
    const ran = await new Trial(tree, { components: [Starts], answers: { 'files.run': () => undefined } }).run(0);
    const [issued] = ran.effects.filter(({ kind }) => kind === 'call');
    expect(issued).toMatchObject({ host: 'h1', reachWithin: 5_000 });
    await ran.tell({ kind: 'set', path: '', name: 'host', value: 'h2' });
    expect(underWay(ran.kinds, ran.tree).find(({ kind }) => kind === 'call')).toEqual(issued);
  });
});
