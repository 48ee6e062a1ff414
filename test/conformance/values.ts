/** Scenarios for S1.5a, values. */
import { expect } from 'vitest';
import { Diary, SPOILS } from '../entities/diary.js';
import type { Plane } from './plane.js';
import { scenario } from './scenario.js';

const MAY = '2026-05-01T00:00:00.000Z';
const MANY = '9007199254740993000';

async function open(plane: Plane, key: string, due?: string): Promise<void> {
  await plane.result(await plane.create(Diary, key, 'open', undefined, { ...(due && { construct: { due } }) }));
}

export const values = [
  scenario('S1.5a', 'code sees what codecs decode, and all others the encoded value', async (plane, key) => {
    await open(plane, key, '2026-04-01T00:00:00.000Z');
    const wrote = await plane.result(await plane.raise(Diary, key, 'write', { at: MAY, cents: MANY }));
    expect(wrote.outcome).toBe('success');
    await plane.forget(Diary, key);
    await plane.result(await plane.raise(Diary, key, 'write', { at: '2025-01-01T00:00:00.000Z', cents: '7' }));
    expect(await plane.read(Diary, key)).toMatchObject({
      properties: { due: MAY, total: '9007199254740993007', seen: ['2026 bigint', '2025 bigint'] },
      subordinates: { entries: { e1: { at: MAY, cents: MANY } } },
    });
    await plane.result(await plane.raise(Diary, key, 'postpone'));
    expect((await plane.read(Diary, key)).properties['due']).toBe('2026-05-02T00:00:00.000Z');
    await open(plane, `${key}-2`);
    await plane.result(await plane.raise(Diary, `${key}-2`, 'look', { other: key }));
    expect((await plane.read(Diary, `${key}-2`)).properties['seen']).toEqual([`${Date.UTC(2026, 4, 2)} ${MANY}`]);
    expect((await plane.result(await plane.raise(Diary, key, 'close'))).outcome).toBe('success');
  }),
  scenario(
    'S1.5a',
    'an action that leaves what JSON cannot carry has failed, and the next one runs',
    async (plane, key) => {
      await open(plane, key);
      for (const how of SPOILS) {
        const { outcome, errors } = await plane.result(await plane.raise(Diary, key, 'spoil', { how }));
        const told = { code: 'unstorable_value', message: expect.stringContaining('properties.bag') as string };
        expect({ how, outcome, errors }).toMatchObject({ how, outcome: 'failed', errors: [told] });
      }
      const { properties } = await plane.read(Diary, key);
      expect(properties).toEqual({ total: '0', seen: [] });
      expect((await plane.result(await plane.raise(Diary, key, 'close'))).outcome).toBe('success');
    },
  ),
];
