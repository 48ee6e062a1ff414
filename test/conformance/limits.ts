/** Scenarios for S1.5a: whatever a declaration allows runs safely. */
import { expect } from 'vitest';
import {
  CALL_INPUT_BYTES,
  EVENT_BYTES,
  LONGEST_KEY,
  LONGEST_MESSAGE,
  SNAPSHOT_BYTES,
} from '../../src/definition/limits.js';
import type { OperationResult } from '../../src/operations/status.js';
import { Freight, textOfBytes, THROWN } from '../entities/freight.js';
import { rejection, type Plane } from './plane.js';
import { scenario } from './scenario.js';

/** The error with which an event ended on a freight. */
async function errorOf(
  plane: Plane,
  key: string,
  event: string,
  params: unknown,
): Promise<OperationResult['errors'][number]> {
  const { outcome, errors } = await plane.result(await plane.raise(Freight, key, event, params));
  expect({ outcome, errors }).toMatchObject({ outcome: 'failed', errors: [{}] });
  return errors[0]!;
}

export const limits = [
  scenario('S1.5a', 'whatever an action throws is a failed action, with a short message', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    for (const how of Object.keys(THROWN)) {
      const { message } = await errorOf(plane, key, 'drop', { how });
      expect(message.length).toBeLessThan(2 * LONGEST_MESSAGE);
    }
    const { message } = await errorOf(plane, key, 'drop', { how: 'huge' });
    expect(message).toMatch(/^Error: x+\.\.\. \(4,998,000 more characters\)$/);
  }),
  scenario('S1.5a', 'whatever a provider throws is a failed call, with a short message', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    for (const how of Object.keys(THROWN)) {
      const { code, message } = await errorOf(plane, key, 'lift', { how });
      expect(Math.max(code.length, message.length)).toBeLessThan(2 * LONGEST_MESSAGE);
    }
  }),
  scenario('S1.5a', 'a call has an input up to its limit, and fails at once beyond it', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    const carried = await plane.result(await plane.raise(Freight, key, 'carry', { bytes: CALL_INPUT_BYTES }));
    expect(carried.outcome).toBe('success');
    const { code, message } = await errorOf(plane, key, 'carry', { bytes: CALL_INPUT_BYTES + 1 });
    expect({ code, message }).toMatchObject({
      code: 'input_too_large',
      message: expect.stringContaining('crane.carry'),
    });
  }),
  scenario('S1.5a', 'many large calls at once are made one after the other', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    const carried = await plane.result(await plane.raise(Freight, key, 'carry', { bytes: 900_000, times: 5 }));
    expect(carried.outcome).toBe('success');
  }),
  scenario('S1.5a', 'an event brings as much as its limit, and is rejected beyond it', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    const most = EVENT_BYTES - '[,null]'.length;
    const hailed = await plane.result(await plane.raise(Freight, key, 'hail', textOfBytes(most)));
    expect(hailed.outcome).toBe('success');
    const { version } = await plane.read(Freight, key);
    const larger = textOfBytes(most + 1);
    expect(await rejection(plane.raise(Freight, key, 'hail', larger))).toMatchObject({ code: 'event_too_large' });
    expect(await rejection(plane.create(Freight, `${key}-new`, 'order', larger))).toMatchObject({
      code: 'event_too_large',
    });
    await plane.signal(Freight, key, 'hail', larger);
    await plane.until(async () => (await plane.read(Freight, key)).dropped?.signal === 'hail');
    expect((await plane.read(Freight, key)).version).toBe(version);
  }),
  scenario('S1.5a', 'an action raises as much as an event may bring, and fails beyond it', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    await plane.result(await plane.create(Freight, `${key}-other`, 'order'));
    const most = EVENT_BYTES - '[,null]'.length;
    for (const waits of [true, false]) {
      const passed = await plane.result(await plane.raise(Freight, key, 'pass', { bytes: most, waits }));
      expect(passed.outcome).toBe('success');
      const { code } = await errorOf(plane, key, 'pass', { bytes: most + 1, waits });
      expect(code).toBe('event_too_large');
    }
  }),
  scenario('S1.5a', 'an entity at its limit takes whatever does not make it larger', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    const { code, message } = await errorOf(plane, key, 'stow', { bytes: SNAPSHOT_BYTES });
    expect({ code, message }).toMatchObject({
      code: 'snapshot_too_large',
      message: expect.stringContaining('properties.load'),
    });
    const stowed = await plane.result(await plane.raise(Freight, key, 'stow', { bytes: SNAPSHOT_BYTES - 4_096 }));
    expect(stowed.outcome).toBe('success');
    const looked = await plane.result(await plane.raise(Freight, key, 'look'));
    expect(looked.outcome).toBe('success');
    expect((await plane.result(await plane.raise(Freight, key, 'sink'))).outcome).toBe('success');
  }),
  scenario('S1.5a', 'an entity exactly at its limit answers what stops and ends it', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    let load = SNAPSHOT_BYTES - 8_192;
    const stow = async (bytes: number) =>
      (await plane.result(await plane.raise(Freight, key, 'stow', { bytes }))).outcome === 'success';
    expect(await stow(load)).toBe(true);
    for (let more = 4_096; more >= 1; more /= 2) if (await stow(load + more)) load += more;
    expect(await stow(load + 64)).toBe(false);
    // A failure is told with its own error, which makes the snapshot larger.
    expect(await errorOf(plane, key, 'drop', { how: 'huge' })).toMatchObject({
      message: expect.stringMatching(/^Error: x/),
    });
    await plane.raise(Freight, key, 'weigh');
    await plane.until(async () => (await plane.read(Freight, key)).running?.action === 'weigh');
    expect(await plane.result(await plane.raise(Freight, key, 'stop'))).toMatchObject({ outcome: 'success' });
    expect((await plane.read(Freight, key)).state).toBe('StoppedForGood');
    expect(await plane.result(await plane.raise(Freight, key, 'sink'))).toMatchObject({ outcome: 'success' });
  }),
  scenario('S1.5a', 'a key that no workflow id can hold is refused', async (plane, key) => {
    const longest = key.padEnd(LONGEST_KEY, 'x');
    await plane.result(await plane.create(Freight, longest, 'order'));
    expect(await rejection(plane.create(Freight, `${longest}x`, 'order'))).toMatchObject({ code: 'invalid_key' });
    for (const length of [LONGEST_KEY + 1, 5_000]) {
      for (const how of ['raise', 'create', 'read', 'reserve']) {
        expect(await errorOf(plane, longest, 'name', { how, length })).toMatchObject({ code: 'invalid_key' });
      }
    }
  }),
  scenario('S1.5a', 'a signal with a name that Temporal keeps for itself is dropped', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    await plane.signal(Freight, key, '__temporal_x', {});
    await plane.until(async () => (await plane.read(Freight, key)).dropped?.signal === '__temporal_x');
    expect((await plane.result(await plane.raise(Freight, key, 'look'))).outcome).toBe('success');
  }),
];
