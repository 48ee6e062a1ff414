import { describe, expect, it } from 'vitest';
import { ended, START } from '../support/operation.js';
import { LoneOperation } from '../support/lone-operation.js';

const SECOND = 1_000;
const { budgetMs: _, ...boundless } = START;
const outcomes = (records: readonly { readonly outcome: string }[]) => records.map(({ outcome }) => outcome);

async function running(start = boundless): Promise<LoneOperation> {
  const operation = new LoneOperation({ ...start, startedAt: 1_000 });
  await operation.calm();
  return operation;
}

describe('the life of an operation', () => {
  it('shows itself as it begins, and ends with its result when all has ended (S4.1, S4.2)', async () => {
    const operation = await running();
    expect(operation.shown).toHaveLength(1);
    expect(outcomes(operation.offered)).toEqual(['running']);
    expect(operation.handlers?.status()).toEqual(operation.shown[0]);
    operation.now += 10;
    await operation.hear(ended('root', 'Parent/p'));
    expect(operation.end).toMatchObject({
      kind: 'ended',
      result: { id: 'op', outcome: 'success', startedAt: 1_000, endedAt: 1_010, participants: [{ key: 'p' }] },
    });
    expect(operation.shown.at(-1)).toMatchObject({ outcome: 'success' });
    expect(outcomes(operation.offered)).toEqual(['running', 'success']);
    expect(operation.kept).toMatchObject([{ id: 'op', outcome: 'success', endedAt: 1_010 }]);
  });

  it('drops what is malformed, with a warning (entity-life.3)', async () => {
    const operation = await running();
    await operation.hear({ kind: 'ended' });
    expect(operation.warnings).toEqual([
      {
        message: 'dropped a malformed message',
        attributes: { operation: 'op', problem: expect.stringMatching(/./) },
      },
    ]);
    expect(operation.end).toBeUndefined();
  });

  it('replays what an older build did, which never asked again to cancel (S4.1a, S4.7)', async () => {
    const asked = async (asksAgain: boolean) => {
      const operation = await running();
      operation.asksAgain = asksAgain;
      await operation.hear({ kind: 'cancel' });
      operation.now += 7;
      const rejection = { code: 'not_cancelable', message: 'no', entity: 'Parent/p', event: 'cancel' };
      await operation.hear(ended('op/cancel/Parent/p', 'Parent/p', { rejection }));
      // Where the participant does not tell when, it is when the operation has heard it.
      expect(operation.handlers?.status()).toMatchObject({ cancel: 'refused', refusals: [{ at: 1_007 }] });
      await operation.hear({ kind: 'cancel' });
      return operation.taken();
    };
    expect(await asked(false)).toEqual(['cancel to Parent/p']);
    expect(await asked(true)).toEqual(['cancel to Parent/p', 'cancel to Parent/p']);
  });

  it('releases what was reserved for it before it ends, and waits until that has arrived (S3.6)', async () => {
    const operation = await running();
    const on = { type: 'Box', key: 'b' };
    await operation.hear({ kind: 'reserved', on, wait: 'w' });
    let open!: () => void;
    operation.gate = new Promise((resolve) => (open = resolve));
    await operation.hear(ended('root', 'Parent/p'));
    expect(operation.sent).toEqual([{ to: on, message: { kind: 'release', wait: 'w', operation: 'op' } }]);
    expect(operation.end).toBeUndefined();
    operation.rollsOver = true;
    await operation.calm();
    expect(operation.end).toBeUndefined();
    operation.rollsOver = false;
    open();
    await operation.calm();
    expect(operation.end).toMatchObject({ kind: 'ended' });
    expect(operation.taken()).toEqual(['release to Box/b']);
  });

  it('leaves to a carrier what the store cannot take (S5.2)', async () => {
    const operation = await running();
    operation.storing = false;
    await operation.hear(ended('root', 'Parent/p'));
    expect(outcomes(operation.handedOn)).toEqual(['success']);
    expect(operation.end).toMatchObject({ kind: 'ended' });
  });

  it('goes on in a new run with its status, which the store is told again (S5.2, Q1)', async () => {
    const operation = await running();
    const caused = ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } });
    await operation.hear(caused);
    operation.rollsOver = true;
    await operation.calm();
    const status = operation.handlers!.status();
    expect(operation.end).toMatchObject({
      kind: 'rollover',
      next: { kind: 'continue', status },
    });
    const { next } = operation.end as Extract<LoneOperation['end'], { kind: 'rollover' }>;
    const after = new LoneOperation(next);
    await after.calm();
    expect(after.handlers?.status()).toEqual(status);
    expect(outcomes(after.offered)).toEqual(['running']);
    await after.hear(ended('child', 'Child/c'));
    expect(after.end).toMatchObject({ kind: 'ended', result: { outcome: 'success' } });
    expect(outcomes(after.kept)).toEqual(['success']);
  });

  it('shows a large one less often (S4.1)', async () => {
    const operation = await running();
    const shows = async (name: string, count: number) => {
      const before = operation.shown.length;
      for (let index = 0; index < count; index++)
        await operation.hear(ended(`${name}${index}`, `Child/${name}${index}`));
      return operation.shown.length - before;
    };
    expect(await shows('a', 15)).toBe(15);
    expect(await shows('b', 16)).toBe(8);
  });
});

describe('an operation past its budget (S5.3)', () => {
  it('is hung from then on, and corrected when it ends', async () => {
    const operation = await running({ ...START, budgetMs: 10 * SECOND } as typeof boundless);
    await operation.pass(10 * SECOND - 1);
    expect(outcomes(operation.offered)).toEqual(['running']);
    await operation.pass(1);
    expect(outcomes(operation.offered)).toEqual(['running', 'hung']);
    expect(operation.shown.at(-1)).toMatchObject({ hung: true });
    await operation.pass(30 * SECOND);
    await operation.hear(ended('root', 'Parent/p'));
    expect(outcomes(operation.offered)).toEqual(['running', 'hung', 'success']);
  });
});

describe('an operation that hears nothing (S4.4)', () => {
  it('looks after its participants, each time after twice the time, up to ten minutes', async () => {
    const operation = await running();
    const at: number[] = [];
    for (let minutes = 0; minutes < 60; minutes += 0.25) {
      await operation.pass(15 * SECOND);
      if (operation.taken().includes('inquiry to Parent/p')) at.push((operation.now - 1_000) / SECOND);
    }
    expect(at).toEqual([30, 90, 210, 450, 930, 1_530, 2_130, 2_730, 3_330]);
  });

  it('begins with the shortest time again once it has heard something', async () => {
    const operation = await running();
    await operation.pass(90 * SECOND);
    expect(operation.taken()).toEqual(['inquiry to Parent/p']);
    await operation.hear(ended('other', 'Child/c'));
    await operation.pass(60 * SECOND);
    expect(operation.taken()).toEqual([]);
    await operation.pass(30 * SECOND);
    expect(operation.taken()).toEqual(['inquiry to Parent/p']);
  });

  it('ends when those who are missed twice are lost', async () => {
    const operation = await running();
    operation.absent.add('Parent/p');
    await operation.pass(30 * SECOND);
    expect(operation.end).toBeUndefined();
    await operation.pass(60 * SECOND);
    expect(operation.end).toMatchObject({ kind: 'ended', result: { outcome: 'failed', errors: [{ code: 'lost' }] } });
  });

  it('tells at once who waits for what was lost', async () => {
    const operation = await running();
    operation.absent.add('Child/c');
    const caused = { caused: { child: 'Child/c', mine: 'Asker/a' }, awaiter: 'Asker/a' };
    await operation.hear(ended('root', 'Parent/p', {}, caused));
    await operation.pass(30 * SECOND);
    await operation.pass(30 * SECOND);
    await operation.pass(60 * SECOND);
    expect(operation.taken()).toEqual([
      'inquiry to Child/c',
      'inquiry to Asker/a',
      'inquiry to Child/c',
      'inquiry to Asker/a',
      'awaited to Asker/a',
    ]);
  });
});
