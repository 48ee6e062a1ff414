import { readFileSync, rmSync } from 'node:fs';
import { controlPlaneResources } from '../../activities/index.js';
import { dataDirectoryFrom } from '../../src/stack/data-directory.js';
import type { ImplementedResource } from '../../src/temporal/resources.js';
import { runWorker } from '../../src/project/index.js';
import { controlPlaneProject } from '../../workers/project.js';
import { killFile, type KillPoint } from './kill-point.js';

/* A worker that kills itself once with SIGKILL, at the step that a file in the data directory names. */
const home = dataDirectoryFrom();
process.exitCode = await runWorker(await controlPlaneProject(), () => ({
  resources: controlPlaneResources(home).map(mortal),
}));

function mortal(resource: ImplementedResource): ImplementedResource {
  return Object.fromEntries(
    Object.entries(resource).map(([activity, run]) => [
      activity,
      async (...call: Parameters<typeof run>) => {
        dieIfTold({ activity, moment: 'before' });
        const result = await run(...call);
        dieIfTold({ activity, moment: 'after' });
        return result;
      },
    ]),
  );
}

function dieIfTold({ activity, moment }: KillPoint): void {
  let wanted: string;
  try {
    wanted = readFileSync(killFile(home), 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw thrown;
  }
  if (wanted !== `${moment} ${activity}`) return;
  rmSync(killFile(home));
  process.kill(process.pid, 'SIGKILL');
}
