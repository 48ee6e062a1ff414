import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  call,
  component,
  compound,
  counterAction,
  delay,
  doNothing,
  drawTree,
  during,
  eventCounter,
  explainTree,
  fail,
  isTrue,
  livenessTest,
  mermaidTree,
  parallel,
  ref,
  retry,
  sequence,
  waitFor,
  isFalse,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, failed, Trial } from './trial.js';

const Daemon = component('Daemon', {
  attributes: z.object({ line: z.string() }),
  start: async (self) => void (await self.call(resource.run, { line: self.attributes.line })),
  end: async (self) => void (await self.call(resource.stop, { line: self.attributes.line })),
});
const own = [Daemon];

/** A web site that is deployed, seen at one moment. */
async function site() {
  const tree = sequence(
    {
      copy: retry({ retry: 3, delay: '5s', action: call(resource.copy, { from: 'a', to: 'b' }) }),
      run: parallel({
        web: during({ time: '2m', action: Daemon({ line: 'httpd' }) }),
        db: Daemon({ line: 'postgres' }),
        ready: waitFor({ condition: isFalse(), timeout: '90s' }),
        done: eventCounter({ count: 2 }),
      }),
      clean: call(resource.remove, { file: 'b' }),
      tell: doNothing({ message: ref('../x') }),
    },
    { host: 'h1' },
  );
  const answers = {
    'files.copy': (_: never, times: number) => (times < 3 ? failed('locked') : done()),
    'files.run': ({ line }: { line: string }) => (line === 'httpd' ? { after: 3_000, result: done() } : undefined),
  };
  return new Trial(tree, { components: own, answers: answers as never, name: 'site' }).run(14_500);
}

/** The same, while it comes to its end. */
async function ending() {
  const tree = compound({
    undo: counterAction({ action: doNothing({ terminationType: 'none' }), counterAction: delay({ time: '30s' }) }),
    web: Daemon({ line: 'httpd' }),
    late: Daemon({ line: 'slow', sfSyncTerminate: true }),
    test: livenessTest({ condition: isTrue() }),
    again: retry({ retry: 'forever', delay: '1m', action: fail({ message: 'no "room" <here>' }) }),
  });
  const answers = {
    'files.stop': () => undefined,
    'files.run': ({ line }: { line: string }) => ({ after: line === 'slow' ? 400 : 0, result: done() }),
  };
  const ran = await new Trial(tree, { components: own, answers: answers as never, name: 'shop' }).run(1_000);
  await ran.tell({ kind: 'terminate', path: '', end: { type: 'stopped', description: 'the shop is closed' } });
  return ran.go(13_000);
}

const text = (ran: Trial) => drawTree(explainTree(ran.kinds, ran.tree, ran.now), ran.now).split('\n');

describe('an explained tree (W1)', () => {
  it('has each component with its phase, since when, and what it is doing', async () => {
    const ran = await site();
    const explained = explainTree(ran.kinds, ran.tree, ran.now);
    expect(explained).toMatchObject({ path: '', name: 'site', kind: 'Sequence', phase: 'up', since: 0 });
    expect(explained.children.map(({ path, phase }) => [path, phase])).toEqual([
      ['copy', 'ended'],
      ['run', 'starting'],
      ['clean', 'to come'],
      ['tell', 'to come'],
    ]);
    const [copy, parts] = explained.children;
    expect(copy!.end).toEqual({ type: 'normal', description: 'files.copy is done', component: 'copy/running_2' });
    expect(parts!.children[0]).toMatchObject({
      path: 'run/web',
      since: 13_000,
      due: 130_000,
      doing: ['runs its action until its time is over', 'due in 1 min 55 s'],
    });
  });

  it('is drawn as text', async () => {
    expect(text(await site())).toEqual([
      'site              Sequence      up for 14 s           runs 2 of 4',
      '├─ copy           Retry         ended normal 4 s ago  files.copy is done (copy/running_2)',
      '│  └─ running_2   Call          ended normal 4 s ago  files.copy is done',
      '├─ run            Parallel      starting for 4 s      waits for 4 of 4',
      '│  ├─ web         During        up for 1 s            runs its action until its time is over; due in 1 min 55 s',
      '│  │  └─ running  Daemon        up for 1 s',
      '│  ├─ db          Daemon        starting for 1 s      waits for files.run on h1 in its start for 1 s',
      '│  ├─ ready       WaitFor       deployed for 4 s      waits to be started',
      '│  └─ done        EventCounter  deployed for 4 s      waits to be started',
      '├─ clean          Call          to come',
      '└─ tell           DoNothing     to come',
    ]);
  });

  it('is drawn as text while it ends', async () => {
    expect(text(await ending())).toEqual([
      'shop                 Compound       ending stopped for 12 s  waits for the ends of 3 components',
      '├─ undo              CounterAction  ending stopped for 12 s  runs its counteraction; due in 48 s',
      '│  ├─ action         DoNothing      up for 13 s              does nothing',
      '│  └─ counterAction  Delay          up for 12 s              waits; due in 18 s',
      '├─ web               Daemon         ending stopped for 12 s  cleans up; waits for files.stop in its end for 12 s',
      '├─ late              Daemon         ending stopped for 12 s  cleans up; waits for files.stop in its end for 12 s',
      '├─ test              LivenessTest   ended stopped 12 s ago   the shop is closed (the root)',
      '│  └─ condition      Value          ended stopped 12 s ago   the shop is closed (the root)',
      '└─ again             Retry          ended stopped 12 s ago   the shop is closed (the root)',
    ]);
  });

  it('is drawn as Mermaid', async () => {
    const ran = await ending();
    expect(mermaidTree(explainTree(ran.kinds, ran.tree, ran.now), ran.now).split('\n')).toEqual([
      'flowchart TD',
      '  classDef up fill: #e3f3e6, stroke: #2b7a3d',
      '  classDef busy fill: #fff4d6, stroke: #a66b00',
      '  classDef waiting stroke-dasharray: 5 4',
      '  classDef well fill: #eeeeee, stroke: #8a8a8a, color: #5c5c5c',
      '  classDef ill fill: #fde2e1, stroke: #b42318, color: #7a1a12',
      '  n0["<b>shop</b> Compound<br/>ending stopped for 12 s<br/>waits for the ends of 3 components"]:::busy',
      '  n1["<b>undo</b> CounterAction<br/>ending stopped for 12 s<br/>runs its counteraction<br/>due in 48 s"]:::busy',
      '  n2["<b>action</b> DoNothing<br/>up for 13 s<br/>does nothing"]:::up',
      '  n1 --> n2',
      '  n3["<b>counterAction</b> Delay<br/>up for 12 s<br/>waits<br/>due in 18 s"]:::up',
      '  n1 --> n3',
      '  n0 --> n1',
      '  n4["<b>web</b> Daemon<br/>ending stopped for 12 s<br/>cleans up<br/>waits for files.stop in its end for 12 s"]:::busy',
      '  n0 --> n4',
      '  n5["<b>late</b> Daemon<br/>ending stopped for 12 s<br/>cleans up<br/>waits for files.stop in its end for 12 s"]:::busy',
      '  n0 --> n5',
      '  n6["<b>test</b> LivenessTest<br/>ended stopped 12 s ago<br/>the shop is closed (the root)"]:::ill',
      '  n7["<b>condition</b> Value<br/>ended stopped 12 s ago<br/>the shop is closed (the root)"]:::ill',
      '  n6 --> n7',
      '  n0 --> n6',
      '  n8["<b>again</b> Retry<br/>ended stopped 12 s ago<br/>the shop is closed (the root)"]:::ill',
      '  n0 --> n8',
    ]);
  });

  it('says when an end waits for a start, and when events wait', async () => {
    const tree = compound({ a: Daemon({ line: 'x' }), b: eventCounter() });
    const ran = await new Trial(tree, { components: own, answers: { 'files.run': () => undefined } }).run(90_000);
    await ran.tell({ kind: 'event', path: 'b', event: 'go' });
    await ran.tell({ kind: 'terminate', path: 'a', end: { type: 'normal', description: 'enough' } });
    expect(text(ran)).toEqual([
      'test  Compound      starting for 1 min 30 s  holds 2 components',
      '├─ a  Daemon        starting for 1 min 30 s  waits for files.run in its start for 1 min 30 s; ends when it is up: enough',
      '└─ b  EventCounter  deployed for 1 min 30 s  waits to be started; 1 event waits for it',
    ]);
  });
});

describe('lengths of time for people', () => {
  it.each([
    [250, '250 ms'],
    [4_000, '4 s'],
    [150_000, '2 min 30 s'],
    [7_200_000, '2 h'],
    [273_600_000, '3 d 4 h'],
  ])('%i ms are %s', async (milliseconds, expected) => {
    const ran = await new Trial(delay({ time: milliseconds })).run(0);
    expect(explainTree(ran.kinds, ran.tree).doing).toEqual(['waits', `due in ${expected}`]);
  });
});
