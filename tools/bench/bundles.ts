import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../src/temporal/bundle.js';
import type { SideName } from './side-name.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Bundles the workflow code of both sides beforehand, as for production. Gives the paths of the bundles. */
export async function bundleSides(folder: string): Promise<Readonly<Record<SideName, string>>> {
  const logger = new DefaultLogger('WARN');
  const raw = await bundleWorkflowCode({ workflowsPath: path('./raw/workflows.js'), logger });
  const reeve = await bundleWorkflows({
    workflowsPath: path('./entities/workflows.js'),
    declarations: ['./entities/gauge.js', './entities/valve.js', './entities/plant.js'].map(path),
  });
  const files = { raw: join(folder, 'raw.js'), reeve: join(folder, 'reeve.js') };
  await writeFile(files.raw, raw.code);
  await writeFile(files.reeve, reeve.code);
  return files;
}
