import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { didYouMean } from '../definition/did-you-mean.js';
import { parseJson } from './parse-json.js';
import { ProjectError, type ProjectMistake } from './project-error.js';

/** Files of the build are named, since Node and workers run these. */
const TYPESCRIPT = /\.[cm]?tsx?$/;

/** The name of a file. What it is for is the remedy where it is not right. */
const file = (what: string) =>
  z
    .string()
    .min(1)
    .refine((path) => !isAbsolute(path))
    .refine((path) => !TYPESCRIPT.test(path))
    .optional()
    .describe(what);

/** The settings in a project's package.json, under `reeve`. Files are named from the folder of that package.json. */
const schema = z.strictObject({
  definitions: file('the module that exports the entities, like "dist/definitions.js"'),
  components: file('the module that exports the components which are deployed, like "dist/components.js"'),
  distributed: file('the module that exports the types of operations over partitions, like "dist/distributed.js"'),
  workflows: file('the module whose default export is entityWorkflows(...), like "dist/workflows.js"'),
  bundle: file('where the built workflow code is, like "dist/workflow-bundle.js"'),
  resources: file('the module that exports what implementResource() gives, like "dist/resources.js"'),
  worker: file('the module whose default export brings more to a worker, like "dist/worker.js"'),
  executor: file('the module whose default export defines the executor, like "dist/executor.js"'),
  up: file('the module whose default export starts what else "reeve up" needs, like "dist/up.js"'),
  module: z
    .strictObject({ name: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/), version: z.number().int().min(1) })
    .optional()
    .describe('the name and version in the addresses of the entities, like { "name": "garden", "version": 1 }'),
  taskQueue: z.string().min(1).optional().describe('the task queue of the workers, like "garden"'),
});

export type ProjectSettings = z.output<typeof schema>;

/** The names of the settings. */
export const SETTINGS = Object.keys(schema.shape) as readonly (keyof ProjectSettings)[];

/** The settings that name a file. */
export type FileSetting = Exclude<keyof ProjectSettings, 'module' | 'taskQueue'>;

export interface FoundSettings {
  /** The folder of the package.json that has them; the folder where the search began, where none has. */
  readonly folder: string;
  /** The package.json that has them. */
  readonly file?: string;
  readonly settings: ProjectSettings;
}

/**
 * The settings in the nearest package.json, from a folder upwards, that has any.
 * @throws ProjectError with all that is wrong in them
 */
export async function findSettings(from: string): Promise<FoundSettings> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    const found = await reeveIn(path);
    if (found !== undefined) return { folder, file: path, settings: settingsIn(path, found) };
    if (folder === dirname(folder)) return { folder: resolve(from), settings: {} };
  }
}

/** Describes what is needed where a setting is missing. */
export function describeSetting(name: keyof ProjectSettings): string {
  return schema.shape[name].description ?? name;
}

async function reeveIn(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return (parseJson(text, path, 'Correct it.') as { readonly reeve?: unknown } | null)?.reeve;
}

function settingsIn(path: string, given: unknown): ProjectSettings {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ProjectError(parsed.error.issues.flatMap((issue) => mistakesOf(path, issue, given)));
}

function mistakesOf(path: string, issue: z.core.$ZodIssue, given: unknown): readonly ProjectMistake[] {
  const name = issue.path[0] as keyof ProjectSettings | undefined;
  if (issue.code === 'unrecognized_keys') {
    const known = name === undefined ? Object.keys(schema.shape) : ['name', 'version'];
    return issue.keys.map((key) => ({
      place: `${path}: ${['reeve', ...issue.path, key].join('.')}`,
      problem: 'is no setting',
      remedy: `Remove it, or write one of: ${known.join(', ')}.${didYouMean(key, known)}`,
    }));
  }
  const place = `${path}: ${['reeve', ...issue.path].join('.')}`;
  if (name === undefined) {
    return [{ place, problem: 'is not an object', remedy: 'Write { "definitions": "dist/definitions.js" }.' }];
  }
  const value = issue.path.reduce<unknown>((of, key) => (of as Record<PropertyKey, unknown>)?.[key], given);
  const problem = `is ${JSON.stringify(value) ?? 'missing'}`;
  if (typeof value === 'string' && TYPESCRIPT.test(value)) {
    const remedy = `Name its compiled file: ${describeSetting(name)}.`;
    return [{ place, problem: `${problem}, which is TypeScript`, remedy }];
  }
  return [{ place, problem, remedy: `Name ${describeSetting(name)}.` }];
}
