import { access, constants, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readStack } from '../../stack/data-directory.js';
import { continuingProcesses, frozenWords } from '../../client/explain/frozen-words.js';
import { lockHolder } from '../../stack/lock.js';
import { recordedProcesses, type RecordedProcess } from '../../stack/process-record.js';
import { ok, problem, type Check, type Finding, type Surroundings } from './finding.js';

/** With less free space, in GB, Temporal or PostgreSQL may soon stop. */
const LEAST_FREE = 1;

/** Tells whether the data directory can be used, and which stack works on it. */
export const dataDirectory: Check = {
  about: 'data directory',
  look: async (surroundings) => {
    const { home } = surroundings;
    // Throws, with the folder and what to do, when it cannot be read.
    await readStack(home);
    const nearest = await nearestFolder(home);
    const isWritable = await access(nearest, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) {
      const remedy = `Set REEVE_DATA_DIR to a directory that you can write to, or make ${nearest} writable.`;
      return [problem('data directory', `${nearest} cannot be written to`, remedy)];
    }
    return [await folderFinding(home, nearest), ...(nearest === home ? await processFindings(surroundings) : [])];
  },
};

async function folderFinding(home: string, nearest: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearest);
  const free = (bavail * bsize) / 1e9;
  const says = `${home}${nearest === home ? '' : ' (the first start creates it)'}, ${free.toFixed(1)} GB free`;
  if (free >= LEAST_FREE) return ok('data directory', says);
  return problem('data directory', says, 'Free disk space, or set REEVE_DATA_DIR to a directory on a larger disk.');
}

/** Which stack runs, and whether an earlier one has left processes behind. */
async function processFindings({ home, stack }: Surroundings): Promise<readonly Finding[]> {
  const holder = await lockHolder(home);
  const children = await recordedProcesses(home);
  const named = (...stands: readonly RecordedProcess['stand'][]) =>
    children.filter(({ stand }) => stands.includes(stand)).map(({ name, pid }) => `${name} (process ${pid})`);
  if (stack) {
    const [ended, frozen] = [named('ended'), named('frozen')];
    const logs = join(home, 'log');
    return [
      ...(ended.length === 0
        ? []
        : [problem('stack', `${ended.join(', ')} has ended, and is started again`, `Read why in ${logs}.`)]),
      ...(frozen.length === 0 ? [] : [frozenFinding(frozen, children)]),
      ...(ended.length + frozen.length > 0
        ? []
        : [ok('stack', `process ${stack.pid}, with ${named('running').join(', ')}`)]),
    ];
  }
  if (holder !== undefined) return [ok('stack', `process ${holder} starts or stops one`)];
  const left = named('running', 'frozen');
  if (left.length === 0) return [];
  return [problem('stack', `it has ended, and ${left.join(', ')} still runs`, `The next 'reeve up' ends it first.`)];
}

/** A frozen process is there, and answers nobody. */
function frozenFinding(names: readonly string[], children: readonly RecordedProcess[]): Finding {
  const pids = children.filter(({ stand }) => stand === 'frozen').map(({ pid }) => pid);
  return problem('stack', frozenWords(names), `Continue it: ${continuingProcesses(pids)}`);
}

/** The folder, or the one above it that exists. */
async function nearestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const exists = await access(at).then(
      () => true,
      () => false,
    );
    if (exists || at === dirname(at)) return at;
  }
}
