import { describe, expect, it } from 'vitest';
import {
  and,
  assertCondition,
  attribute,
  component,
  componentProblems,
  compound,
  concat,
  delay,
  doNothing,
  evaluateCondition,
  fail,
  ifThen,
  isAlive,
  isFalse,
  isTrue,
  kindsOf,
  livenessTest,
  or,
  parallel,
  ref,
  resolves,
  rootRef,
  sequence,
  strictRef,
  stringEquals,
  stringLength,
  TestTree,
  testBlock,
  value,
  waitFor,
  xor,
  type Description,
} from '../../src/components/index.js';

const forever = doNothing({ terminationType: 'none' });
const ended = async (description: Description) => (await new TestTree(description).run()).end;
const mistakes = (description: Description) =>
  componentProblems(kindsOf(), description).map(({ place, problem, remedy }) => `${place}: ${problem}. ${remedy}`);
/** How an assertion about a condition ends, beside what the condition is about. */
const about = async (condition: Description, children: Readonly<Record<string, Description>> = {}) =>
  ended(compound({ ...children, ask: evaluateCondition({ condition, message: 'wrong' }) }));

describe('conditions about references and texts (W3)', () => {
  it('hold if a reference leads to a component or a value', async () => {
    const beside = { a: forever };
    for (const path of ['../../a', '../../a/time', '../../a/terminationType'])
      expect(await about(resolves({ reference: ref(path) }), beside)).toMatchObject({ type: 'normal' });
    for (const path of ['../../b', '../../a/nothing', '../../../../a'])
      expect(await about(resolves({ reference: ref(path) }), beside)).toMatchObject({ description: 'wrong' });
  });

  it('hold as long as a component lives', async () => {
    const tree = new TestTree(
      parallel({
        a: delay({ time: 500 }),
        b: waitFor({ condition: isAlive({ component: ref('../../c') }), timeout: 0 }),
      }),
    );
    expect((await tree.run()).end).toMatchObject({ type: 'normal' });
    expect(await about(isAlive({ component: ref('../../a') }), { a: forever })).toMatchObject({ type: 'normal' });
    const late = sequence({
      wait: delay({ time: 5 }),
      ask: evaluateCondition({ condition: isAlive({ component: ref('../../../a') }) }),
    });
    expect(await ended(parallel({ a: delay({ time: 1 }), late }))).toMatchObject({ type: 'abnormal' });
  });

  it('say how long a text is, and whether it is the same in any case', async () => {
    expect(await about(stringLength({ value: 'four', minimum: 4, maximum: 4 }))).toMatchObject({ type: 'normal' });
    expect((await about(stringLength({ value: 'four', maximum: 3 })))?.description).toBe(
      'wrong: its text has 4 characters, and 0 to 3 are wanted',
    );
    expect((await about(stringLength({ value: 'four', minimum: 5 })))?.description).toMatch(/5 or more are wanted/);
    expect(await about(stringEquals({ left: 'a', right: 'A', caseSensitive: false }))).toMatchObject({
      type: 'normal',
    });
  });

  it('say which of several does not hold', async () => {
    const why = async (condition: Description) => (await about(condition))?.description;
    expect(await why(and({ a: isTrue(), b: assertCondition({ isTrue: false }), c: isFalse() }))).toBe(
      "wrong: 'b' does not hold: isTrue is false",
    );
    expect(await why(or({ a: isFalse(), b: isFalse() }))).toBe("wrong: 'b' does not hold");
    expect(await why(xor({ a: isTrue(), b: isTrue() }))).toBe('wrong: an even number of them hold');
  });
});

describe('expectations within a tree (W1)', () => {
  it('take an end of a type, and with a text', async () => {
    const broken = fail({ message: 'there is no room' });
    expect(await ended(testBlock({ action: broken, exitType: 'abnormal', exitText: 'no room' }))).toMatchObject({
      type: 'normal',
      description: 'it ended as expected: there is no room',
    });
    expect(await ended(testBlock({ action: broken, exitType: 'odd', exitText: 'no disk' }))).toMatchObject({
      type: 'abnormal',
      description: "an end of the type 'odd' and with 'no disk' was expected, and it was abnormal: there is no room",
    });
  });

  it('fail after a time, and only if a condition holds', async () => {
    const late = await new TestTree(fail({ delay: '3s', message: 'late' })).run();
    expect([late.now, late.end?.description]).toEqual([3_000, 'late']);
    expect(await ended(fail({ condition: isTrue() }))).toMatchObject({ type: 'abnormal', description: 'failure' });
    expect(await ended(fail({ condition: isFalse() }))).toMatchObject({ type: 'normal' });
    const set = parallel({
      a: value({ value: false }),
      b: sequence({
        wait: delay({ time: 5 }),
        set: attribute({ component: ref('../../a'), name: 'value', value: true }),
      }),
      c: fail({ delay: 10, condition: value({ value: ref('../../a/value') }) }),
    });
    expect(await ended(set)).toMatchObject({ type: 'abnormal', component: 'c' });
  });

  it('end a parallel with a liveness test that fails', async () => {
    const test = livenessTest({ condition: value({ value: ref('../../well/value') }), message: 'ill' });
    const tree = await new TestTree(parallel({ well: value({ value: true }), work: forever, test })).run();
    await tree.ping();
    expect(tree.end).toBeUndefined();
    await tree.set('well', 'value', false);
    await tree.ping();
    expect(tree.end).toMatchObject({ type: 'abnormal', description: 'ill', component: 'test' });
  });
});

describe('what is written less (W1, W-6)', () => {
  it('is children without names', async () => {
    const tree = await new TestTree(sequence([delay({ time: 1 }), doNothing({ time: 2 }), delay()])).run();
    expect(tree.seen(': up')).toEqual(['0 delay_1: up', '0 /: up', '1 doNothing_2: up', '3 delay_3: up']);
  });

  it('is parameters of any name, which what it holds refers to', async () => {
    const tree = new TestTree(
      compound(
        { a: fail({ message: concat(ref('../url'), ':', ref('../port')) }) },
        { parameters: { url: 'example', port: 80 } },
      ),
    );
    expect((await tree.run()).end?.description).toBe('example:80');
    const Site = component('Site', { deploys: () => sequence({ a: fail({ message: ref('../url') }) }) });
    const site = new TestTree(Site({ parameters: { url: 'mine' } }), { components: [Site] });
    expect((await site.run()).end?.description).toBe('mine');
  });

  it('is a reference to the root, or to one parent alone', async () => {
    const tree = (message: ReturnType<typeof ref>) =>
      compound({ a: sequence({ b: fail({ message }) }) }, { parameters: { url: 'far' } });
    expect((await ended(tree(rootRef('url'))))?.description).toBe('far');
    expect((await ended(tree(ref('../url'))))?.description).toBe('far');
    expect(mistakes(tree(strictRef('../url')))).toEqual([expect.stringMatching(/leads nowhere: a has no 'url'/)]);
    const run = await new TestTree(tree(strictRef('../url')), { unchecked: true }).run();
    expect(run.end?.description).toMatch(/leads nowhere: 'url' of a is not there now/);
    expect((await ended(tree(strictRef('../../url'))))?.description).toBe('far');
  });
});

describe('the check of references (W1)', () => {
  it('counts the steps up, also inside conditions', () => {
    const tree = ifThen({ condition: value({ value: ref('../../../on') }), then: delay() });
    expect(mistakes(compound({ a: tree }, { parameters: { on: true } }))).toEqual([
      "a/condition.value: ref('../../../on') leads nowhere: it leads out of Compound, which is the outermost. Write ref('../../on').",
    ]);
  });

  it('finds references that lead back to themselves', () => {
    const tree = parallel({ a: delay({ time: ref('../b/time') }), b: delay({ time: ref('../a/time') }) });
    expect(mistakes(tree)).toEqual([
      'a.time: it leads back to itself: b.time, a.time. Give one of these attributes a value.',
      'b.time: it leads back to itself: a.time, b.time. Give one of these attributes a value.',
    ]);
    expect(mistakes(delay({ time: ref('time') }))).toEqual([expect.stringMatching(/^Delay.time: it leads back/)]);
    const sets = attribute({ component: ref('../a'), name: 'time', value: 5 });
    expect(
      mistakes(parallel({ sets, a: delay({ time: ref('../b/time') }), b: delay({ time: ref('../a/time') }) })),
    ).toEqual([]);
  });
});
