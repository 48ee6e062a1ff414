import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from './case.js';
import type { Pace } from './pace.js';
import { selfTimes } from './profile.js';
import { ReeveSide } from './reeve-side.js';
import type { Rig } from './rig.js';
import { SIDES } from './side-name.js';
import type { Side } from './side.js';
import { formatNumber, formatTable } from './table.js';

/** How many functions of a thread are shown. */
const TOP = 30;
/** A thread that was busy for less than this is not shown, in milliseconds. */
const QUIET_MS = 20;

/**
 * Measures a case once on each side and profiles that side's worker meanwhile. Writes a file for each thread, for the profile
 * viewer of Chrome or VS Code, and gives the functions that took longest.
 */
export async function profileCase(rig: Rig, measured: Case, pace: Pace, folder: string): Promise<string> {
  const told: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const side of SIDES.map((name) => rig[name])) {
    const keys = (await measured.prepare?.(side, pace)) ?? [];
    const play = (round: number) => measured.round({ side, keys, pace, rig, round });
    for (let round = -(measured.warmUps ?? 1); round < 0; round++) await play(round);
    await side.worker.startProfile();
    const cpuBefore = await side.worker.cpuMs();
    await play(0);
    const cpu = (await side.worker.cpuMs()) - cpuBefore;
    told.push(`${nameOf(side)}: ${formatNumber(cpu)} ms of CPU in all threads`);
    told.push(...(await tellThreads(side, measured.name, folder)));
    await side.clear();
  }
  return told.join('\n\n');
}

/** With encryption, both sides are Reeve. */
function nameOf(side: Side): string {
  return side instanceof ReeveSide && side.prefix !== '' ? 'clear' : side.name;
}

async function tellThreads(side: Side, name: string, folder: string): Promise<readonly string[]> {
  const told: string[] = [];
  for (const { thread, profile } of await side.worker.endProfile()) {
    const times = selfTimes(profile);
    const total = times.reduce((sum, { ms }) => sum + ms, 0);
    if (total < QUIET_MS) continue;
    const file = join(folder, `${name}-${nameOf(side)}-${thread}.cpuprofile`);
    await writeFile(file, JSON.stringify(profile));
    const lines = times
      .slice(0, TOP)
      .map(({ name, place, ms, share }) => [`${name} ${place}`, formatNumber(ms), `${(share * 100).toFixed(1)} %`]);
    const title = `${nameOf(side)}, ${thread}: ${formatNumber(total)} ms busy (${file})`;
    told.push(`${title}\n${formatTable([['function', 'self ms', 'share'], ...lines])}`);
  }
  return told;
}
