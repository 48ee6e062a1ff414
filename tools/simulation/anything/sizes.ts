import { worldOf } from '../../../src/simulation/simulation.js';
import type { Simulation } from '../../../src/simulation/index.js';

/** Temporal refuses a payload from this size on, in bytes. */
const MOST = 2 * 1024 * 1024;

/** Finds what was sent or kept and is larger than Temporal takes. */
export function tooLarge(sim: Simulation): string | undefined {
  for (const { call, entity, input } of sim.calls) {
    const size = sizeOf(input);
    if (size > MOST) return `${entity} called ${call} with an input of ${size} bytes`;
  }
  for (const { id, reading } of worldOf(sim).everyWorkflow()) {
    const size = sizeOf(reading);
    if (size > MOST) return `${id} keeps ${size} bytes`;
  }
  for (const record of sim.records) {
    const size = sizeOf(record);
    if (size > MOST) return `the store is told ${size} bytes of a ${record.kind}`;
  }
  return undefined;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
