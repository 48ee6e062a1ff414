/** Scenarios for W, workflow components. */
import { expect } from 'vitest';
import {
  and,
  assertCondition,
  attribute,
  call,
  compound,
  concat,
  counterAction,
  databaseLive,
  databaseOpen,
  delay,
  doNothing,
  during,
  equals,
  evaluateCondition,
  eventCounter,
  eventQueue,
  eventSend,
  fail,
  failAbnormal,
  failingWaitFor,
  fileExists,
  finallyDo,
  hostExists,
  ifThen,
  isFalse,
  isPropertySet,
  isTrue,
  livenessPage,
  not,
  onEvent,
  or,
  parallel,
  randomSequence,
  ref,
  repeat,
  retry,
  run,
  runningFor,
  sequence,
  stringEquals,
  terminator,
  testBlock,
  testCompound,
  timeout,
  tryThen,
  value,
  waitFor,
  xor,
  type Description,
  type Value,
} from '../../src/components/index.js';
import { approvals } from '../entities/order.js';
import { pad, Rig } from '../entities/rig.js';
import type { Plane } from './plane.js';
import type { EndRecord } from '../../src/definition/end-record.js';
import type { CallbackAnswer } from '../../src/protocol/callback.js';
import { scenario } from './scenario.js';

const forever = () => doNothing({ terminationType: 'none' });
const normal = (message: string) => fail({ message, normal: true });
const send = (event: string, ...to: readonly string[]) => eventSend({ event, sendTo: to.map((each) => ref(each)) });
/** One second: a small service has no shorter timers, so only the order of what is seconds apart is certain. */
const SECOND = 1_000;

type Note = (text: Value) => Description;
type Tree = (note: Note) => Description;

const noter =
  (key: string): Note =>
  (text) =>
    call(pad.note, { on: key, text: text as never });

/** Runs a tree to its end, as what a state deploys. Gives the record of its end, and what was noted. */
async function deployed(plane: Plane, key: string, tree: Tree) {
  await plane.create(Rig, key, 'deploy', { tree: tree(noter(key)) });
  return over(plane, key);
}

async function over(plane: Plane, key: string) {
  await plane.until(async () => (await plane.read(Rig, key)).state === 'Over');
  const { properties } = await plane.read(Rig, key);
  return { end: properties['end'], notes: plane.notes(key) };
}

/** Runs several trees at the same time. */
async function all<K extends string>(plane: Plane, key: string, trees: Readonly<Record<K, Tree>>) {
  const names = Object.keys(trees) as K[];
  for (const name of names)
    await plane.create(Rig, `${key}-${name}`, 'deploy', { tree: trees[name](noter(`${key}-${name}`)) });
  const ended: Partial<Record<K, Awaited<ReturnType<typeof over>>>> = {};
  for (const name of names) ended[name] = await over(plane, `${key}-${name}`);
  return ended as Record<K, Awaited<ReturnType<typeof over>>>;
}

const abnormal = (description: string) => ({ type: 'abnormal', description });

export const components = [
  scenario(
    'W1',
    'a state deploys a tree, serves events meanwhile, and has ended it when it is left',
    async (plane, key) => {
      const tree = compound({
        undo: counterAction({ action: forever(), counterAction: noter(key)('down') }),
        work: sequence({ up: noter(key)('up'), stay: forever() }),
      });
      await plane.result(await plane.create(Rig, key, 'deploy', { tree }));
      await plane.until(async () => plane.notes(key).includes('up'));
      await plane.result(await plane.raise(Rig, key, 'visit'));
      await plane.result(await plane.raise(Rig, key, 'leave'));
      await plane.until(async () => (await plane.read(Rig, key)).deployments === undefined);
      expect(plane.notes(key)).toEqual(['up', 'down']);
      expect((await plane.read(Rig, key)).properties).toMatchObject({ visits: 1 });
    },
  ),
  scenario(
    'W1',
    'an operation whose tree fails to deploy has failed, and its event hears of it',
    async (plane, key) => {
      const late = delay({ time: ref('../holder/message') });
      const tree = parallel({ holder: doNothing({ message: 'no time' }), late });
      const result = await plane.result(await plane.create(Rig, key, 'deploy', { tree }));
      const { end } = await over(plane, key);
      expect(end).toMatchObject({ type: 'abnormal', undeployed: true });
      const { description } = end as EndRecord;
      const error = { code: 'undeployed', message: `'tree' has failed to deploy: ${description}` };
      expect(result).toMatchObject({ outcome: 'failed', errors: [expect.objectContaining(error)] });
    },
  ),
  scenario('W1', 'an action runs a tree and gets the record of its end', async (plane, key) => {
    const tree = sequence({ a: noter(key)('a'), b: noter(key)('b'), c: fail({ message: 'no' }) });
    await plane.create(Rig, key, 'act', { tree });
    expect(await over(plane, key)).toEqual({
      end: { ...abnormal('no'), component: 'c' },
      notes: ['a', 'b'],
    });
  }),
  scenario('A7', 'an action whose components ask outside goes on with the answer', async (plane, key) => {
    const asked = async (n: string, answer: CallbackAnswer) => {
      const tree = sequence({ ask: call(approvals.ask, { amount: 5 }), note: noter(key)(ref('../ask/output/by')) });
      await plane.create(Rig, `${key}-${n}`, 'act', { tree });
      await plane.until(async () => (await plane.read(Rig, `${key}-${n}`)).running?.awaits !== undefined);
      await plane.forget(Rig, `${key}-${n}`);
      await plane.answer(Rig, `${key}-${n}`, approvals.ask, answer);
      return over(plane, `${key}-${n}`);
    };
    const approved = await asked('yes', { output: { by: 'ann' } });
    expect(approved.end).toMatchObject({ type: 'normal' });
    expect(plane.notes(key)).toEqual(['ann']);
    const refused = await asked('no', { error: { code: 'refused', message: 'too dear' } });
    expect(refused.end).toMatchObject({ type: 'abnormal', description: expect.stringContaining('too dear') });
  }),
  scenario('W1', 'sequences end with the first that does not end normally, or when all is done', async (plane, key) => {
    const { whole, cut, empty } = await all(plane, key, {
      whole: (note) => sequence({ b: note('b'), a: note('a') }),
      cut: (note) =>
        sequence({ a: note('a'), odd: doNothing({ time: 1, terminationType: 'odd', message: 'so' }), b: note('b') }),
      empty: () => sequence(),
    });
    expect(whole).toMatchObject({ end: { type: 'normal' }, notes: ['b', 'a'] });
    expect(cut).toEqual({ end: { type: 'odd', description: 'so', component: 'odd' }, notes: ['a'] });
    expect(empty.end).toMatchObject({ type: 'normal', description: 'it is empty' });
  }),
  scenario('W1', 'parallels wait for all; compounds for the first; both end the others', async (plane, key) => {
    const { both, stops, ignores, first } = await all(plane, key, {
      both: (note) => sequence({ all: parallel({ a: note('x'), b: note('x') }), after: note('after') }),
      stops: () => parallel({ a: forever(), b: fail({ message: 'no' }) }),
      ignores: (note) => parallel({ a: failAbnormal(), b: note('b') }, { terminateOnAbnormalChildTermination: false }),
      first: () => compound({ a: forever(), b: doNothing({ time: SECOND }), c: forever() }),
    });
    expect(both).toMatchObject({ end: { type: 'normal' }, notes: ['x', 'x', 'after'] });
    expect(stops.end).toEqual({ ...abnormal('no'), component: 'b' });
    expect(ignores).toMatchObject({ end: { type: 'normal' }, notes: ['b'] });
    expect(first.end).toMatchObject({ type: 'normal', component: 'b' });
  }),
  scenario('W1', 'a random sequence has the order of java.util.Random', async (plane, key) => {
    const { notes } = await deployed(plane, key, (note) =>
      randomSequence(Object.fromEntries([...'abcdefghi'].map((name) => [name, note(name)]))),
    );
    expect(notes.join('')).toBe('acidghfbe');
  }),
  scenario('W1', 'repeat, retry, and a call that fails for a time', async (plane, key) => {
    plane.fail(`${key}-again`, 2);
    const { often, again, enough } = await all(plane, key, {
      often: (note) => repeat({ repeat: 3, action: note('x') }),
      again: (note) => retry({ retry: 5, action: note('x') }),
      enough: (note) => retry({ action: sequence({ a: note('x'), b: fail({ message: 'no' }) }) }),
    });
    expect(often).toMatchObject({ end: { type: 'normal', component: 'running' }, notes: ['x', 'x', 'x'] });
    expect(again).toMatchObject({ end: { type: 'normal', component: 'running_2' }, notes: ['x'] });
    expect(enough).toMatchObject({ end: { ...abnormal('no'), component: 'running_1/b' }, notes: ['x', 'x'] });
  }),
  scenario('W1', 'delay, during and timeout', async (plane, key) => {
    const ended = await all(plane, key, {
      delay: (note) => delay({ time: SECOND, action: note('late') }),
      during: (note) => sequence({ a: during({ time: SECOND, action: forever() }), b: note('b') }),
      early: () => during({ time: '1h', action: fail({ message: 'no' }) }),
      late: () => timeout({ time: SECOND, action: forever() }),
      intime: () => timeout({ time: '1h', action: normal('in time') }),
    });
    expect(ended.delay).toMatchObject({ end: { type: 'normal' }, notes: ['late'] });
    expect(ended.during).toMatchObject({ end: { type: 'normal' }, notes: ['b'] });
    expect(ended.early.end).toMatchObject(abnormal('no'));
    expect(ended.late.end).toMatchObject({ type: 'abnormal' });
    expect(ended.intime.end).toMatchObject({ type: 'normal', description: 'in time' });
  }),
  scenario('W1', 'try goes on by the type of the end', async (plane, key) => {
    const goesOn = (note: Note) => ({ normal: note('n'), abnormal: note('a'), rollback: note('r') });
    const ended = await all(plane, key, {
      normal: (note) => tryThen({ action: normal('x'), ...goesOn(note) }),
      abnormal: (note) => tryThen({ action: fail(), ...goesOn(note) }),
      rollback: (note) => tryThen({ action: doNothing({ time: 1, terminationType: 'rollback' }), ...goesOn(note) }),
      passes: () => tryThen({ action: fail({ message: 'no' }) }),
    });
    expect([ended.normal, ended.abnormal, ended.rollback].map(({ notes }) => notes[0])).toEqual(['n', 'a', 'r']);
    expect(ended.passes.end).toMatchObject({ ...abnormal('no'), component: 'running' });
  }),
  scenario('W1', 'finally and counteractions clean up, whatever the end', async (plane, key) => {
    const { last, undone, logged } = await all(plane, key, {
      last: (note) =>
        compound({ end: finallyDo({ action: note('removed') }), work: sequence({ a: note('made'), b: fail() }) }),
      undone: (note) =>
        compound({
          a: counterAction({ action: forever(), counterAction: note('dropped') }),
          b: delay({ time: SECOND }),
        }),
      logged: () =>
        compound({ a: counterAction({ action: forever(), counterAction: fail() }), b: delay({ time: SECOND }) }),
    });
    expect(last).toMatchObject({ end: { type: 'abnormal' }, notes: ['made', 'removed'] });
    expect(undone).toMatchObject({ end: { type: 'normal' }, notes: ['dropped'] });
    expect(logged.end).toMatchObject({ type: 'normal' });
  }),
  scenario(
    'W1',
    'a test block records how its action has ended; outputs are read by references',
    async (plane, key) => {
      const outcome =
        (action: Description): Tree =>
        (note) => {
          const tell = note(ref('../running/outcome'));
          return tryThen({ action: testBlock({ action, timeout: SECOND }), normal: tell, abnormal: tell });
        };
      const ended = await all(plane, key, {
        well: outcome(normal('x')),
        badly: outcome(fail()),
        late: outcome(forever()),
        output: (note) => sequence({ a: note('made'), b: note(concat('it is ', ref('../a/output/text'))) }),
      });
      expect([ended.well, ended.badly, ended.late].map(({ notes }) => notes[0])).toEqual([
        'normal',
        'abnormal',
        'timed out',
      ]);
      expect(ended.output.notes).toEqual(['made', 'it is made']);
    },
  ),
  scenario('W2', 'handlers of events, with otherwise, once or until one ends abnormally', async (plane, key) => {
    const sent =
      (handlers: Description, ...events: readonly string[]): Tree =>
      () =>
        compound({
          on: handlers,
          source: sequence({
            wait: delay({ time: SECOND }),
            ...Object.fromEntries(events.map((event, n) => [`send${n}`, send(event, '../../on')])),
            stay: forever(),
          }),
        });
    const handlers = { open: normal('opened'), shut: fail({ message: 'shut' }) };
    const ended = await all(plane, key, {
      one: sent(onEvent(handlers), 'unknown', 'open', 'shut'),
      other: sent(onEvent({ ...handlers, otherwise: normal('else') }), 'unknown'),
      many: sent(onEvent({ ...handlers, singleEvent: false }), 'open', 'open', 'shut'),
    });
    expect(ended.one.end).toMatchObject({ type: 'normal', description: 'opened', component: 'on/open_0' });
    expect(ended.other.end).toMatchObject({ description: 'else', component: 'on/otherwise_0' });
    expect(ended.many.end).toMatchObject({ ...abnormal('shut'), component: 'on/shut_2' });
  }),
  scenario('W2', 'counters, queues that replay, and forwarding from either side', async (plane, key) => {
    const ended = await all(plane, key, {
      counts: (note) =>
        sequence({
          all: parallel({
            counts: eventCounter({ count: 2 }),
            source: sequence({
              a: send('x', '../../counts'),
              b: send('x', '../../counts'),
              c: send('y', '../../counts'),
            }),
          }),
          tell: note('two kinds'),
        }),
      queues: (note) =>
        compound({
          queue: eventQueue(),
          source: sequence({ a: send('kept', '../../queue'), stay: forever() }),
          late: delay({
            time: SECOND,
            action: sequence({ on: onEvent({ kept: note('kept'), registerWith: [ref('../../../queue')] }) }),
          }),
        }),
      forwards: (note) =>
        compound({
          hub: doNothing({ terminationType: 'none', sendTo: [ref('../one')] }),
          one: forever(),
          two: onEvent({ go: note('two'), registerWith: [ref('../hub')] }),
          source: sequence({ wait: delay({ time: SECOND }), a: send('go', '../../hub'), stay: forever() }),
        }),
    });
    expect(ended.counts).toMatchObject({ end: { type: 'normal' }, notes: ['two kinds'] });
    expect(ended.queues).toMatchObject({ end: { type: 'normal' }, notes: ['kept'] });
    expect(ended.forwards).toMatchObject({ end: { type: 'normal', component: 'two/go_0' }, notes: ['two'] });
  }),
  scenario('W3', 'conditions of values, texts and others', async (plane, key) => {
    const hold: Readonly<Record<string, Description>> = {
      isTrue: isTrue(),
      value: value({ value: true }),
      equals: equals({ left: { a: [1], b: 2 }, right: { b: 2, a: [1] } }),
      stringEquals: stringEquals({ left: '1', right: 1 }),
      not: not({ condition: isFalse() }),
      and: and({ a: isTrue(), b: isTrue() }),
      emptyAnd: and(),
      or: or({ a: isFalse(), b: isTrue() }),
      xor: xor({ a: isTrue(), b: isFalse() }),
      asserted: assertCondition({ isTrue: true, isFalse: false, left: 1, right: 1 }),
      running: runningFor(),
      nested: not({ condition: and({ a: or({ b: isFalse() }), c: isTrue() }) }),
    };
    const fails: Readonly<Record<string, Description>> = {
      isFalse: isFalse(),
      types: equals({ left: '1', right: 1 }),
      case: stringEquals({ left: 'a', right: 'A' }),
      emptyOr: or(),
      two: xor({ a: isTrue(), b: isTrue() }),
      wrong: assertCondition({ isTrue: true, left: 1, right: 2 }),
      long: runningFor({ days: 1 }),
    };
    const { notes } = await deployed(plane, key, (note) =>
      sequence(
        Object.fromEntries(
          Object.entries({ ...hold, ...fails }).map(([name, condition]) => [
            name,
            ifThen({ condition, then: note(`${name} holds`), else: note(`${name} fails`) }),
          ]),
        ),
      ),
    );
    expect(notes).toEqual([
      ...Object.keys(hold).map((name) => `${name} holds`),
      ...Object.keys(fails).map((name) => `${name} fails`),
    ]);
  }),
  scenario(
    'W3',
    'conditions of the world are asked anew each time; what cannot be asked is a failure',
    async (plane, key) => {
      const on = `${key}-there`;
      const there: Readonly<Record<string, Description>> = {
        page: livenessPage({ url: on }),
        file: fileExists({ file: on }),
        host: hostExists({ hostname: on }),
        open: databaseOpen({ url: on }),
        live: databaseLive({ url: on }),
        set: isPropertySet({ property: on }),
      };
      plane.absent(`${key}-soon`, 2);
      const ended = await all(plane, key, {
        there: (note) =>
          sequence(
            Object.fromEntries(
              Object.entries(there).map(([name, condition]) => [
                name,
                ifThen({ condition, then: note(name), else: fail() }),
              ]),
            ),
          ),
        soon: (note) => waitFor({ condition: hostExists({ hostname: `${key}-soon` }), then: note('there') }),
        broken: () => ifThen({ condition: not({ condition: hostExists({ hostname: 'broken' }) }), else: normal('no') }),
      });
      expect(ended.there).toMatchObject({ end: { type: 'normal' }, notes: Object.keys(there) });
      expect(ended.soon).toMatchObject({ end: { type: 'normal' }, notes: ['there'] });
      expect(ended.broken.end).toMatchObject({
        type: 'abnormal',
        description: expect.stringMatching(/^its condition failed: /),
      });
    },
  ),
  scenario('W3', 'waiting for, evaluating and testing by conditions', async (plane, key) => {
    const ended = await all(plane, key, {
      waits: (note) => waitFor({ condition: runningFor({ seconds: 2 }), then: note('ready') }),
      late: (note) => waitFor({ condition: isFalse(), timeout: SECOND, else: note('late') }),
      fails: () => failingWaitFor({ condition: isFalse(), timeout: 0, message: 'no database' }),
      evaluates: (note) =>
        sequence({
          ask: evaluateCondition({ condition: isFalse(), failOnFalse: false }),
          tell: ifThen({ condition: value({ value: ref('../../ask/result') }), else: note('false') }),
        }),
      refuses: () => evaluateCondition({ condition: isFalse(), message: 'not so' }),
      tests: (note) =>
        testCompound({ action: forever(), condition: runningFor({ seconds: 1 }), tests: note('tested') }),
      early: () => testCompound({ action: doNothing({ time: 1 }), tests: forever() }),
    });
    expect(ended.waits).toMatchObject({ end: { type: 'normal' }, notes: ['ready'] });
    expect(ended.late).toMatchObject({ end: { type: 'normal' }, notes: ['late'] });
    expect(ended.fails.end).toMatchObject(abnormal('no database'));
    expect(ended.evaluates).toMatchObject({ end: { type: 'normal' }, notes: ['false'] });
    expect(ended.refuses.end).toMatchObject(abnormal('not so'));
    expect(ended.tests).toMatchObject({ end: { type: 'normal' }, notes: ['tested'] });
    expect(ended.early.end).toMatchObject(abnormal('its action has ended before its tests'));
  }),
  scenario('W4', 'attributes are set and removed while the tree runs', async (plane, key) => {
    const ended = await all(plane, key, {
      sets: (note) =>
        sequence({
          holder: doNothing({ time: 0, message: 'old' }),
          set: attribute({ component: ref('../holder'), name: 'message', value: 'new' }),
          tell: note(concat('it is ', ref('../holder/message'))),
        }),
      removes: (note) =>
        sequence({
          holder: doNothing({ time: 0, message: 'held' }),
          remove: attribute({ component: ref('../holder'), name: 'message' }),
          tell: note(concat('', ref('../holder/message'))),
        }),
    });
    expect(ended.removes.end).toMatchObject({ type: 'abnormal', description: expect.stringMatching(/leads nowhere/) });
    expect(ended.sets.notes).toEqual(['it is new']);
  }),
  scenario('W4', 'a terminator ends others and then itself, also without a word to the parent', async (plane, key) => {
    const ended = await all(plane, key, {
      other: () => parallel({ a: forever(), b: delay({ time: SECOND, action: terminator({ kill: ref('../../a') }) }) }),
      typed: () =>
        compound({
          a: forever(),
          b: sequence({
            wait: delay({ time: SECOND }),
            kill: terminator({ kill: ref('../../a'), type: 'odd', description: 'enough' }),
          }),
        }),
      alone: () => parallel({ a: doNothing({ time: SECOND }), b: terminator() }),
    });
    expect(ended.other.end).toMatchObject({ type: 'normal' });
    expect(ended.typed.end).toMatchObject({ type: 'odd', description: 'enough' });
    expect(ended.alone.end).toMatchObject({ type: 'normal' });
  }),
  scenario('W4', 'run makes its action the child of another, which waits for it', async (plane, key) => {
    const { notes } = await deployed(plane, key, (note) =>
      sequence({
        both: parallel({
          shelf: parallel({ a: doNothing({ time: 2 * SECOND }) }),
          start: run({
            action: sequence({ wait: delay({ time: 4 * SECOND }), tell: note('as a child') }),
            parent: ref('../shelf'),
            asName: 'b',
          }),
        }),
        after: note('after'),
      }),
    );
    expect(notes).toEqual(['as a child', 'after']);
  }),
  scenario('W4', 'run on its own ends as what it runs has come up, or has not', async (plane, key) => {
    const alone = (note: Note, asName: string, action: Description) =>
      tryThen({ action: run({ action, asName: `${key}-${asName}` }), normal: note('up'), abnormal: note('not up') });
    const inside = (holds: Description) => compound({ a: sequence({ b: evaluateCondition({ condition: holds }) }) });
    const ended = await all(plane, key, {
      up: (note) => alone(note, 'up', inside(isTrue())),
      broken: (note) => alone(note, 'broken', inside(isFalse())),
      taken: (note) =>
        sequence({
          first: alone(note, 'taken', doNothing({ time: 60 * SECOND })),
          again: alone(note, 'taken', forever()),
        }),
    });
    expect(ended.up.notes).toEqual(['up']);
    expect(ended.broken.notes).toEqual(['not up']);
    expect(ended.taken.notes).toEqual(['up', 'not up']);
  }),
  scenario(
    'W5',
    'the multi-host example: four nodes run, the rogue one is tried again and reported',
    async (plane, key) => {
      const application = (note: Note, name: string) =>
        sequence({
          copy: note(`${name} copied`),
          run: during({ time: 10 * SECOND, action: forever() }),
          remove: note(`${name} removed`),
        });
      const reliable = (note: Note, name: string, action: Description) =>
        tryThen({ action: retry({ retries: 1, action }), abnormal: note(`${name} has a problem`) });
      const { end, notes } = await deployed(plane, key, (note) => {
        const apps = (name: string) => ({
          webs: application(note, `${name} web`),
          apps: application(note, `${name} app`),
        });
        const failure = doNothing({ terminationType: 'abnormal', time: 4 * SECOND });
        const node = (name: string) =>
          sequence({ apps: parallel(apps(name)), completed: send(`${name} is completed`, '../../../../completion') });
        return parallel({
          completion: eventCounter({ count: 4 }),
          ...Object.fromEntries(['h1', 'h2', 'h3', 'h4'].map((name) => [name, reliable(note, name, node(name))])),
          rh: reliable(
            note,
            'rogue',
            sequence({ begin: note('rogue begins'), node: parallel({ ...apps('rogue'), failure }) }),
          ),
        });
      });
      expect(end).toMatchObject({ type: 'normal' });
      const of = (name: string) => notes.filter((line) => line.startsWith(name)).sort();
      for (const name of ['h1', 'h2', 'h3', 'h4'])
        expect(of(name)).toEqual([
          `${name} app copied`,
          `${name} app removed`,
          `${name} web copied`,
          `${name} web removed`,
        ]);
      // Its copies may take longer than it lives, where a worker is lost.
      expect(of('rogue').filter((line) => !line.endsWith('copied'))).toEqual([
        ...['rogue begins', 'rogue begins', 'rogue has a problem'],
      ]);
    },
  ),
];
