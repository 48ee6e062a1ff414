import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { initProject } from '../../../src/project/init.js';

const run = promisify(execFile);
const KUSTOMIZATIONS = ['base', 'overlays/keda', 'overlays/worker-controller'].map(
  (each) => `infra/kubernetes/${each}`,
);
/** Kinds of others, of which Kubernetes' own schemas know nothing. */
const FOREIGN = /Couldn't find schema for kind (ScaledObject|Connection|WorkerDeployment) /;

/** Checks Dockerfile, template and manifests, and those of a new project, with the tools of their makers. Gives what is wrong. Q3 */
export async function tryManifests(home: string, report: (line: string) => void): Promise<readonly string[]> {
  const problems: string[] = [];
  const check = async (title: string, command: string, args: readonly string[]) => {
    try {
      const { stdout, stderr } = await run(command, [...args], { maxBuffer: 64_000_000 });
      report(`${title}: ok`);
      return stdout + stderr;
    } catch (thrown) {
      const { stdout = '', stderr = '', message } = thrown as Error & { stdout?: string; stderr?: string };
      problems.push(`${title}: ${stdout || stderr || message}`);
      return '';
    }
  };
  const { folder: project } = await initProject(join(home, 'garden'), report, ['kubernetes']);
  for (const file of ['infra/container/Dockerfile', join(project, 'Dockerfile')])
    await check(`${file} (hadolint)`, 'hadolint', [file]);
  await check('template (cfn-lint)', 'cfn-lint', ['infra/lambda/template.yaml']);
  for (const folder of [...KUSTOMIZATIONS, join(project, 'infra', 'kubernetes')]) {
    const made = await check(`${folder} (kustomize)`, 'kustomize', ['build', folder]);
    const file = join(home, 'manifests.yaml');
    await writeFile(file, made);
    const said = await check(`${folder} (kubernetes-validate --strict)`, 'kubernetes-validate', ['--strict', file]);
    const passed = said.split('\n').filter((line) => line.includes('passed for resource')).length;
    if (passed === 0) problems.push(`${folder}: nothing was checked`);
    problems.push(...said.split('\n').filter((line) => line.startsWith('WARN') && !FOREIGN.test(line)));
  }
  return problems;
}
