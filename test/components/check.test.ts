import { describe, expect, it } from 'vitest';
import {
  checkComponents,
  componentProblems,
  delay,
  doNothing,
  eventSend,
  kindsOf,
  randomSequence,
  ref,
  repeat,
  retry,
  sequence,
  type Description,
} from '../../src/components/index.js';

describe('the check of a description (W1)', () => {
  it('finds nothing in a right one', () => {
    const right = sequence({
      a: delay({ time: '1s' }),
      b: retry({ retry: 'forever', action: doNothing({ time: ref('../t') }) }),
    });
    expect(componentProblems(kindsOf(), right)).toEqual([]);
    expect(() => checkComponents(kindsOf(), right)).not.toThrow();
  });

  it('tells all mistakes at once, with their paths', () => {
    const plain: Description = { kind: 'Nothing', attributes: {}, children: [] };
    const numbered: Description = { kind: 'Sequence', attributes: {}, children: [['7', delay()]] };
    const wrong = sequence({
      a: retry({ retries: -1, action: delay({ time: -5 }) }),
      b: repeat({ action: doNothing({ messages: 'x' } as never), repeat: -2 }),
      c: plain,
      d: randomSequence(),
      e: eventSend({}),
      f: delay({ time: ref('a/../b') }),
      g: numbered,
    });
    const found = componentProblems(kindsOf(), wrong).map(({ place, problem }) => `${place}: ${problem}`);
    expect(found).toEqual([
      "a.retries: is no number of retries: write 0 or more, or 'forever'",
      'a/action.time: is negative: write 0 or more',
      'b.repeat: is below -1: write -1 for ever, or how often',
      "b/action.messages: DoNothing has no attribute 'messages'",
      "c: no kind 'Nothing' is known",
      'd: it has no children. Give it one at least',
      "e: it has no 'event'. Say what it sends",
      "f.time: ref('a/../b') is no path",
      "g: '7' is a number: JavaScript moves it to the front, whatever the order",
    ]);
    expect(() => checkComponents(kindsOf(), wrong)).toThrow(/has 9 mistakes/);
  });
});
