import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFileAtomically } from '../../src/stack/files.js';
import { awaitLock } from '../../src/stack/lock.js';
import { bundleWorkflows, type WorkflowSources } from '../../src/temporal/bundle.js';

/** The workflow code that a worker of a test runs. Paths are relative to `test/`. */
export interface TestWorkflows {
  readonly workflows: string;
  readonly declarations: readonly string[];
}

interface KeptBundle {
  /** The files of which it was made: the hash of each file, by its path. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly bundle: WorkflowBundleWithSourceMap;
}

const FOLDER = 'node_modules/.cache/reeve-bundles';
/** All that decides what a bundle is, beside the files that are in it. */
const MAKERS = ['src/temporal/bundle.ts', 'package-lock.json'];

let shared: Promise<WorkflowBundleWithSourceMap> | undefined;

/**
 * Bundles workflow code. All tests have one bundle, which costs seconds of processor time, and is made again only when one of the
 * files in it has changed. Its first line says which of its modules it runs.
 */
export async function sharedBundle(chosen: TestWorkflows): Promise<WorkflowBundleWithSourceMap> {
  const path = (name: string) => fileURLToPath(new URL(`bundled-${name}.cjs`, import.meta.url));
  shared ??= keptBundle({ workflowsPath: path('workflows'), declarations: [path('declarations')] });
  const { code, sourceMap } = await shared;
  return {
    // Put together when it is read: files that are loaded would otherwise keep a copy of all code for each of their services.
    get code() {
      return `const REEVE_TEST = ${JSON.stringify(chosen)}; ${code}`;
    },
    sourceMap,
  };
}

/** Bundles like `bundleWorkflows`, unless nothing has changed that the last bundle was made of. */
export async function keptBundle(sources: WorkflowSources): Promise<WorkflowBundleWithSourceMap> {
  // A new module in the folder is part of the bundle, though no file of it has changed.
  const names = (await readdir(new URL('../entities', import.meta.url))).sort();
  const file = join(FOLDER, `${hash(JSON.stringify([sources, process.version, names])).slice(0, 16)}.json`);
  const found = await kept(file);
  if (found) return found;
  await mkdir(FOLDER, { recursive: true });
  const { release } = await awaitLock(`${file}.lock`, () => undefined);
  try {
    const meanwhile = await kept(file);
    if (meanwhile) return meanwhile;
    const { code, sourceMap, inputs } = await bundleWorkflows(sources);
    const bundle = { code: withoutSources(code), sourceMap };
    await writeFileAtomically(file, JSON.stringify({ inputs: await hashes([...inputs, ...MAKERS]), bundle }));
    return bundle;
  } finally {
    await release();
  }
}

async function kept(file: string): Promise<WorkflowBundleWithSourceMap | undefined> {
  let found: KeptBundle;
  try {
    found = JSON.parse(await readFile(file, 'utf8')) as KeptBundle;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
  const now = await hashes(Object.keys(found.inputs));
  return Object.entries(found.inputs).every(([path, each]) => now[path] === each) ? found.bundle : undefined;
}

/** The hashes of files, by their paths; those that are gone have none. */
async function hashes(paths: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const found = paths.map(async (path) => {
    const content = await readFile(path).catch(() => undefined);
    return content ? [[path, hash(content)]] : [];
  });
  return Object.fromEntries((await Promise.all(found)).flat()) as Record<string, string>;
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

const MAP = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

/** A bundle whose source map has places but no text: each worker reads it, and stacks need no more. */
function withoutSources(code: string): string {
  const at = code.lastIndexOf(MAP);
  if (at < 0) throw new Error('The bundle of workflow code has no source map where it is expected.');
  const { sourcesContent: _, ...map } = JSON.parse(
    Buffer.from(code.slice(at + MAP.length), 'base64').toString(),
  ) as Readonly<Record<string, unknown>>;
  return `${code.slice(0, at)}${MAP}${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}
