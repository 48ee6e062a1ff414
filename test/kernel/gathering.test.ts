import { describe, expect, it } from 'vitest';
import { CallFailed, type CollectFailed } from '../../src/definition/index.js';
import type { CollectOptions, CollectRule } from '../../src/definition/collect.js';
import { Gathering } from '../../src/kernel/callbacks/gathering.js';

const within = '1m';
const gathering = (calls: number, options: Omit<CollectOptions<unknown>, 'within'>) =>
  new Gathering(
    Array.from({ length: calls }, () => 'shipping.quote'),
    { ...options, within } as CollectOptions,
  );
const fails = () => new CallFailed('shipping.quote', 'no_route', 'nobody goes there');

/** The code with which it fails. */
function codeOf(of: Gathering, options: Omit<CollectOptions<unknown>, 'within'>): string | undefined {
  try {
    of.answers({ ...options, within } as CollectOptions);
    return undefined;
  } catch (thrown) {
    return (thrown as CollectFailed).code;
  }
}

describe('a collector (A3)', () => {
  it.each([
    ['all', 3],
    ['first', 1],
    [{ answers: 2 }, 2],
  ] as const)('with the rule %j ends with the answer number %i, and not before (gathering.2)', (until, wanted) => {
    const collected = gathering(3, { until });
    for (let place = 0; place < wanted; place++) {
      expect(collected.ended).toBe(false);
      collected.answered(place, place);
    }
    expect(collected.ended).toBe(true);
  });

  it('ends when so many answers cannot come any more (gathering.2)', () => {
    const collected = gathering(4, { until: { answers: 3 } });
    collected.failed(0, fails());
    expect(collected.ended).toBe(false);
    collected.failed(2, fails());
    expect(collected.ended).toBe(true);
    expect(codeOf(collected, { until: { answers: 3 } })).toBe('no_answer');
  });

  it('waits for all until the deadline, and takes what is there', () => {
    const collected = gathering(3, { until: 'deadline' });
    collected.answered(1, 'one');
    collected.failed(2, fails());
    expect(collected.ended).toBe(false);
    collected.timedOut(60_000);
    expect(collected.results).toEqual([
      {
        status: 'failed',
        code: 'call_timed_out',
        message: 'shipping.quote has not been answered within the 1m of its collector.',
      },
      { status: 'answered', output: 'one' },
      { status: 'failed', code: 'no_route', message: 'nobody goes there' },
    ]);
    expect(collected.answers({ until: 'deadline', within })).toEqual([{ place: 1, output: 'one' }]);
  });

  it.each(['all', 'deadline'] as const)('that is empty ends at once, with the rule %j', (until) => {
    const collected = gathering(0, { until });
    expect(collected.ended).toBe(true);
    expect(collected.answers({ until, within })).toEqual([]);
  });

  it.each(['first', { answers: 2 }] as const)(
    'that is empty and wants an answer (%j) ends at once, without one',
    (until) => {
      const collected = gathering(0, { until });
      expect(collected.ended).toBe(true);
      expect(codeOf(collected, { until })).toBe('no_answer');
      expect(codeOf(collected, { until, none: 'empty' })).toBeUndefined();
    },
  );

  it('that wants more answers than calls were made says so, and blames nobody for them', () => {
    const messageOf = (collected: Gathering, until: CollectRule) => {
      try {
        collected.answers({ until, within: '1m' });
      } catch (thrown) {
        return (thrown as Error).message;
      }
      return undefined;
    };
    const until = { answers: 3 };
    expect(messageOf(gathering(2, { until }), until)).toBe('2 calls cannot give 3 answers.');
    const all = gathering(2, { until: 'first', match: () => false });
    for (const place of [0, 1]) all.answered(place, 'no');
    expect(messageOf(all, 'first')).toBe('No matching answer has arrived from 2 calls.');
  });

  it('changes nothing for what comes after its end (gathering.1)', () => {
    const collected = gathering(3, { until: 'first' });
    collected.answered(1, 'one');
    const before = collected.results;
    collected.answered(0, 'zero');
    collected.failed(2, fails());
    collected.timedOut(1);
    expect(collected.results).toEqual(before);
    expect(before.map(({ status }) => status)).toEqual(['superseded', 'answered', 'superseded']);
  });

  it('counts only what matches, and keeps the rest', () => {
    const collected = gathering(3, { until: 'first', match: (output) => output === 'room' });
    collected.answered(0, 'full');
    expect(collected.ended).toBe(false);
    collected.answered(2, 'room');
    expect(collected.ended).toBe(true);
    expect(collected.answers({ until: 'first', within })).toEqual([{ place: 2, output: 'room' }]);
    expect(collected.results[0]).toEqual({ status: 'answered', output: 'full' });
  });

  it('says what becomes of several answers, in the order of their calls', () => {
    const collected = gathering(2, { until: 'all' });
    collected.answered(1, 'one');
    collected.answered(0, 'zero');
    const given = (several?: CollectOptions['several']) =>
      collected.answers({ until: 'all', within, ...(several && { several }) }).map(({ output }) => output);
    expect(given()).toEqual(['zero', 'one']);
    expect(given('first')).toEqual(['zero']);
    expect(given((answers) => answers[1]!)).toEqual(['one']);
    expect(codeOf(collected, { until: 'all', several: 'fail' })).toBe('several_answers');
  });

  it('fails with how many have answered and why the first one has not', () => {
    const collected = gathering(3, { until: 'all' });
    collected.answered(0, 'zero');
    collected.failed(1, fails());
    expect(() => collected.answers({ until: 'all', within })).toThrow(
      "1 of 3 answers have arrived from 3 calls. shipping.quote has failed with 'no_route': nobody goes there",
    );
    expect(codeOf(collected, { until: 'all' })).toBe('too_few_answers');
  });

  it('keeps 256 KB of outputs, and says of what is beyond that it is too large', () => {
    const collected = gathering(2, { until: 'deadline' });
    collected.answered(0, 'x'.repeat(200_000));
    collected.answered(1, 'y'.repeat(100_000));
    expect(collected.results.map((each) => (each.status === 'failed' ? each.code : each.status))).toEqual([
      'answered',
      'too_large',
    ]);
  });
});
