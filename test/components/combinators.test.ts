import { describe, expect, it } from 'vitest';
import type { value } from '../../src/components/index.js';
import {
  call,
  compound,
  counterAction,
  delay,
  doNothing,
  during,
  fail,
  failAbnormal,
  finallyDo,
  isFalse,
  isTrue,
  livenessTest,
  parallel,
  randomSequence,
  ref,
  repeat,
  retry,
  sequence,
  testBlock,
  timeout,
  tryThen,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, failed, Trial, trial } from './trial.js';

const forever = doNothing({ terminationType: 'none' });
const normal = (message: string) => fail({ message, normal: true });

describe('a sequence (W1)', () => {
  it('ends at once when it is empty', async () => {
    const { end, trace } = await trial(sequence());
    expect(end).toEqual({ type: 'normal', description: 'it is empty', component: '' });
    expect(trace).toEqual(['0 /: deployed', '0 /: starting', '0 /: up', '0 /: ending normal', '0 /: ended normal']);
  });

  it('stays when it is empty and sfShouldTerminate is false', async () => {
    expect((await trial(sequence({}, { sfShouldTerminate: false }))).end).toBeUndefined();
  });

  it('runs one after the other, each under the name of its template', async () => {
    const ran = await trial(sequence({ b: doNothing({ time: 5 }), a: doNothing({ time: '1s' }) }));
    expect(ran.seen('up', 'ended')).toEqual([
      '0 b: up',
      '0 /: up',
      '5 b: ended normal',
      '5 a: up',
      '1005 a: ended normal',
      '1005 /: ended normal',
    ]);
    expect(ran.end).toEqual({ type: 'normal', description: 'its time is over', component: 'a' });
  });

  it('ends with the record of the first that does not end normally', async () => {
    const ran = await trial(sequence({ a: doNothing({ time: 1, terminationType: 'odd', message: 'so' }), b: forever }));
    expect(ran.end).toEqual({ type: 'odd', description: 'so', component: 'a' });
    expect(ran.seen('b:')).toEqual([]);
  });
});

describe('a compound (W1)', () => {
  it('creates, deploys and starts its children together', async () => {
    const ran = await new Trial(compound({ a: forever, b: compound({ c: forever }) })).run(0);
    expect(ran.trace).toEqual([
      ...[
        '0 /: deployed',
        '0 a: deployed',
        '0 b: deployed',
        '0 b/c: deployed',
        '0 /: starting',
        '0 a: starting',
        '0 a: up',
      ],
      ...['0 b: starting', '0 b/c: starting', '0 b/c: up', '0 b: up', '0 /: up'],
    ]);
  });

  it('ends with the others when any of them ends, even normally', async () => {
    const ran = await trial(compound({ a: forever, b: doNothing({ time: 7 }), c: forever }));
    expect(ran.end).toMatchObject({ type: 'normal', component: 'b' });
    expect(ran.seen('ended')).toEqual([
      '7 b: ended normal',
      '7 c: ended normal',
      '7 a: ended normal',
      '7 /: ended normal',
    ]);
  });
});

describe('a parallel (W1)', () => {
  it('creates all its children, then deploys all, then starts them one after the other', async () => {
    const ran = await trial(parallel({ a: doNothing({ time: 1 }), b: doNothing({ time: 2 }) }));
    expect(ran.trace.slice(0, 11)).toEqual([
      ...['0 /: deployed', '0 /: starting', '0 a: created', '0 b: created', '0 a: deployed', '0 b: deployed'],
      ...['0 a: starting', '0 a: up', '0 b: starting', '0 b: up', '0 /: up'],
    ]);
    expect(ran.seen('ended')).toEqual(['1 a: ended normal', '2 b: ended normal', '2 /: ended normal']);
  });

  it('with asynchCreateChild lets each child start by itself', async () => {
    const ran = await trial(
      parallel({ a: doNothing({ time: 1 }), b: doNothing({ time: 2 }) }, { asynchCreateChild: true }),
    );
    expect(ran.trace.slice(2, 8)).toEqual([
      ...['0 a: created', '0 a: deployed', '0 a: starting', '0 b: created', '0 b: deployed', '0 b: starting'],
    ]);
    expect(ran.end?.type).toBe('normal');
  });

  it.each([
    [false, undefined],
    [true, 'normal'],
  ])('without children and with terminateOnEmptyDeploy %j ends: %j', async (terminateOnEmptyDeploy, type) => {
    expect((await trial(parallel({}, { terminateOnEmptyDeploy }))).end?.type).toBe(type);
  });

  it('ends with the others at the first abnormal end of one', async () => {
    const ran = await trial(
      parallel({ a: forever, b: sequence({ wait: delay({ time: 3 }), no: fail({ message: 'no' }) }) }),
    );
    expect(ran.end).toEqual({ type: 'abnormal', description: 'no', component: 'b/no' });
    expect(ran.seen(' a: ended')).toEqual(['3 a: ended abnormal']);
  });

  it('ignores abnormal ends when terminateOnAbnormalChildTermination is false', async () => {
    const ran = await trial(
      parallel({ a: fail(), b: doNothing({ time: 9 }) }, { terminateOnAbnormalChildTermination: false }),
    );
    expect(ran.end?.type).toBe('normal');
    expect(ran.seen('9 b: ended normal')).toHaveLength(1);
  });

  const broken = during({ time: ref('../nowhere'), action: forever });

  it.each([
    [false, true, 'abnormal'],
    [false, false, 'abnormal'],
    [true, true, 'abnormal'],
    [true, false, 'normal'],
  ])(
    'asynchCreateChild %j, terminateOnAbnormalChildDeploy %j: a child that does not come up makes it end %s',
    async (asynchCreateChild, terminateOnAbnormalChildDeploy, type) => {
      const switches = {
        asynchCreateChild,
        terminateOnAbnormalChildDeploy,
        terminateOnAbnormalChildTermination: false,
      };
      const ran = await trial(parallel({ a: broken, b: doNothing({ time: 2 }) }, switches));
      expect(ran.end?.type).toBe(type);
    },
  );

  it('obeys the three switches when all of it is done', async () => {
    const children = { a: doNothing({ time: 1 }) };
    expect((await trial(parallel(children, { sfShouldTerminate: false }))).end).toBeUndefined();
    const quiet = { in: parallel(children, { sfShouldTerminateQuietly: true }) };
    expect((await trial(compound(quiet))).seen('in: ended', '/: ended')).toEqual(['1 in: ended normal']);
    const detached = await trial(
      compound({ in: parallel(children, { sfShouldDetach: true, sfShouldTerminate: false }) }),
    );
    expect(detached.effects.filter(({ kind }) => kind === 'deploy')).toHaveLength(1);
  });
});

describe('a random sequence (W1)', () => {
  const nine = Object.fromEntries([...'abcdefghi'].map((name) => [name, fail({ normal: true, message: name })]));

  it('runs each child once, in the order of java.util.Random with the seed 6387315', async () => {
    const ran = await trial(randomSequence(nine));
    const order = ran
      .seen(': up')
      .map((line) => line.split(' ')[1]![0])
      .filter((name) => name !== '/');
    expect(order.join('')).toBe('acidghfbe');
    expect(ran.end).toMatchObject({ type: 'normal', component: 'e' });
  });

  it('ends with the first abnormal end, and is an error when it is empty', async () => {
    expect(
      (await trial(randomSequence({ a: fail({ message: 'a' }), b: fail({ message: 'b' }) }))).seen('ended'),
    ).toHaveLength(2);
    expect((await trial(randomSequence())).end?.type).toBe('abnormal');
  });
});

describe('repeat (W1)', () => {
  it.each([
    [undefined, 1],
    [0, 1],
    [1, 1],
    [3, 3],
  ])('with repeat %j runs its action %i times, as running', async (times, runs) => {
    const ran = await trial(repeat({ action: normal('done'), ...(times !== undefined && { repeat: times }) }));
    expect(ran.seen('running: up')).toHaveLength(runs);
    expect(ran.end).toEqual({ type: 'normal', description: 'done', component: 'running' });
  });

  it('with -1 goes on for ever, in a tree that does not grow', async () => {
    const ran = await new Trial(repeat({ repeat: -1, action: doNothing({ time: '1s' }) })).run(100_000);
    expect(ran.seen('running: up')).toHaveLength(101);
    expect(Object.keys(ran.tree.components)).toHaveLength(2);
  });

  it('with -1 and an action that takes no time does a limited number of things in a step', async () => {
    const endless = new Trial(repeat({ repeat: -1, action: sequence() }));
    await endless.tell({ kind: 'deploy' });
    expect(endless.tree.agenda).not.toEqual([]);
    expect(endless.end).toBeUndefined();
  });

  it('ends with the first abnormal end', async () => {
    expect((await trial(repeat({ repeat: 5, action: fail({ message: 'no' }) }))).seen('running: up')).toHaveLength(1);
  });
});

describe('retry (W1)', () => {
  it.each([
    ['by default', {}, 2],
    ['with retry 0', { retry: 0 }, 1],
    ['with retries 7', { retries: 7 }, 8],
  ])('%s runs a failing action so often', async (_, attributes, runs) => {
    const ran = await trial(retry({ ...attributes, action: failAbnormal({ message: 'failure inside retry' }) }));
    const last = `running_${runs - 1}`;
    expect(ran.seen(': up', 'running').filter((line) => line.endsWith('up') && line.includes('running'))).toEqual(
      Array.from({ length: runs }, (_, index) => `0 running_${index}: up`),
    );
    expect(ran.end).toEqual({ type: 'abnormal', description: 'failure inside retry', component: last });
  });

  it('ends with the first normal end, and counts', async () => {
    const answers = { 'files.copy': (_: never, times: number) => (times < 4 ? failed('locked') : done()) };
    const copy = call(resource.copy, { from: 'a', to: 'b' });
    const ran = await trial(retry({ retry: 'forever', delay: '1m', action: copy }), { answers });
    expect(ran.end?.type).toBe('normal');
    expect(ran.now).toBe(180_000);
    expect(ran.tree.components[ran.tree.root]!.attributes!['count']).toBe(3);
  });

  it.each([-1, 1.5])('refuses %j retries', async (times) => {
    expect((await trial(retry({ retry: times, action: fail() }))).end?.description).toMatch(
      /Attribute 'retry': is no number/,
    );
  });
});

describe('delay (W1)', () => {
  it('starts its action after the time, and passes its record on', async () => {
    const ran = await trial(delay({ delay: 200, action: normal('end of sequence') }));
    expect(ran.seen('running: up')).toEqual(['200 running: up']);
    expect(ran.end).toEqual({ type: 'normal', description: 'end of sequence', component: 'running' });
  });

  it('without an action ends after the time', async () => {
    expect((await trial(delay({ time: '5s' }))).seen('ended')).toEqual(['5000 /: ended normal']);
    expect((await trial(delay())).seen('ended')).toEqual(['0 /: ended normal']);
  });
});

describe('during (W1)', () => {
  it.each([
    [undefined, 0],
    [4, 4],
  ])('with time %j ends its action and itself normally', async (time, at) => {
    const ran = await trial(during({ action: forever, ...(time !== undefined && { time }) }));
    expect(ran.seen('ended')).toEqual([`${at} running: ended normal`, `${at} /: ended normal`]);
  });

  it('below 0 never ends by itself', async () => {
    expect((await trial(during({ time: -1, action: forever }))).end).toBeUndefined();
  });

  it('passes an early end on', async () => {
    expect((await trial(during({ time: 9, action: fail({ message: 'no' }) }))).end).toMatchObject({
      type: 'abnormal',
      description: 'no',
    });
  });
});

describe('timeout (W1)', () => {
  it.each([
    [undefined, 0],
    ['2s' as const, 2_000],
  ])('with time %j fails with its action', async (time, at) => {
    const ran = await trial(timeout({ action: forever, ...(time !== undefined && { time }) }));
    expect(ran.seen('ended')).toEqual([`${at} running: ended abnormal`, `${at} /: ended abnormal`]);
  });

  it('passes an early end on', async () => {
    expect((await trial(timeout({ time: 9, action: normal('in time') }))).end).toMatchObject({
      type: 'normal',
      description: 'in time',
    });
  });
});

describe('try (W1)', () => {
  it.each([
    ['normal', 'normal'],
    ['abnormal', 'abnormal'],
    ['rollback', 'rollback'],
  ])('goes on with what is declared under the type %s', async (type, name) => {
    const action = doNothing({ time: 1, terminationType: type });
    const goesOn = { normal: normal('n'), abnormal: normal('a'), rollback: normal('r') };
    const ran = await trial(tryThen({ action, ...goesOn }));
    expect(ran.seen(': up').at(-1)).toBe(`1 ${name}: up`);
    expect(ran.end).toMatchObject({ type: 'normal', component: name });
  });

  it('passes the end on where nothing is declared, and that of what it went on with', async () => {
    expect((await trial(tryThen({ action: fail({ message: 'no' }) }))).end).toMatchObject({
      type: 'abnormal',
      component: 'running',
    });
    const twice = await trial(tryThen({ action: fail(), abnormal: fail({ message: 'again' }) }));
    expect(twice.end).toEqual({ type: 'abnormal', description: 'again', component: 'abnormal' });
    expect(twice.seen('abnormal: up')).toHaveLength(1);
  });

  it('takes a reference for a description', async () => {
    const ran = await trial(tryThen({ action: fail(), normal: normal('same'), abnormal: ref('normal') }));
    expect(ran.end?.description).toBe('same');
  });
});

describe('finally (W1)', () => {
  it('deploys its action with it, and starts it when it is ended', async () => {
    const ran = await new Trial(
      compound({ end: finallyDo({ action: doNothing({ time: 3 }) }), work: doNothing({ time: 10 }) }),
    ).run();
    expect(ran.seen('end/running')).toEqual([
      ...['0 end/running: created', '0 end/running: deployed', '10 end/running: starting', '10 end/running: up'],
      ...['13 end/running: ending normal', '13 end/running: ended normal'],
    ]);
    expect(ran.seen(' /: ended')).toEqual(['13 /: ended normal']);
  });

  it('waits for it no longer than within', async () => {
    const ran = await trial(
      compound({ end: finallyDo({ action: forever, within: '1s' }), work: fail({ normal: true }) }),
    );
    expect(ran.seen('not ended in time')).toHaveLength(1);
    expect(ran.seen(' /: ended')).toEqual(['1000 /: ended normal']);
  });
});

describe('a counteraction (W1)', () => {
  const drop = call(resource.copy, { from: 'x', to: 'y' });

  it('is deployed at the start, and started at the end, before the action is ended', async () => {
    const answers = { 'files.copy': () => ({ after: 5, result: done() }) };
    const ran = new Trial(counterAction({ action: forever, counterAction: drop }), { answers });
    await ran.run();
    expect(ran.seen('counterAction')).toEqual(['0 counterAction: created', '0 counterAction: deployed']);
    await ran.tell({ kind: 'terminate', path: '', end: { type: 'normal', description: 'enough' } });
    await ran.go();
    expect(ran.seen('counterAction: up', 'ction: ended', '/: ended')).toEqual([
      ...['0 counterAction: up', '5 counterAction: ended normal', '5 action: ended normal', '5 /: ended normal'],
    ]);
  });

  it('only logs its failure', async () => {
    const ran = await trial(
      compound({
        a: counterAction({ action: forever, counterAction: fail({ message: 'no' }) }),
        b: delay({ time: 1 }),
      }),
    );
    expect(ran.end?.type).toBe('normal');
    expect(ran.seen("'counterAction'")).toEqual(["1 a: 'counterAction' has ended with 'abnormal': no"]);
  });

  it('is given up after within', async () => {
    const ran = await trial(
      compound({ a: counterAction({ action: forever, counterAction: forever, within: 9 }), b: delay() }),
    );
    expect(ran.seen(' /: ended')).toEqual(['9 /: ended normal']);
  });

  it('leaves all pings to its liveness child', async () => {
    const parts = (condition: ReturnType<typeof value>) =>
      counterAction({
        action: livenessTest({ condition: isFalse() }),
        liveness: livenessTest({ condition, message: 'ill' }),
      });
    const well = await new Trial(parts(isTrue())).run(0);
    await well.tell({ kind: 'ping' });
    expect(well.end).toBeUndefined();
    const ill = await new Trial(parts(isFalse())).run(0);
    await ill.tell({ kind: 'ping' });
    expect(ill.end).toMatchObject({ type: 'abnormal', description: 'ill' });
  });
});

describe('a test block (W1)', () => {
  it.each([
    ['normal', normal('x'), 'normal'],
    ['abnormal', fail(), 'abnormal'],
    ['a time-out', forever, 'timed out'],
  ])('records %s and ends as its action', async (_, action, outcome) => {
    const tell = call(resource.remove, { file: ref('../running/outcome') });
    const ran = await trial(tryThen({ action: testBlock({ action, timeout: '1s' }), normal: tell, abnormal: tell }));
    const type = outcome === 'normal' ? 'normal' : 'abnormal';
    expect(ran.seen(' running: ended')).toEqual([`${ran.now} running: ended ${type}`]);
    expect(ran.calls()).toEqual([`files.remove {"file":"${outcome}"}`]);
  });

  it('has no limit where that is 0', async () => {
    const ran = await trial(testBlock({ action: doNothing({ time: '1h' }), timeout: 0 }));
    expect(ran.end).toMatchObject({ type: 'normal' });
    expect(ran.now).toBe(3_600_000);
  });

  it('says that its action did not start', async () => {
    const ran = await trial(testBlock({ action: delay({ time: -1 }) }));
    expect(ran.end).toMatchObject({
      type: 'abnormal',
      description: expect.stringMatching(/^Failed to start up action: /),
    });
  });
});

describe('do nothing and fail (W1)', () => {
  it('ends after 10 s, at once with time 0, or never', async () => {
    expect((await trial(doNothing())).seen('ended')).toEqual(['10000 /: ended normal']);
    expect((await trial(doNothing({ time: 0 }))).seen('ended')).toEqual(['0 /: ended normal']);
    expect((await trial(forever)).end).toBeUndefined();
  });

  it('prints its message, and events unless it is told not to', async () => {
    const prints = await new Trial(doNothing({ message: 'hello' })).run(0);
    await prints.tell({ kind: 'event', path: '', event: 'tick' });
    expect(prints.seen('hello', 'tick')).toEqual(['0 /: hello', '0 /: event "tick"']);
    const silent = await new Trial(doNothing({ printEvents: false })).run(0);
    await silent.tell({ kind: 'event', path: '', event: 'tick' });
    expect(silent.seen('tick')).toEqual([]);
  });

  it('fails with its message, unless it is to end normally', async () => {
    expect((await trial(fail({ message: 'm' }))).end).toEqual({ type: 'abnormal', description: 'm', component: '' });
    expect((await trial(fail({ normal: true }))).end?.type).toBe('normal');
  });
});
