import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from './files.js';
import { endProcess, identify, standOf } from './processes.js';

/*
 * A child is recorded while it runs, so that a later stack can end what an earlier one has left behind:
 *   run/<name>.pid    has only its process id, for people: kill $(cat .reeve/run/worker.pid)
 *   run/<name>.json   also has what tells it from a later process with the same id
 */

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const record = z.object({ pid: z.number().int(), started: z.string(), stopSignal: z.enum(SIGNALS) });

/** The signal that asks a process to end. */
export type StopSignal = (typeof SIGNALS)[number];

/** Where a child is recorded: the data directory, and its name there. */
export interface RecordPlace {
  readonly home: string;
  readonly name: string;
}

/** Records a child that was just started. It does nothing when the child has already ended. */
export async function recordProcess(place: RecordPlace, pid: number, stopSignal: StopSignal): Promise<void> {
  const identity = await identify(pid);
  if (!identity) return;
  await writeFileAtomically(path(place, 'json'), JSON.stringify({ ...identity, stopSignal }));
  await writeFileAtomically(path(place, 'pid'), String(pid));
}

/** The process id of a recorded child, or `undefined`. */
export async function recordedPid(place: RecordPlace): Promise<number | undefined> {
  return (await read(place))?.pid;
}

/** Removes the record of a child that has ended, unless the next child of that name has put its own there. */
export async function forgetProcess(place: RecordPlace, pid: number): Promise<void> {
  if ((await recordedPid(place)) === pid) await remove(place);
}

/** Ends a recorded child that still runs, and no other process that has its id now. @throws when it cannot be ended */
export async function endRecorded(place: RecordPlace): Promise<void> {
  const found = await read(place);
  if (found) await endProcess(found, found.stopSignal);
  await remove(place);
}

/** A child of a stack, and whether it still runs. */
export interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
  readonly stand: Awaited<ReturnType<typeof standOf>>;
}

/** The children that are recorded in this data directory. It changes nothing. */
export async function recordedProcesses(home: string): Promise<readonly RecordedProcess[]> {
  const found = await Promise.all(
    (await recordedNames(home)).map(async (name) => ({ name, record: await read({ home, name }) })),
  );
  return Promise.all(
    found.flatMap(({ name, record }) =>
      record ? [standOf(record).then((stand) => ({ name, pid: record.pid, stand }))] : [],
    ),
  );
}

/** Ends all children that an earlier stack on this data directory has left behind. */
export async function endAllRecorded(home: string): Promise<void> {
  await Promise.all((await recordedNames(home)).map((name) => endRecorded({ home, name })));
}

async function recordedNames(home: string): Promise<readonly string[]> {
  const names = await readdir(join(home, 'run')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.endsWith('.json')).map((name) => basename(name, '.json'));
}

async function read(place: RecordPlace): Promise<z.output<typeof record> | undefined> {
  const text = await readFile(path(place, 'json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : record.parse(JSON.parse(text));
}

async function remove(place: RecordPlace): Promise<void> {
  for (const kind of ['pid', 'json'] as const) await rm(path(place, kind), { force: true });
}

function path({ home, name }: RecordPlace, kind: 'pid' | 'json'): string {
  return join(home, 'run', `${name}.${kind}`);
}
