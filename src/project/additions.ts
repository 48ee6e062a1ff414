import { appendFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { builtFile } from './built-file.js';

/** The parts that a project can have besides, as `reeve init --with` names them. */
export const ADDITIONS = ['lambda', 'kubernetes', 'github-actions'] as const;
export type Addition = (typeof ADDITIONS)[number];

/** Adds a part to the project of this name, and what its README says of it. */
export async function addTo(folder: string, name: string, addition: Addition): Promise<void> {
  await ADD[addition](folder, name);
}

const ADD: Readonly<Record<Addition, (folder: string, name: string) => Promise<void>>> = {
  lambda: addLambda,
  kubernetes: addKubernetes,
  'github-actions': addGithubActions,
};

const LAMBDA = builtFile('../infra/lambda');
const KUBERNETES = builtFile('../infra/kubernetes');
const GITHUB_ACTIONS = builtFile('../infra/github-actions');

/** Adds the handler of a function of AWS Lambda, what deploys it, and its test. The template is that of the reference control plane. Q3 */
async function addLambda(folder: string, name: string): Promise<void> {
  await cp(join(LAMBDA, 'project', 'lambda.ts'), join(folder, 'src', 'lambda.ts'));
  await cp(join(LAMBDA, 'project', 'service-test.ts'), join(folder, 'test', 'lambda.service.test.ts'));
  const template = await readFile(join(LAMBDA, 'template.yaml'), 'utf8');
  const own = replaced(template, [
    ['Handler: dist/workers/lambda.handler', 'Handler: dist/src/lambda.handler'],
    ['TEMPORAL_DEPLOYMENT_NAME: control-plane', `TEMPORAL_DEPLOYMENT_NAME: ${name}`],
  ]);
  await write(join(folder, 'infra', 'lambda', 'template.yaml'), own);
  for (const file of ['.gitignore', '.dockerignore']) await appendFile(join(folder, file), 'dist-lambda/\n');
  await describe(folder, join(LAMBDA, 'project'));
}

/** Adds the manifests of the reference control plane, for the one image of the project. Q3 */
async function addKubernetes(folder: string, name: string): Promise<void> {
  const base = join(KUBERNETES, 'base');
  for (const file of await readdir(base)) {
    const manifest = await readFile(join(base, file), 'utf8');
    await write(join(folder, 'infra', 'kubernetes', file), replaced(manifest, changesOf(file, name)));
  }
  await describe(folder, join(KUBERNETES, 'project'));
}

type Changes = readonly (readonly [what: string | RegExp, by: string])[];

/** The changes that make a manifest of the reference control plane one of a project. */
function changesOf(file: string, name: string): Changes {
  switch (file) {
    case 'kustomization.yaml':
      return [
        [
          /^# .*\n/,
          `# ${name} on Kubernetes: kubectl apply -k infra/kubernetes. README.md describes what you set before.\n`,
        ],
        ['namespace: reeve', `namespace: ${name}`],
        [
          /( +- \{ name: reeve-\w+, .*\}\n)+/,
          `  - { name: ${name}, newName: registry.example/${name}, newTag: 0.1.0 }\n`,
        ],
        ['part-of: reeve', `part-of: ${name}`],
      ];
    case 'namespace.yaml':
      return [['name: reeve', `name: ${name}`]];
    case 'prepare.yaml':
    case 'service.yaml':
    case 'worker.yaml':
      return [
        [/image: reeve-(\w+)/, `image: ${name}\n          args: [$1]`],
        // The user `node` of the image.
        [/65532/g, '1000'],
        ['docs/operate/kubernetes.md', 'node_modules/reeve/docs/operate/kubernetes.md'],
        // All that the image writes is in /tmp.
        ...(file === 'worker.yaml' ? ([[/.*name: data, .*\n/g, '']] as const) : []),
      ];
    default:
      return [];
  }
}

async function addGithubActions(folder: string, name: string): Promise<void> {
  const workflow = await readFile(join(GITHUB_ACTIONS, 'ci.yaml'), 'utf8');
  await write(join(folder, '.github', 'workflows', 'ci.yaml'), replaced(workflow, [['{{name}}', name]]));
  await describe(folder, GITHUB_ACTIONS);
}

/** @throws Error where there is nothing to replace: the text has been changed since */
function replaced(text: string, changes: Changes): string {
  return changes.reduce((made, [what, by]) => {
    const next = made.replace(what, by);
    if (next === made) throw new Error(`There is no ${what} to replace in:\n${text}`);
    return next;
  }, text);
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function describe(folder: string, part: string): Promise<void> {
  await appendFile(join(folder, 'README.md'), `\n${await readFile(join(part, 'README.md'), 'utf8')}`);
}
