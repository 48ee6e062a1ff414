import { describe, expect, it } from 'vitest';
import { EndlessCode } from '../../src/kernel/run/endless-code.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';

const running = (version: number): Snapshot =>
  ({
    version,
    attempt: 1,
    engagements: [],
    running: { action: 'install', kind: 'automatic', startedAt: 0 },
  }) as unknown as Snapshot;

const never = () => new Promise<never>(() => undefined);
const nothing = () => undefined;

describe('EndlessCode', () => {
  it('does not run the code of an execution that did not end (endless-code.2)', async () => {
    const marks: string[] = [];
    const endless = new EndlessCode((execution) => marks.push(execution));
    endless.note('install 3.1.0', 'endless');
    await expect(endless.run(running(3), nothing, () => Promise.resolve('ran'))).rejects.toThrow(
      "The code of 'install' did not end",
    );
    expect(marks).toEqual([]);
    expect(await endless.run(running(3), nothing, () => Promise.resolve('ran'))).toBe('ran');
  });

  it('leaves other executions alone (endless-code.2)', async () => {
    const endless = new EndlessCode(nothing);
    endless.note('install 2.1.0', 'endless');
    expect(await endless.run(running(3), nothing, () => Promise.resolve('ran'))).toBe('ran');
  });

  it('ends an execution that has begun, and keeps answers from it (endless-code.3)', async () => {
    let isSilent = false;
    const endless = new EndlessCode(nothing);
    const ran = endless.run(running(3), () => (isSilent = true), never);
    endless.note('install 3.1.0', 'memory');
    expect(isSilent).toBe(true);
    await expect(ran).rejects.toMatchObject({ code: 'endless_code', message: expect.stringContaining('memory') });
  });

  it('says whose code runs, and when none does any more', async () => {
    const marks: string[] = [];
    const endless = new EndlessCode((execution) => marks.push(execution));
    const ran = endless.run(running(3), nothing, () => Promise.resolve());
    endless.markAgain();
    await ran;
    expect(marks).toEqual(['install 3.1.0', 'install 3.1.0', '']);
  });
});
