import { describe, expect, it } from 'vitest';
import { RunLength } from '../../src/temporal/run-length.js';

type Job = Parameters<RunLength['take']>[0][number];
type Command = Parameters<RunLength['send']>[0][number];

const payload = (bytes: number) => ({ data: new Uint8Array(bytes) });
const update = (id: string, bytes: number): Job => ({ doUpdate: { protocolInstanceId: id, input: [payload(bytes)] } });
const accepts = (id: string): Command => ({ updateResponse: { protocolInstanceId: id, accepted: {} } });
const rejects = (id: string): Command => ({ updateResponse: { protocolInstanceId: id, rejected: {} } });
const MILLION = 1_000_000;

describe('the length of a run, as it is counted (L7)', () => {
  it('grows with what is in history', () => {
    const length = new RunLength();
    length.take([update('a', MILLION)]);
    length.send([accepts('a')]);
    expect(length.isLong).toBe(false);
    length.take([{ signalWorkflow: { input: [payload(MILLION)] } }]);
    expect(length.isLong).toBe(true);
  });

  it('does not grow with events that were rejected: no replay sees them', () => {
    const length = new RunLength();
    for (let index = 0; index < 3_000; index++) {
      length.take([update('a', MILLION)]);
      length.send([rejects('a')]);
    }
    expect(length.isLong).toBe(false);
  });
});
