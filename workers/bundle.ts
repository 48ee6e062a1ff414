import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../src/temporal/bundle.js';

/** The path where the build puts the code that runs in workflows, so that workers start quickly. */
export const BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/** Bundles the control plane's workflow code, as a part of the build. */
export async function buildBundle(): Promise<void> {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const { code } = await bundleWorkflows({
    workflowsPath: path('../workflows/index.js'),
    declarations: [
      path('../workflows/definitions.js'),
      path('../workflows/components.js'),
      path('../activities/tables/operations/index.js'),
    ],
  });
  await writeFile(BUNDLE_PATH, code);
}
