import { describe, expect, it } from 'vitest';
import { Batcher } from '../../src/client/batcher.js';
import type { Answer } from '../../src/protocol/answer.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { EntityRef } from '../../src/protocol/names.js';

const box = { type: 'Box', key: 'one' };
const request = (id: string, params?: unknown): RaiseRequest => ({
  id,
  event: 'look',
  ...(params !== undefined && { params }),
});

interface Sent {
  readonly to: EntityRef;
  readonly requests: readonly RaiseRequest[];
  /** Answers each of the batch. */
  answer(): void;
  fail(reason: Error): void;
}

/** A batcher whose batches arrive only when the test lets them. */
function held() {
  const sent: Sent[] = [];
  const batcher = new Batcher(
    (to, requests) =>
      new Promise<readonly Answer[]>((resolve, reject) => {
        const answers = requests.map(({ id }) => ({ status: 'accepted' as const, operation: id }));
        sent.push({ to, requests, answer: () => resolve(answers), fail: reject });
      }),
  );
  return { batcher, sent };
}

/** Lets everything happen that has nothing to wait for. */
const settled = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const ids = ({ requests }: Sent) => requests.map(({ id }) => id);

describe('events raised at once on one entity', () => {
  it('travel as one batch, and each caller gets its own answer (S4.6, batcher.2)', async () => {
    const { batcher, sent } = held();
    const answers = Promise.all(['a', 'b', 'c'].map((id) => batcher.raise(box, request(id))));
    await settled();
    expect(sent.map(ids)).toEqual([['a', 'b', 'c']]);
    sent[0]!.answer();
    expect(await answers).toMatchObject([{ operation: 'a' }, { operation: 'b' }, { operation: 'c' }]);
  });

  it('join the next batch, in order, while one is under way (S4.6, batcher.1)', async () => {
    const { batcher, sent } = held();
    const answers: Promise<Answer>[] = [];
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      answers.push(batcher.raise(box, request(id)));
      await settled();
    }
    expect(sent.map(ids)).toEqual([['a']]);
    sent[0]!.answer();
    await settled();
    expect(sent.map(ids)).toEqual([['a'], ['b', 'c', 'd', 'e']]);
    sent[1]!.answer();
    expect((await Promise.all(answers)).map((answer) => 'operation' in answer && answer.operation)).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
  });

  it('do not wait for those on another entity (S4.6)', async () => {
    const { batcher, sent } = held();
    for (const key of ['one', 'two', 'three']) void batcher.raise({ type: 'Box', key }, request('a'));
    await settled();
    expect(sent.map(({ to }) => to.key)).toEqual(['one', 'two', 'three']);
  });

  it('are at most 1,000 in a batch (S4.6)', async () => {
    const { batcher, sent } = held();
    for (let index = 0; index < 2_201; index++) void batcher.raise(box, request(`${index}`));
    for (let batch = 0; batch < 3; batch++) {
      await settled();
      sent[batch]!.answer();
    }
    expect(sent.map(({ requests }) => requests.length)).toEqual([1_000, 1_000, 201]);
  });

  it('are at most 1 MB in a batch; one that is too large is rejected before it is sent (S4.6, S1.5a)', async () => {
    const { batcher, sent } = held();
    for (let index = 0; index < 6; index++) {
      void batcher.raise(box, request(`${index}`, 'x'.repeat(250 * 1024)));
    }
    await expect(batcher.raise(box, request('large', 'x'.repeat(256 * 1024)))).rejects.toMatchObject({
      code: 'event_too_large',
    });
    for (let batch = 0; batch < 2; batch++) {
      await settled();
      sent[batch]!.answer();
    }
    expect(sent.map(ids)).toEqual([
      ['0', '1', '2', '3'],
      ['4', '5'],
    ]);
  });

  it('all fail when their batch could not be sent, and later ones go on (S4.6, batcher.2)', async () => {
    const { batcher, sent } = held();
    const outcomes = Promise.allSettled(['a', 'b'].map((id) => batcher.raise(box, request(id))));
    await settled();
    const reason = new Error('the service is away');
    sent[0]!.fail(reason);
    expect(await outcomes).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    const later = batcher.raise(box, request('c'));
    await settled();
    sent[1]!.answer();
    expect(await later).toMatchObject({ operation: 'c' });
  });

  it('are joined by what those raise who have just been answered (S4.6, batcher.1)', async () => {
    const { batcher, sent } = held();
    const inARow = async (...names: readonly string[]) => {
      for (const name of names) await batcher.raise(box, request(name));
    };
    void inARow('a', 'b');
    await settled();
    void inARow('c', 'd');
    await settled();
    sent[0]!.answer();
    await settled();
    expect(sent.map(ids)).toEqual([['a'], ['c', 'b']]);
  });

  it('do not suffer from one that is malformed (S4.6, batcher.3)', async () => {
    const { batcher, sent } = held();
    const good = batcher.raise(box, request('a'));
    await expect(batcher.raise(box, request(''))).rejects.toMatchObject({ code: 'malformed' });
    await expect(batcher.raise(box, request('x'.repeat(251)))).rejects.toThrow('at most 250 characters');
    await expect(batcher.raise(box, request('b', { count: 1n }))).rejects.toMatchObject({ code: 'malformed' });
    await settled();
    expect(sent.map(ids)).toEqual([['a']]);
    sent[0]!.answer();
    expect(await good).toMatchObject({ status: 'accepted' });
  });
});

describe('an event whose answer is held back', () => {
  const patient = (id: string): RaiseRequest => ({ ...request(id), holdMs: 1_000 });

  it('travels alone, and keeps no others from travelling (S4.6, S4.7, batcher.4)', async () => {
    const { batcher, sent } = held();
    const first = batcher.raise(box, patient('a'));
    void batcher.raise(box, request('b'));
    void batcher.raise(box, request('c'));
    await settled();
    expect(sent.map(ids)).toEqual([['a'], ['b', 'c']]);
    expect(sent[0]!.requests[0]).toMatchObject({ holdMs: 1_000 });
    sent[0]!.answer();
    expect(await first).toEqual({ status: 'accepted', operation: 'a' });
  });

  it('joins the others while another one is held back, or they are on their way (S4.6, batcher.4)', async () => {
    const { batcher, sent } = held();
    void batcher.raise(box, patient('a'));
    void batcher.raise(box, patient('b'));
    void batcher.raise(box, patient('c'));
    await settled();
    expect(sent.map(ids)).toEqual([['a'], ['b', 'c']]);
    expect(sent[1]!.requests[0]).not.toHaveProperty('holdMs');
    sent[0]!.answer();
    await settled();
    void batcher.raise(box, patient('d'));
    await settled();
    sent[1]!.answer();
    await settled();
    expect(sent.map(ids)).toEqual([['a'], ['b', 'c'], ['d']]);
    expect(sent[2]!.requests[0]).not.toHaveProperty('holdMs');
    sent[2]!.answer();
    await settled();
    void batcher.raise(box, patient('e'));
    await settled();
    expect(sent[3]!.requests).toEqual([patient('e')]);
  });

  it('is free to be held back again when the one before could not be sent (S4.7, batcher.4)', async () => {
    const { batcher, sent } = held();
    const first = batcher.raise(box, patient('a'));
    sent[0]!.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    void batcher.raise(box, patient('b'));
    expect(sent[1]!.requests).toEqual([patient('b')]);
  });

  it('that is malformed is refused before it travels (S4.7, batcher.3)', async () => {
    const { batcher, sent } = held();
    await expect(batcher.raise(box, { ...request('a'), holdMs: 60_000 })).rejects.toMatchObject({ code: 'malformed' });
    expect(sent).toEqual([]);
  });
});
