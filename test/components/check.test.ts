import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  and,
  attribute,
  call,
  checkComponents,
  component,
  componentProblems,
  componentWarnings,
  compound,
  concat,
  counterAction,
  delay,
  doNothing,
  during,
  endlessness,
  evaluateCondition,
  eventCounter,
  eventQueue,
  eventSend,
  extend,
  fail,
  failingWaitFor,
  finallyDo,
  ifThen,
  isTrue,
  kindsOf,
  livenessTest,
  onEvent,
  parallel,
  randomSequence,
  ref,
  repeat,
  retry,
  run,
  sequence,
  terminator,
  testBlock,
  testCompound,
  timeout,
  tryThen,
  waitFor,
  type AnyComponent,
  type Description,
} from '../../src/components/index.js';
import { resource } from './resource.js';

const forever = doNothing({ terminationType: 'none' });
const Daemon = component('Daemon', {
  attributes: z.object({ line: z.string() }),
  start: async (self) => void (await self.call(resource.run, { line: self.attributes.line })),
});

function mistakes(description: Description, own: readonly AnyComponent[] = []): readonly string[] {
  return componentProblems(kindsOf(own), description).map(({ place, problem }) => `${place}: ${problem}`);
}

describe('the check of a description (W1)', () => {
  it('finds nothing in a right one', () => {
    const right = sequence({
      a: delay({ time: '1s' }),
      b: retry({ retry: 'forever', action: doNothing({ time: ref('../../a/time') }) }),
    });
    expect(componentProblems(kindsOf(), right)).toEqual([]);
    expect(() => checkComponents(kindsOf(), right)).not.toThrow();
  });

  it('tells all mistakes at once, with their paths', () => {
    const plain: Description = { kind: 'Nothing', attributes: {}, children: [] };
    const wrong = sequence({
      a: retry({ retries: -1, action: delay({ time: -5 }) }),
      b: repeat({ action: doNothing({ messages: 'x' } as never), repeat: -2 }),
      c: plain,
      d: randomSequence(),
      e: eventSend({}),
      f: delay({ time: ref('a/../b') }),
      g: sequence({ 7: delay(), 'a/b': delay() }),
      h: during({} as never),
    });
    expect(mistakes(wrong)).toEqual([
      "a.retries: is no number of retries: write 0 or more, or 'forever'",
      'a/action.time: is negative: write 0 or more',
      'b.repeat: is below -1: write how often, or -1 for no limit',
      "b/action.messages: DoNothing has no attribute 'messages'",
      "c: no kind 'Nothing' is known",
      'd: it has no children. Give it one at least',
      "e: it has no 'event'. Set the event that it sends",
      "f.time: ref('a/../b') is no path",
      "g: '7' is a number: JavaScript moves it to the front, whatever the order",
      "g: 'a/b' cannot be part of a path",
      'h.action: it is missing',
    ]);
    expect(() => checkComponents(kindsOf(), wrong)).toThrow(/has 11 mistakes/);
  });

  it('says where each is, what it is, and what to write in its place', () => {
    const wrong = sequence({
      go: ifThen({ condition: delay(), then: fail({ mesage: 'no' } as never) }),
      tell: doNothing({ message: ref('../made/output') }),
    });
    expect(() => checkComponents(kindsOf(), wrong)).toThrow(
      expect.objectContaining({
        message: [
          'The declaration of Sequence has 3 mistakes:',
          '  go.condition: Delay is no condition',
          '    Give it one, as in isTrue(), or your own component with `evaluate`.',
          "  go/then.mesage: Fail has no attribute 'mesage'",
          '    Write one of message, normal, delay, condition, sfShouldTerminate, sfShouldTerminateQuietly, sfShouldDetach, sfSyncTerminate, sendTo, registerWith, parameters, host, reachWithin.',
          "  tell.message: ref('../made/output') leads nowhere: no component up to Sequence has 'made'",
          "    Each '..' leads to one parent; the name after it is looked for there, and then further out.",
        ].join('\n'),
      }),
    );
  });

  it('knows what a condition is (W3)', () => {
    const Odd = component('Odd', { evaluate: async () => true });
    const right = sequence({
      a: waitFor({ condition: Odd() }),
      b: ifThen({ condition: and({ x: isTrue(), y: Odd() }) }),
    });
    expect(mistakes(right, [Odd])).toEqual([]);
    const wrong = sequence({
      a: waitFor({ condition: forever }),
      b: ifThen({ condition: and({ x: isTrue(), y: delay() }) }),
      c: evaluateCondition({ condition: 7 as never }),
      d: evaluateCondition({} as never),
    });
    expect(mistakes(wrong)).toEqual([
      'a.condition: DoNothing is no condition',
      "b/condition: its child 'y' is no condition",
      'c.condition: is not a description: write a component, as in sequence({ ... })',
      'd.condition: it is missing',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'the value that it deploys is not a description'],
    ['a promise', Promise.resolve(sequence()), 'the value that it deploys is not a description'],
    ['a component that is not called', Daemon, 'the value that it deploys is not a description'],
  ])('refuses a component that deploys %s', (_, deployed, problem) => {
    const Bad = component('Bad', { deploys: () => deployed as Description });
    expect(mistakes(sequence({ bad: Bad() }), [Bad])).toEqual([`bad: ${problem}`]);
  });

  it('refuses a component that fails to say what it deploys, or that deploys itself', () => {
    const Bad = component('Bad', {
      deploys: () => {
        throw new Error('no file');
      },
    });
    const Endless: AnyComponent & (() => Description) = component('Endless', {
      deploys: () => sequence({ again: Endless() }),
    });
    const Later: AnyComponent & (() => Description) = component('Later', {
      deploys: () => tryThen({ action: fail(), abnormal: Later() }),
    });
    expect(mistakes(compound({ a: Bad(), b: Endless(), c: Later() }), [Bad, Endless, Later])).toEqual([
      "a: its 'deploys' throws: no file",
      'b/running/again: it deploys itself',
    ]);
  });

  it('looks into what components of one’s own deploy, with the children that were added', () => {
    const Node = component('Node', {
      attributes: z.object({ name: z.string() }),
      deploys: () => parallel({ web: delay({ time: ref('../nam') }), tell: doNothing({ message: ref('../name') }) }),
    });
    const rogue = Node.with({ children: { failure: doNothing({ time: 'x' as never }), web: delay() } })({ name: 'n' });
    expect(mistakes(Node({ name: 'n' }), [Node])).toEqual([
      "running/web.time: ref('../nam') leads nowhere: no component up to Node has 'nam'",
    ]);
    expect(mistakes(rogue, [Node])).toEqual([
      "running/failure.time: is not a time: write milliseconds, or '30s', '5m', '2h'",
    ]);
  });
});

describe('the check of references (W1, W-6)', () => {
  it('knows the names on the way out, those that appear later, and what somebody sets', () => {
    const Work = component('Work', { work: async () => 'made' });
    const right = sequence(
      {
        make: call(resource.copy, { from: 'a', to: concat('b', ref('../host')) }),
        use: call(resource.remove, { file: ref('../make/output/port') }),
        own: Work({ sfShouldTerminate: true }),
        used: call(resource.remove, { file: ref('../own/output/any') }),
        test: testBlock({ action: fail() }),
        tell: doNothing({ message: ref('../test/outcome') }),
        dynamic: terminator({ kill: ref('../test/running') }),
        set: attribute({ component: ref('..'), name: 'found', value: 1 }),
        find: doNothing({ message: ref('../found') }),
        elsewhere: terminator({ kill: ref('/deployment/shop/h1') }),
        again: tryThen({ action: fail(), normal: delay(), abnormal: ref('normal') }),
        late: failingWaitFor({ condition: isTrue() }),
        alone: run({ action: terminator({ kill: ref('../anybody') }), parent: ref('..') }),
      },
      { host: 'h' },
    );
    expect(mistakes(right, [Work])).toEqual([]);
  });

  it('tells those that lead nowhere, or to something else', () => {
    const wrong = sequence({
      a: delay({ time: ref('../b') }),
      b: terminator({ kill: ref('../a/time') }),
      c: terminator({ kill: ref('../nobody') }),
      d: doNothing({ message: ref('../a/tim') }),
      e: doNothing({ message: ref('../../x') }),
      f: during({ time: 5, action: doNothing({ message: concat('x', ref('../timeout')) }) }),
      g: doNothing({ sendTo: [ref('../h')] }),
    });
    expect(mistakes(wrong)).toEqual([
      "a.time: ref('../b') names a component, and no value",
      "b.kill: ref('../a/time') names a value, and no component",
      "c.kill: ref('../nobody') leads nowhere: no component up to Sequence has 'nobody'",
      "d.message: ref('../a/tim') leads nowhere: a has no 'tim'",
      "e.message: ref('../../x') leads nowhere: it leads out of Sequence, which is the outermost",
      "f/action.message: ref('../timeout') leads nowhere: no component up to Sequence has 'timeout'",
      "g.sendTo: ref('../h') leads nowhere: no component up to Sequence has 'h'",
    ]);
  });

  it('leaves alone what a component of one’s own holds for somebody further down', () => {
    const Reliable = component('Reliable', {
      attributes: z.object({ action: z.any() }),
      deploys: () => retry({ action: ref('../action') }),
    });
    const right = Reliable({ action: doNothing({ message: ref('../../../anything') }) });
    expect(mistakes(right, [Reliable])).toEqual([]);
  });
});

describe('the check of events (W2)', () => {
  it('refuses to send to, and to listen to, what has no use for events', () => {
    const wrong = parallel({
      a: eventSend({ event: 1, sendTo: [ref('../b'), ref('../c'), ref('../d')] }),
      b: fail(),
      c: Daemon({ line: 'x' }),
      d: eventCounter({ registerWith: [ref('../e'), ref('../c')] }),
      e: call(resource.remove, { file: 'f' }),
    });
    expect(mistakes(wrong, [Daemon])).toEqual([
      "a.sendTo: ref('../b') names a Fail, which takes no events",
      "d.registerWith: ref('../e') names a Call, which sends no events",
    ]);
    const first = parallel({ a: eventSend({ event: 1, sendTo: [ref('../c')] }), c: Daemon({ line: 'x' }) });
    expect(mistakes(first, [Daemon])).toEqual(["a.sendTo: ref('../c') names a Daemon, which takes no events"]);
  });

  it('refuses one component where a list of them is wanted', () => {
    const wrong = parallel({
      a: eventSend({ event: 1, sendTo: ref('../b') as never }),
      b: eventCounter({ registerWith: ref('../a') as never }),
    });
    expect(mistakes(wrong)).toEqual([
      "a.sendTo: ref('../b') is one component, and a list is wanted",
      "b.registerWith: ref('../a') is one component, and a list is wanted",
    ]);
  });

  it('lets a component forward what it has no use for itself', () => {
    const right = parallel({
      a: eventSend({ event: 1, sendTo: [ref('../b'), ref('../box')] }),
      b: fail({ sendTo: [ref('../c')] }),
      c: eventCounter(),
      box: sequence({ d: delay() }),
    });
    expect(mistakes(right)).toEqual([]);
  });
});

describe('warnings (W1, W4)', () => {
  const Work = component('Work', { work: async () => 'made' });
  const warnings = (description: Description) =>
    componentWarnings(kindsOf([Work]), description).map(({ place, problem }) => `${place}: ${problem}`);

  it('tell of a component that waits for an end of which it is not told', () => {
    const hanging = sequence({
      a: Work({ sfShouldTerminateQuietly: true }),
      b: repeat({ action: Work({ sfShouldDetach: true }) }),
      c: compound({ d: Work({ sfShouldTerminateQuietly: true }), e: forever }),
    });
    expect(warnings(hanging)).toEqual([
      'a.sfShouldTerminateQuietly: it ends quietly, so its Sequence does not learn of its end and waits forever',
      'b: the rest of its Sequence is never reached: b/action: it stays when its work is done',
      'b/action.sfShouldDetach: it detaches, so its Repeat does not learn of its end and waits forever',
    ]);
    expect(mistakes(hanging, [Work])).toEqual([]);
  });

  it('tell of a step that never ends, which the source calls the usual cause of a workflow that hangs', () => {
    const hanging = sequence({ a: Work(), b: parallel({ x: delay(), y: forever }), c: Work() });
    expect(warnings(hanging)).toEqual([
      'a: the rest of its Sequence is never reached: it stays when its work is done',
      'b: the rest of its Sequence is never reached: b/y: it never ends',
    ]);
    expect(warnings(sequence({ a: Work({ sfShouldTerminate: true }), b: Work() }))).toEqual([]);
    expect(warnings(parallel({ s: hanging, t: terminator({ kill: ref('../s/a') }) }))).toEqual([]);
  });
});

describe('a tree that never ends (W1)', () => {
  const Work = component('Work', { work: async () => 'made' });
  const Waits = component('Waits', { handle: async (self) => self.end() });
  const Shelf = component('Shelf', { deploys: () => compound({ a: forever, b: eventQueue() }) });
  const why = (description: Description) => {
    const found = endlessness(kindsOf([Work, Waits, Shelf, Daemon]), description);
    return found && `${found.place}: ${found.why}`;
  };

  it.each<[string, Description, string]>([
    ['does nothing', forever, 'DoNothing: it never ends'],
    ['is held by one that waits for it', delay({ action: forever }), 'action: it never ends'],
    ['has no time', during({ time: -1, action: forever }), 'action: it never ends'],
    ['is a step', sequence({ a: delay(), b: Daemon({ line: 'x' }) }), 'b: it stays when its work is done'],
    ['is told to stay', sequence({}, { sfShouldTerminate: false }), 'Sequence: it stays when its work is done'],
    ['is one of many', parallel({ a: delay(), b: forever }), 'b: it never ends'],
    ['is empty', parallel(), 'Parallel: it has no children that could end'],
    ['is a compound of such', Shelf(), 'running/a: it never ends'],
    ['repeats for ever', repeat({ repeat: -1, action: delay() }), 'Repeat: it repeats its action forever'],
    ['undoes at its end', counterAction({ action: delay() }), 'CounterAction: it stays until it is terminated'],
    ['acts at its end', finallyDo({ action: delay() }), 'Finally: it waits until it is terminated'],
    ['goes on with one', tryThen({ action: delay(), normal: forever }), 'normal: it never ends'],
    ['handles many', onEvent({ singleEvent: false }), 'OnEvent: it handles one event after the other'],
    ['keeps events', eventQueue(), 'EventQueue: it keeps events until it is terminated'],
    ['is asked', isTrue(), 'Value: it is a condition: it is evaluated and ended by another component'],
    ['lives', livenessTest({ condition: isTrue() }), 'LivenessTest: it stays as long as its condition holds'],
    ['tests for ever', testCompound({ action: delay(), tests: forever }), 'tests: it never ends'],
    ['chooses between such', ifThen({ condition: isTrue(), then: forever, else: forever }), 'then: it never ends'],
    ['works and stays', Work(), 'Work: it stays when its work is done'],
  ])('%s', (_, description, expected) => {
    expect(why(description)).toBe(expected);
  });

  it.each<[string, Description]>([
    ['a sequence', sequence()],
    ['a time', during({ time: '1m', action: forever })],
    ['a time that is not known', during({ time: ref('../t'), action: forever })],
    ['a time-out', timeout({ action: forever })],
    ['a compound of which one ends', compound({ a: forever, b: delay() })],
    ['an event', parallel({ a: eventCounter(), b: onEvent({}), c: Waits() })],
    ['one branch', ifThen({ condition: isTrue(), then: forever })],
    ['retries', retry({ retry: 'forever', action: call(resource.remove, { file: 'x' }) })],
    ['work that ends', Work({ sfShouldTerminate: true })],
    ['somebody who ends it', parallel({ a: forever, b: terminator({ kill: ref('../a') }) })],
    ['a deployment of its own', run({ action: forever })],
    ['an unknown one', extend({ kind: 'Nothing', attributes: {}, children: [] }, {})],
  ])('is not meant where there is %s', (_, description) => {
    expect(why(description)).toBeUndefined();
  });
});
