import { describe, expect, it } from 'vitest';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const from = { type: 'Room', key: 'r', life: 'room-life', judges: true };

/** The judgements that a box in the given life asks of its room when it has been placed. */
function judgementsOf(life: string): readonly string[] {
  const box = new Puppet(Box);
  box.snapshot = { ...box.snapshot, life };
  box.raise('place', { label: 'x' }, { operation: 'furnish', from });
  box.end('Placing');
  box.startAutomatic();
  box.end('Placed');
  return box.taken().flatMap((effect) => {
    const owed = effect.kind === 'send' && effect.message.kind === 'report' ? effect.message.judgement : undefined;
    return owed ? [owed.id] : [];
  });
}

describe('the end of an engagement', () => {
  it('asks for a judgement of its own, also when another life of the key came to the same version (S4.2, E2)', () => {
    const [first] = judgementsOf('life-1');
    const [second] = judgementsOf('life-2');
    expect(first).toBeDefined();
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
  });

  it('by rejection is judged by whoever raised the event, and the operation waits for that (S2.2, S4.2, E2)', () => {
    const box = new Puppet(Box);
    box.raise('relabel', { label: 'x' }, { operation: 'op', from });
    const outcome = { state: 'Absent', rejection: { code: 'not_valid', event: 'relabel' } };
    const [told, sent] = box.taken();
    expect(told).toMatchObject({ operation: 'op', message: { kind: 'ended', engagement: 'relabel-id', outcome } });
    expect(sent).toMatchObject({ to: { key: 'r' }, message: { ended: ['relabel-id'], outcome } });
    const judgement = sent?.kind === 'send' && sent.message.kind === 'report' ? sent.message.judgement : undefined;
    expect(judgement).toMatchObject({ operations: ['op'] });
    expect(told).toHaveProperty('message.judgements', [{ id: judgement!.id, by: 'Room/r' }]);

    box.raise('relabel', { label: 'x' }, { id: 'again', operation: 'op', from: { ...from, judges: false } });
    const [quiet, heard] = box.taken();
    expect(quiet).toHaveProperty('message.judgements', []);
    expect(heard).not.toHaveProperty('message.judgement');
  });
});
