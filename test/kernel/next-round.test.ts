import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { any, defineEntity, initial, terminal, unstable } from '../../src/definition/index.js';
import {
  keptNames,
  noteAnswered,
  noteAsked,
  outdated,
  refuseOtherInput,
  StableNames,
  type Named,
} from '../../src/kernel/ledger/stable-names.js';
import { valueFingerprint } from '../../src/protocol/fingerprint.js';
import { ActionScope, type ScopeHost } from '../../src/kernel/author/action-scope.js';
import { RETRY_EVENT } from '../../src/protocol/names.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Puppet } from '../support/entities.js';

const SECOND = 1_000;

/** It polls in one state, and begins in another one that it does not go to again. */
const Poll = defineEntity('Poll', {
  key: z.string(),
  properties: z.object({}),
  states: {
    New: initial(),
    Asking: unstable({ retry: { attempts: 2, delay: '5s' }, deadline: { after: '1m', raise: 'late' } }),
    Ending: unstable(),
    Done: terminal(),
  },
  events: { start: { in: 'New' }, late: { in: 'Asking', internal: true }, seen: { in: 'Asking', stays: true } },
  actions: {
    start: { on: 'start', in: 'New', to: 'Asking' },
    ask: { in: 'Asking', to: ['Asking', 'Ending'] },
    seen: { on: 'seen', in: 'Asking', to: 'Done' },
    late: { on: 'late', in: 'Asking', to: 'Done' },
    finish: { in: 'Ending', to: 'Done' },
  },
  subscriptions: { seen: { when: any({ is: 'failed' }), raise: 'seen' } },
});

function asking(): Puppet {
  const poll = new Puppet(Poll);
  poll.raise('start');
  poll.end('Asking');
  poll.startAutomatic();
  return poll;
}

const nextRound = (poll: Puppet, waitMs?: number) =>
  poll.end('Asking', { nextRound: true, ...(waitMs !== undefined && { waitMs }) });

/** The snapshot after a call that was answered. */
function called(snapshot: Snapshot, input: unknown, place = 1): Snapshot {
  const named = callAt(input, place);
  return noteAnswered(noteAsked(snapshot, named), named);
}

const callAt = (input: unknown, place = 1): Named => ({
  name: `1/ask/shop.buy/${place}`,
  print: valueFingerprint(input),
});

const refuse =
  (poll: Puppet, input: unknown, place = 1) =>
  () =>
    refuseOtherInput(poll.snapshot, callAt(input, place), 'shop.buy', `Poll/k#life-1/1/ask/shop.buy/${place}`);

describe('a next round of an automatic action (S3.4, S3.5, transition.4)', () => {
  it('has other names for its calls, and attempts of its own', () => {
    const poll = asking();
    const { entry, version } = poll.snapshot;
    for (const round of [1, 2, 3]) {
      poll.throws('busy');
      poll.pass();
      poll.startAutomatic();
      expect(poll.snapshot).toMatchObject({ attempt: 2, entry: entry + round - 1 });
      nextRound(poll);
      expect(poll.snapshot).toMatchObject({ state: 'Asking', attempt: 0, entry: entry + round, exhausted: false });
      expect(poll.snapshot).not.toHaveProperty('lastError');
      expect(poll.snapshot.version).toBe(version + 2 * round);
      poll.pass();
      poll.startAutomatic();
    }
  });

  it('begins after the delay of a first retry, or after the wait that it asks for', () => {
    const poll = asking();
    nextRound(poll);
    expect(poll.snapshot.nextAttemptAt).toBe(poll.now + 5 * SECOND);
    poll.pass();
    poll.startAutomatic();
    nextRound(poll, 20);
    expect(poll.snapshot.nextAttemptAt).toBe(poll.now + 20);
  });

  it('does not leave the state: its deadline goes on, its matches stay used, and its addresses stay open', () => {
    const poll = asking();
    const { enteredAt } = poll.snapshot;
    const address = { event: 'seen', madeAt: poll.now, open: false };
    const addresses = [
      { ...address, id: 'a', until: poll.now + 60 * SECOND },
      { ...address, id: 'b', until: poll.now + SECOND },
    ];
    poll.snapshot = { ...poll.snapshot, used: ['seen'], addresses };
    poll.now += 2 * SECOND;
    nextRound(poll);
    expect(poll.snapshot).toMatchObject({ enteredAt, used: ['seen'], addresses: [{ id: 'a', open: true }] });
    expect(poll.snapshot.addresses).toHaveLength(1);
    poll.now = enteredAt + 60 * SECOND;
    poll.startTimer();
    expect(poll.snapshot.running).toMatchObject({ action: 'late' });
  });

  it('closes the questions of the round before, and forgets its rejected raises', () => {
    const poll = asking();
    poll.snapshot = { ...poll.snapshot, callbacks: [{ id: 'q' } as never], rejectedRaises: ['r'] };
    nextRound(poll);
    expect(poll.snapshot).not.toHaveProperty('callbacks');
    expect(poll.snapshot).not.toHaveProperty('rejectedRaises');
  });

  it('is refused where its own state is not among its targets', () => {
    const poll = asking();
    poll.end('Ending');
    poll.startAutomatic();
    poll.end('Ending', { nextRound: true });
    expect(poll.snapshot).toMatchObject({ state: 'Ending', lastError: { code: 'undeclared_target' } });
  });

  it('is for automatic actions alone', () => {
    const poll = new Puppet(Poll);
    poll.raise('start');
    const host = { now: () => poll.now, snapshot: () => poll.snapshot } as unknown as ScopeHost;
    const next = new ActionScope(Poll, host).context.nextRound as () => unknown;
    expect(next).toThrow("The action 'start' of Poll has no next round, since an event starts it. Use goTo.");
  });
});

describe('a key that was answered (S3.4, stable-names.2)', () => {
  it('stands for the same input in another attempt, however that began', () => {
    for (const again of [(poll: Puppet) => poll.throws('busy'), (poll: Puppet) => poll.end('Asking')]) {
      const poll = asking();
      poll.snapshot = called(poll.snapshot, { what: 'tea', for: 1 });
      again(poll);
      poll.pass();
      poll.startAutomatic();
      expect(refuse(poll, { for: 1, what: 'tea' })).not.toThrow();
      expect(refuse(poll, { what: 'milk' }, 2)).not.toThrow();
      expect(refuse(poll, { what: 'milk' })).toThrow(
        "The action 'ask' of Poll/k calls shop.buy under the key Poll/k#life-1/1/ask/shop.buy/1, which an earlier attempt has used for another input, and was answered.",
      );
    }
  });

  it('stands for what it likes in the next round, and in another entry', () => {
    for (const end of [(poll: Puppet) => nextRound(poll), (poll: Puppet) => poll.end('Ending')]) {
      const poll = asking();
      poll.snapshot = called(poll.snapshot, { what: 'tea' });
      poll.throws('busy');
      poll.pass();
      poll.startAutomatic();
      expect(poll.snapshot).toHaveProperty('asked');
      end(poll);
      expect(poll.snapshot).not.toHaveProperty('asked');
    }
  });

  it('is another one for what an event has changed between two attempts (stable-names.5)', () => {
    const poll = asking();
    poll.snapshot = called(poll.snapshot, { what: 'tea' });
    poll.throws('busy');
    const asked = outdated(poll.snapshot.asked!);
    poll.snapshot = { ...poll.snapshot, asked };
    poll.pass();
    poll.startAutomatic();
    expect(refuse(poll, { what: 'tea' })).not.toThrow();
    // It was answered, and stays so when it is asked for again.
    poll.snapshot = noteAsked(poll.snapshot, callAt({ what: 'tea' }));
    poll.throws('busy');
    expect(Object.values(poll.snapshot.asked!)).toEqual([expect.stringMatching(/!$/)]);
  });

  it('is another one when an operator runs an action again that has failed for this', () => {
    const poll = asking();
    poll.snapshot = called(poll.snapshot, { what: 'tea' });
    poll.throws('key_reused', true);
    const { entry } = poll.snapshot;
    expect(poll.snapshot).toMatchObject({ exhausted: true, asked: expect.anything() as unknown });
    poll.raise(RETRY_EVENT);
    expect(poll.snapshot).toMatchObject({ entry: entry + 1, attempt: 1, running: { action: 'ask' } });
    expect(poll.snapshot).not.toHaveProperty('asked');
  });

  it('is remembered of as many calls as come first (stable-names.4)', () => {
    let { snapshot } = asking();
    for (let place = 1; place <= 1_000; place++) snapshot = called(snapshot, { place }, place);
    const { asked } = keptNames(snapshot);
    expect(Object.keys(asked!)).toHaveLength(256);
    expect(JSON.stringify(asked).length).toBeLessThan(8_500);
    const later = called({ ...snapshot, asked: asked!, running: snapshot.running! }, { place: 'x' }, 5_000);
    expect(Object.keys(keptNames(later).asked!)).toHaveLength(256);
  });
});

describe('the names of what an action asks for (S3.4)', () => {
  /** The names of one attempt, of which the test says what it asks for. */
  const attempt = (earlier?: Record<string, string>) => {
    const names = new StableNames('1/fill', earlier);
    const asked: Record<string, string> = { ...earlier };
    const give = (what: string, content: unknown, isAlone = false, isInline = false) => {
      const { name, print } = names.give(what, content, isAlone, isInline);
      asked[name] ??= print;
      return name;
    };
    return { give, asked };
  };

  it('go with what is asked for, in whatever order answers came (stable-names.1)', () => {
    const first = attempt();
    expect(['a', 'b'].map((disk) => first.give('make', disk))).toEqual(['1/fill/make/1', '1/fill/make/2']);
    expect(['b', 'a'].map((disk) => first.give('attach', disk))).toEqual(['1/fill/attach/3', '1/fill/attach/4']);
    expect(first.give('seal', 'rack', true)).toBe('1/fill/seal/5');
    const other = attempt(first.asked);
    expect(['a', 'b'].map((disk) => other.give('make', disk))).toEqual(['1/fill/make/1', '1/fill/make/2']);
    expect(['a', 'b'].map((disk) => other.give('attach', disk))).toEqual(['1/fill/attach/4', '1/fill/attach/3']);
    expect(other.give('seal', 'rack', true)).toBe('1/fill/seal/5');
  });

  it('of inline calls are made of the content, so that an order of which nothing is kept changes nothing (stable-names.6)', () => {
    const [lost, again] = [attempt(), attempt()];
    const [a, b] = [lost.give('look', 'a', false, true), lost.give('look', 'b', true, true)];
    expect(a).not.toBe(b);
    expect([again.give('look', 'b', false, true), again.give('look', 'a', true, true)]).toEqual([b, a]);
    expect(again.give('look', 'a', false, true)).toBe(`${a}.2`);
    const later = attempt(again.asked);
    expect(['a', 'a', 'b'].map((disk) => later.give('look', disk, false, true))).toEqual([a, `${a}.2`, b]);
  });

  it('count what is asked for twice with the same content (stable-names.1)', () => {
    const first = attempt();
    const names = [1, 2, 3].map(() => first.give('ring', {}));
    expect(new Set(names).size).toBe(3);
    const other = attempt(first.asked);
    expect([1, 2, 3, 4].map(() => other.give('ring', {}))).toEqual([...names, '1/fill/ring/4']);
  });

  it('stand for other content only where no branch may still ask for the first (stable-names.3)', () => {
    const first = attempt();
    ['a', 'b'].forEach((disk) => first.give('make', disk));
    first.give('attach', 'b');
    const besides = attempt(first.asked);
    ['a', 'b'].forEach((disk) => besides.give('make', disk));
    expect(besides.give('attach', 'a')).toBe('1/fill/attach/3.2');
    expect(besides.give('attach', 'b')).toBe('1/fill/attach/3');
    const third = attempt(besides.asked);
    ['a', 'b', 'c'].forEach((disk) => third.give('make', disk));
    expect(third.give('attach', 'a')).toBe('1/fill/attach/3.2');
    const alone = attempt(first.asked);
    ['a', 'b'].forEach((disk) => alone.give('make', disk));
    expect(alone.give('attach', 'c', true)).toBe('1/fill/attach/3');
  });

  it('are others for what is asked otherwise after an event has changed what the entity holds (stable-names.5)', () => {
    const first = attempt();
    expect(['a', 'b'].map((disk) => first.give('make', disk, true))).toEqual(['1/fill/make/1', '1/fill/make/2']);
    const second = attempt(outdated(first.asked));
    expect(['c', 'b'].map((disk) => second.give('make', disk, true))).toEqual(['1/fill/make/1.2', '1/fill/make/2']);
    // Without another change, it is another attempt of the same work.
    const third = attempt({ ...second.asked, '1/fill/make/2': first.asked['1/fill/make/2']! });
    expect(['c', 'd'].map((disk) => third.give('make', disk, true))).toEqual(['1/fill/make/1.2', '1/fill/make/2']);
    expect(attempt(second.asked).give('make', 'd', true)).toBe('1/fill/make/1.2');
    expect(attempt(outdated(second.asked)).give('make', 'd', true)).toBe('1/fill/make/1.3');
  });

  it('are those of the action and the entry that asks (stable-names.1)', () => {
    const first = attempt();
    first.give('make', 'a');
    expect(new StableNames('2/fill', first.asked).give('make', 'b', false).name).toBe('2/fill/make/1');
    expect(new StableNames('1/empty', first.asked).give('make', 'a', false).name).toBe('1/empty/make/1');
  });
});
