import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { AnyEntity } from '../definition/entity.js';
import { keepDiagram, readDiagram } from '../diagram/kept-diagrams.js';
import { MissingPackage } from '../packages/optional-package.js';
import type { Project } from './project.js';
import { together } from './project-error.js';

/** The work that a build has done, of what it had to do. */
export interface Built {
  /** The absolute path of the workflow code. */
  readonly bundle: string;
  /** Tells whether the workflow code was bundled; if not, it was what it has to be already. */
  readonly bundled: boolean;
  /** The types whose diagrams were laid out. */
  readonly laidOut: readonly string[];
  /** Why diagrams are missing, where they are. */
  readonly problem?: string;
}

/**
 * Builds what the processes of a project need besides its own compiled code: the workflow code in one file, and the state diagrams
 * for the page. What was built from the same content is left as it is.
 * @throws ProjectError with all that is wrong in the project
 */
export async function buildProject(project: Project): Promise<Built> {
  const [workflowsPath, { entities }] = await together([project.workflows(), project.declared()]);
  const bundle = project.bundle;
  const bundled = !(await isBuilt(bundle, workflowsPath));
  if (bundled) await makeBundle(project, bundle, workflowsPath);
  return { bundle, bundled, ...(await layOutDiagrams(project.diagrams, entities)) };
}

const inputsFile = z.object({ workflows: z.string(), bundle: z.string(), inputs: z.record(z.string(), z.string()) });

/** Stands beside the bundle, and tells from what it was made. */
function inputsOf(bundle: string): string {
  return `${bundle}.inputs.json`;
}

async function makeBundle(project: Project, bundle: string, workflowsPath: string): Promise<void> {
  await mkdir(dirname(bundle), { recursive: true });
  await rm(inputsOf(bundle), { force: true });
  // Bundling takes a second to load, and most builds have nothing to bundle.
  const { bundleWorkflows } = await import('../temporal/bundle.js');
  const declarations = (['definitions', 'components', 'distributed'] as const).flatMap(
    (name) => project.pathOf(name) ?? [],
  );
  const { code, inputs } = await bundleWorkflows({ workflowsPath, declarations });
  await writeFile(bundle, code);
  const from = (path: string) => relative(dirname(bundle), path);
  const hashes = await Promise.all(inputs.map(async (path) => [from(path), await hashOf(path)] as const));
  const made = { workflows: from(workflowsPath), bundle: await hashOf(bundle), inputs: Object.fromEntries(hashes) };
  await writeFile(inputsOf(bundle), JSON.stringify(made));
}

/** Tells whether a bundle was made of what its sources hold now. */
async function isBuilt(bundle: string, workflowsPath: string): Promise<boolean> {
  const text = await readFile(inputsOf(bundle), 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const made = inputsFile.safeParse(JSON.parse(text));
  if (!made.success || resolve(dirname(bundle), made.data.workflows) !== workflowsPath) return false;
  if ((await hashOf(bundle)) !== made.data.bundle) return false;
  const changed = await Promise.all(
    Object.entries(made.data.inputs).map(
      async ([path, hash]) => (await hashOf(resolve(dirname(bundle), path))) !== hash,
    ),
  );
  return !changed.includes(true);
}

/** The hash of what a file holds; of a file that is gone, nothing. */
async function hashOf(path: string): Promise<string | undefined> {
  const content = await readFile(path).catch(() => undefined);
  return content && createHash('sha256').update(content).digest('hex').slice(0, 32);
}

async function layOutDiagrams(
  folder: string,
  entities: readonly AnyEntity[],
): Promise<Pick<Built, 'laidOut' | 'problem'>> {
  await mkdir(folder, { recursive: true });
  const laidOut: string[] = [];
  for (const entity of entities) {
    if (await readDiagram(folder, entity)) continue;
    const { layOut } = await import('../diagram/layout.js');
    try {
      await keepDiagram(folder, await layOut(entity));
    } catch (thrown) {
      if (!(thrown instanceof MissingPackage)) throw thrown;
      return { laidOut, problem: thrown.message };
    }
    laidOut.push(entity.name);
  }
  return { laidOut };
}
