import { describe, expect, it } from 'vitest';
import {
  compound,
  delay,
  doNothing,
  eventCounter,
  eventQueue,
  eventSend,
  fail,
  onEvent,
  parallel,
  ref,
  repeat,
  sequence,
} from '../../src/components/index.js';
import { Trial, trial } from './trial.js';

const forever = doNothing({ terminationType: 'none' });
const normal = (message: string) => fail({ message, normal: true });
const send = (event: string, ...to: readonly string[]) => eventSend({ event, sendTo: to.map((each) => ref(each)) });

describe('paths of events (W2)', () => {
  it('go from either side, in the order of registration', async () => {
    const held = { terminationType: 'none' } as const;
    const tree = compound({
      late: doNothing({ ...held, registerWith: [ref('../source')] }),
      source: doNothing({ ...held, sendTo: [ref('../first'), ref('../second')] }),
      second: forever,
      first: forever,
      later: doNothing({ ...held, registerWith: [ref('../source')] }),
    });
    const ran = await new Trial(tree).run(0);
    await ran.tell({ kind: 'event', path: 'source', event: 'e' });
    expect(ran.seen('event')).toEqual(
      ['source', 'first', 'second', 'late', 'later'].map((name) => `0 ${name}: event "e"`),
    );
  });

  it('reach each component once over several paths, and end in a circle', async () => {
    const held = { terminationType: 'none' } as const;
    const tree = compound({
      a: doNothing({ ...held, sendTo: [ref('../b'), ref('../c')] }),
      b: doNothing({ ...held, sendTo: [ref('../d')] }),
      c: doNothing({ ...held, sendTo: [ref('../d'), ref('../a')] }),
      d: doNothing({ ...held, sendTo: [ref('../a')] }),
    });
    const ran = await new Trial(tree).run(0);
    await ran.tell({ kind: 'event', path: 'a', event: { any: ['value', 1, null] } });
    expect(ran.seen('event')).toEqual(['a', 'b', 'd', 'c'].map((name) => `0 ${name}: event {"any":["value",1,null]}`));
  });

  it('lead through every container, unfiltered', async () => {
    const tree = compound({
      outer: parallel({ x: forever }, { sendTo: [ref('../last')] }),
      last: doNothing({ terminationType: 'none', registerWith: [ref('../outer')] }),
    });
    const ran = await new Trial(tree).run(0);
    await ran.tell({ kind: 'event', path: 'outer', event: 'e' });
    expect(ran.seen('event')).toEqual(['0 last: event "e"']);
  });

  it('lose an event for which nobody is there', async () => {
    const ran = await trial(sequence({ send: send('go', '../wait'), wait: eventCounter() }));
    expect(ran.end).toBeUndefined();
    expect(ran.seen('lost')).toHaveLength(1);
  });

  it('keep an event for a component that is deployed until it is up', async () => {
    const tree = parallel({ send: send('go', '../wait'), wait: eventCounter() });
    expect((await trial(tree)).end?.type).toBe('normal');
  });

  it('lead to other deployments and back, each component being reached once', async () => {
    const tree = compound({ a: doNothing({ terminationType: 'none', sendTo: [ref('/deployment/other/b')] }) });
    const ran = await new Trial(tree).run(0);
    await ran.tell({ kind: 'event', path: 'a', event: 'e' });
    const sent = ran.effects.filter((effect) => effect.kind === 'send');
    expect(sent).toEqual([
      {
        kind: 'send',
        to: '/deployment/other/b',
        event: 'e',
        passed: [expect.stringMatching(/^deployment\/test#\d+$/)],
      },
    ]);
    await ran.tell({ kind: 'event', path: 'a', event: 'e', passed: sent[0]!.passed });
    expect(ran.seen('event')).toHaveLength(1);
  });

  it('are registered with other deployments, and by them', async () => {
    const tree = compound({ a: doNothing({ terminationType: 'none', registerWith: [ref('/deployment/other/b')] }) });
    const ran = await new Trial(tree).run(0);
    expect(ran.effects.filter(({ kind }) => kind === 'register')).toEqual([
      { kind: 'register', at: '/deployment/other/b', listener: '/deployment/test/a' },
    ]);
    await ran.tell({ kind: 'register', path: 'a', listener: '/deployment/third/c' });
    await ran.tell({ kind: 'event', path: 'a', event: 'e' });
    expect(ran.effects.find(({ kind }) => kind === 'send')).toMatchObject({ to: '/deployment/third/c' });
  });
});

describe('an event counter (W2)', () => {
  it.each([
    [{}, ['a'], true],
    [{ count: 2 }, ['a', 'a'], false],
    [{ count: 2 }, ['a', 'b', 'a'], true],
    [{ count: 3 }, ['a', 'b', 'a'], false],
    [{ count: 2, allDifferent: false }, ['a', 'a'], true],
    [{ count: 0 }, [], true],
  ])('with %j ends after %j: %j', async (attributes, events, ends) => {
    const ran = await new Trial(eventCounter(attributes)).run();
    for (const event of events) await ran.tell({ kind: 'event', path: '', event });
    expect(ran.end?.type).toBe(ends ? 'normal' : undefined);
  });

  it('takes equal values for the same event, whatever the order of their members', async () => {
    const ran = await new Trial(eventCounter({ count: 2 })).run();
    await ran.tell({ kind: 'event', path: '', event: { a: 1, b: 2 } });
    await ran.tell({ kind: 'event', path: '', event: { b: 2, a: 1 } });
    expect(ran.end).toBeUndefined();
  });
});

describe('an event queue (W2)', () => {
  const listener = (name: string) =>
    doNothing({ terminationType: 'none', message: name, registerWith: [ref('../../queue')] });

  it('gives what it has got, in order, also to those that register later', async () => {
    const tree = parallel({
      queue: eventQueue(),
      sends: sequence({ one: send('1', '../queue'), two: send('2', '../queue') }),
      late: delay({ time: 5, action: listener('late') }),
    });
    const ran = await new Trial(tree).run(10);
    await ran.tell({ kind: 'event', path: 'queue', event: '3' });
    await ran.go(20);
    expect(ran.seen('event')).toEqual([
      '5 late/running: event "1"',
      '5 late/running: event "2"',
      '10 late/running: event "3"',
    ]);
  });

  it('forwards in a later step', async () => {
    const ran = await new Trial(compound({ queue: eventQueue({ sendTo: [ref('../to')] }), to: forever })).run(0);
    await ran.tell({ kind: 'event', path: 'queue', event: 'e' });
    expect(ran.seen('event')).toEqual([]);
    await ran.go(0);
    expect(ran.seen('event')).toEqual(['0 to: event "e"']);
  });

  it('keeps up to its limit', async () => {
    const tree = parallel({ queue: eventQueue({ limit: 2 }), late: delay({ time: 5, action: listener('late') }) });
    const ran = await new Trial(tree).run(1);
    for (const event of ['1', '2', '3']) await ran.tell({ kind: 'event', path: 'queue', event });
    await ran.go(9);
    expect(ran.seen('event')).toEqual(['5 late/running: event "2"', '5 late/running: event "3"']);
  });

  it('gives an event once to whom it comes over another path as well, and ends in a circle', async () => {
    const tree = compound({
      a: doNothing({ terminationType: 'none', sendTo: [ref('../queue'), ref('../b')] }),
      queue: eventQueue({ sendTo: [ref('../b')] }),
      b: doNothing({ terminationType: 'none', sendTo: [ref('../a'), ref('../queue')] }),
    });
    const ran = await new Trial(tree).run(0);
    await ran.tell({ kind: 'event', path: 'a', event: 'e' });
    await ran.go(0);
    expect(ran.seen('event')).toEqual(['0 a: event "e"', '0 b: event "e"']);
  });
});

describe('an event handler (W2)', () => {
  const handlers = { open: normal('opened'), shut: fail({ message: 'shut' }) };

  it('ends as the handler of the first event that has one', async () => {
    const ran = await new Trial(onEvent(handlers)).run();
    for (const event of ['unknown', 'singleEvent', 7, 'open', 'shut'])
      await ran.tell({ kind: 'event', path: '', event });
    expect(ran.end).toEqual({ type: 'normal', description: 'opened', component: 'open_0' });
  });

  it('takes otherwise where no handler has the name of the event', async () => {
    const ran = await new Trial(onEvent({ ...handlers, otherwise: normal('else') })).run();
    await ran.tell({ kind: 'event', path: '', event: { open: true } });
    expect(ran.end).toMatchObject({ description: 'else', component: 'otherwise_0' });
  });

  it('with singleEvent false handles each event, until a handler ends abnormally', async () => {
    const ran = await new Trial(onEvent({ ...handlers, singleEvent: false })).run();
    for (const event of ['open', 'open', 'unknown', 'shut']) await ran.tell({ kind: 'event', path: '', event });
    expect(ran.seen(': up')).toEqual(['0 /: up', '0 open_0: up', '0 open_1: up', '0 shut_2: up']);
    expect(ran.end).toMatchObject({ type: 'abnormal', component: 'shut_2' });
  });
});

describe('sending an event (W2)', () => {
  it('happens in its start, and ends it', async () => {
    const tree = parallel({
      counts: eventCounter({ count: 2, allDifferent: false }),
      a: repeat({ repeat: 2, action: send('e', '../../counts') }),
    });
    const ran = await trial(tree);
    expect(ran.end?.type).toBe('normal');
  });
});
