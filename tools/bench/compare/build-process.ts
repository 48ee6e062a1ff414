/*
 * Measures the build whose folder is given, by the build's own cases and on a service of its own, as its parent asks.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from '../case.js';
import type { Pace } from '../pace.js';
import type { Rig } from '../rig.js';
import type { BuildAnswer, BuildRequest } from './messages.js';

/** The part of a build's bench that all builds share. */
interface Bench {
  readonly CASES: readonly Case[];
  readonly FULL: Pace;
  startRig(report: (line: string) => void): Promise<Rig>;
}

const bench = await load(process.argv[2]!);
const tell = (said: BuildAnswer) => void process.send?.(said);
const rig = await bench.startRig(() => undefined);
let measured: Case | undefined;
let keys: readonly string[] = [];

process.on('message', (request: BuildRequest) => void answer(request));
process.once('disconnect', () => void rig.stop().finally(() => process.exit()));
tell({ said: 'ready' });

async function answer(request: BuildRequest): Promise<void> {
  const { reeve: side } = rig;
  if (request.ask === 'prepare') {
    await side.clear();
    measured = bench.CASES.find(({ name }) => name === request.case);
    if (!measured) throw new Error(`This build has no case '${request.case}'.`);
    keys = (await measured.prepare?.(side, bench.FULL)) ?? [];
    tell({ said: 'prepared', warmUps: measured.warmUps ?? 1 });
  } else {
    const { round } = request;
    tell({ said: 'measured', values: await measured!.round({ side, keys, pace: bench.FULL, rig, round }) });
  }
}

async function load(folder: string): Promise<Bench> {
  // Before November 2026 it stood beside the workers.
  const at = ['tools', 'workers'].map((name) => join(folder, 'dist', name, 'bench')).find((path) => existsSync(path));
  if (at === undefined) throw new Error(`The build in ${folder} has no bench.`);
  const parts = ['cases/index.js', 'pace.js', 'rig.js'];
  return Object.assign({}, ...(await Promise.all(parts.map((part) => import(pathToFileURL(join(at, part)).href)))));
}
