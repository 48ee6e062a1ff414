import { describe, expect, it } from 'vitest';
import {
  and,
  assertCondition,
  call,
  component,
  compound,
  databaseLive,
  databaseOpen,
  delay,
  doNothing,
  equals,
  evaluateCondition,
  failingWaitFor,
  fail,
  fileExists,
  hostExists,
  ifThen,
  isFalse,
  isPropertySet,
  isTrue,
  livenessPage,
  livenessTest,
  not,
  or,
  parallel,
  ref,
  runningFor,
  sequence,
  stringEquals,
  testCompound,
  attribute,
  value,
  waitFor,
  xor,
  type Description,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, failed, Trial, trial, type TestAnswer } from './trial.js';

const forever = doNothing({ terminationType: 'none' });
const normal = (message: string) => fail({ message, normal: true });
const asks = async (condition: Description, answers: Readonly<Record<string, TestAnswer>> = {}) => {
  const ran = await trial(ifThen({ condition, then: normal('yes'), else: normal('no') }), { answers });
  return { ...ran.end, calls: ran.calls() };
};
const page = (url: string) => livenessPage({ url });
const broken = { 'conditions.pageLive': () => failed('bad_address') };

describe('a condition (W3)', () => {
  it.each<[string, Description, string]>([
    ['true', isTrue(), 'yes'],
    ['false', isFalse(), 'no'],
    ['a value', value({ value: true }), 'yes'],
    ['equal values', equals({ left: { a: [1] }, right: { a: [1] } }), 'yes'],
    ['unequal values', equals({ left: [1, 2], right: { 0: 1, 1: 2 } as never }), 'no'],
    ['values of different types', equals({ left: '1', right: 1 }), 'no'],
    ['equal texts', stringEquals({ left: '1', right: 1 }), 'yes'],
    ['texts that differ in case', stringEquals({ left: 'a', right: 'A' }), 'no'],
    ['not', not({ condition: isFalse() }), 'yes'],
    ['and of all', and({ a: isTrue(), b: isTrue() }), 'yes'],
    ['and of nothing', and(), 'yes'],
    ['or of one', or({ a: isFalse(), b: isTrue() }), 'yes'],
    ['or of nothing', or(), 'no'],
    ['xor of one', xor({ a: isTrue(), b: isFalse() }), 'yes'],
    ['xor of two', xor({ a: isTrue(), b: isTrue() }), 'no'],
    ['an assertion', assertCondition({ isTrue: true, isFalse: false, left: 1, right: 1 }), 'yes'],
    ['a wrong assertion', assertCondition({ isTrue: true, left: 1, right: 2 }), 'no'],
    ['an assertion of true', assertCondition({ isTrue: false }), 'no'],
    ['an assertion of false', assertCondition({ isFalse: true }), 'no'],
    ['a nested one', not({ condition: and({ a: or({ b: isFalse() }), c: isTrue() }) }), 'yes'],
    ['its deployment for no time', runningFor(), 'yes'],
    ['its deployment for a time', runningFor({ milliseconds: 1 }), 'no'],
  ])('%s', async (_, condition, description) => {
    expect((await asks(condition)).description).toBe(description);
  });

  it.each<[string, Description, string]>([
    ['a property', isPropertySet({ property: 'HOME' }), 'conditions.propertySet {"property":"HOME"}'],
    [
      'a page',
      livenessPage({ url: 'http://a', mimeTypes: ['text/html'], minimumSize: 9 }),
      'conditions.pageLive {"url":"http://a","status":200,"mimeTypes":["text/html"],"minimumSize":9}',
    ],
    ['a file', fileExists({ file: '/a' }), 'conditions.fileExists {"file":"/a","minimumSize":0}'],
    ['a host', hostExists({ hostname: 'a' }), 'conditions.hostExists {"hostname":"a"}'],
    ['a database that is open', databaseOpen({ url: 'a' }), 'conditions.databaseOpen {"url":"a"}'],
    ['a database that is live', databaseLive({ url: 'a' }), 'conditions.databaseLive {"url":"a"}'],
  ])('%s is asked of the world, each time anew', async (_, condition, expected) => {
    const activity = expected.split(' ')[0]!;
    const ran = await trial(waitFor({ condition }), { answers: { [activity]: (_input, times) => done(times === 3) } });
    expect(ran.calls()).toEqual([expected, expected, expected]);
    expect(ran.seen('ended').at(-1)).toBe('2000 /: ended normal');
  });

  it('and, or stop early; xor never does', async () => {
    const answers = { 'conditions.pageLive': ({ url }: { url: string }) => done(url === 'yes') };
    const many = { a: page('yes'), b: page('no'), c: page('yes') };
    const count = async (condition: Description) => (await asks(condition, answers as never)).calls.length;
    expect([await count(and(many)), await count(or(many)), await count(xor(many))]).toEqual([2, 1, 3]);
  });

  it('that fails is a failure of who asked, not false', async () => {
    for (const condition of [page('x'), not({ condition: page('x') }), or({ a: page('x'), b: isTrue() })]) {
      for (const holder of [
        ifThen({ condition, else: normal('no') }),
        waitFor({ condition, timeout: 0 }),
        evaluateCondition({ condition, failOnFalse: false }),
      ]) {
        const { end } = await trial(holder, { answers: broken });
        expect(end).toMatchObject({
          type: 'abnormal',
          description: expect.stringMatching(/^its condition failed: it failed with bad_address$/),
        });
      }
    }
  });

  it('is deployed and started with its holder, and asked again about what changed', async () => {
    const ran = await trial(
      parallel(
        {
          flag: sequence({
            wait: delay({ time: 2_500 }),
            set: attribute({ component: ref('../..'), name: 'host', value: 'h' }),
          }),
          wait: waitFor({ condition: stringEquals({ left: ref('../../host'), right: 'h' }) }),
        },
        { host: 'none' },
      ),
    );
    expect(ran.seen('wait: ended').at(-1)).toBe('3000 wait: ended normal');
  });

  it("of one's own is code that runs on its host", async () => {
    const Odd = component('Odd', {
      evaluate: async (self) => (await self.call(resource.copy, { from: 'a', to: 'b' })) === 1,
    });
    const answers = { 'files.copy': (_: never, times: number) => done(times - 2) };
    const ran = await trial(waitFor({ condition: Odd() }), { components: [Odd], answers });
    expect(ran.calls()).toHaveLength(3);
    expect(ran.end?.type).toBe('normal');
    const Bad = component('Bad', { evaluate: () => Promise.reject(new Error('broken')) });
    expect((await trial(waitFor({ condition: Bad() }), { components: [Bad] })).end).toMatchObject({
      description: 'its condition failed: broken',
    });
  });

  it('is what a condition has to be', async () => {
    const { end } = await trial(ifThen({ condition: forever }));
    expect(end?.description).toMatch(/it is no condition/);
  });
});

describe('if (W3)', () => {
  it('runs one branch as running, and ends normally without it', async () => {
    const ran = await trial(ifThen({ condition: isTrue(), then: fail({ message: 'no' }) }));
    expect(ran.end).toEqual({ type: 'abnormal', description: 'no', component: 'running' });
    expect((await trial(ifThen({ condition: isTrue(), else: fail() }))).end?.type).toBe('normal');
    expect((await trial(ifThen({ condition: isFalse(), else: fail() }))).end?.type).toBe('abnormal');
  });
});

describe('wait for (W3)', () => {
  it('asks at once, then at its interval, for its time', async () => {
    const answers = { 'conditions.pageLive': () => done(false) };
    const ran = await trial(waitFor({ condition: page('x'), timeout: '2500ms', else: fail({ message: 'late' }) }), {
      answers,
    });
    expect(ran.calls()).toHaveLength(4);
    expect(ran.seen('running: up')).toEqual(['2500 running: up']);
    expect(ran.end?.description).toBe('late');
  });

  it.each([
    [0, 1],
    [1, 2],
  ])('with timeout %i asks %i times', async (time, times) => {
    const ran = await trial(waitFor({ condition: page('x'), timeout: time }), {
      answers: { 'conditions.pageLive': () => done(false) },
    });
    expect(ran.calls()).toHaveLength(times);
    expect(ran.end?.type).toBe('normal');
  });

  it('runs then when its condition holds', async () => {
    const ran = await trial(
      waitFor({ condition: runningFor({ seconds: 90, minutes: 1 }), interval: '1m', then: normal('go') }),
    );
    expect(ran.seen('running: up')).toEqual(['180000 running: up']);
  });

  it('fails, where it is a failing one', async () => {
    const late = failingWaitFor({ condition: isFalse(), timeout: '3s' });
    expect((await trial(late)).end).toEqual({ type: 'abnormal', description: 'Timed out', component: 'running' });
    const named = failingWaitFor({ condition: isFalse(), timeout: 0, message: 'no database' });
    expect((await trial(named)).end?.description).toBe('no database');
  });
});

describe('evaluating a condition (W3)', () => {
  it.each([
    [isTrue(), {}, 'normal', 'its condition holds'],
    [isFalse(), {}, 'abnormal', 'its condition does not hold'],
    [isFalse(), { message: 'no' }, 'abnormal', 'no'],
    [isFalse(), { failOnFalse: false }, 'normal', 'its condition does not hold'],
  ])('%# ends as it should', async (condition, attributes, type, description) => {
    expect((await trial(evaluateCondition({ condition, ...attributes }))).end).toMatchObject({ type, description });
  });

  it('keeps the result for others', async () => {
    const test = sequence({
      ask: evaluateCondition({ condition: isFalse(), failOnFalse: false }),
      tell: doNothing({ time: 0, printEvents: ref('../ask/result'), terminationType: 'normal' }),
    });
    expect((await trial(test)).end?.type).toBe('normal');
  });
});

describe('a liveness test (W3)', () => {
  it('asks at each ping, one at a time, and fails when its condition does not hold', async () => {
    const answers = { 'conditions.pageLive': (_: never, times: number) => ({ after: 5, result: done(times < 3) }) };
    const ran = await new Trial(compound({ a: livenessTest({ condition: page('x'), message: 'down' }) }), {
      answers,
    }).run();
    expect(ran.calls()).toEqual([]);
    for (const at of [10, 12, 20, 30]) {
      await ran.go(at);
      await ran.tell({ kind: 'ping' });
    }
    await ran.go();
    expect(ran.calls()).toHaveLength(3);
    expect(ran.end).toEqual({ type: 'abnormal', description: 'down', component: 'a' });
    expect(ran.seen(' /: ended')).toEqual(['35 /: ended abnormal']);
  });
});

describe('a test compound (W3)', () => {
  it('deploys its action, holds its tests until the condition, and ends the action after them', async () => {
    const condition = runningFor({ seconds: 2 });
    const ran = await trial(testCompound({ action: forever, condition, tests: doNothing({ time: 500 }) }));
    expect(ran.seen('tests: up', 'action: up', 'action: ended', '/: ended')).toEqual([
      ...['0 action: up', '2000 tests: up', '2500 action: ended normal', '2500 /: ended normal'],
    ]);
  });

  it('ends as its tests do, at once without a condition', async () => {
    expect((await trial(testCompound({ action: forever, tests: fail({ message: 'bug' }) }))).end).toMatchObject({
      type: 'abnormal',
      description: 'bug',
    });
  });

  it('fails when the action ends first, or the condition does not hold in time', async () => {
    const early = await trial(testCompound({ action: doNothing({ time: 1 }), tests: forever }));
    expect(early.end).toMatchObject({ type: 'abnormal', description: 'its action has ended before its tests' });
    const late = await trial(testCompound({ action: forever, condition: isFalse(), tests: forever, timeout: 3 }));
    expect(late.end).toMatchObject({ type: 'abnormal', description: 'its condition did not hold in time' });
  });
});

describe('a call as a component (W1)', () => {
  it('keeps its output for others', async () => {
    const answers = { 'files.copy': () => done({ port: 7 }), 'files.remove': () => done() };
    const steps = {
      make: call(resource.copy, { from: 'a', to: 'b' }),
      drop: call(resource.remove, { file: ref('../make/output/port') }),
    };
    expect((await trial(sequence(steps), { answers })).calls().at(-1)).toBe('files.remove {"file":7}');
  });

  it('fails with the code of its failure', async () => {
    const { end } = await trial(call(resource.remove, { file: 'a' }), {
      answers: { 'files.remove': () => failed('locked') },
    });
    expect(end).toMatchObject({ type: 'abnormal', description: 'locked: it failed with locked' });
  });
});
