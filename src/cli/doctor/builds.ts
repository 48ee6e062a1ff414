import { Client, type Connection } from '@temporalio/client';
import { shellWord } from '../../definition/shell-word.js';
import { BuildRouting, getsNewRuns, leadsBack, readStatus } from '../../rollout/index.js';
import { deploymentFrom } from '../../temporal/worker-version.js';
import { counted } from '../counted.js';
import { ok, problem, type Finding, type Surroundings } from './finding.js';

/** Tells whether each build on which something runs has workers, and new runs begin on one that has. Q2 */
export async function lookAtBuilds(
  connection: Connection,
  namespace: string,
  { env, taskQueue }: Surroundings,
): Promise<readonly Finding[]> {
  const about = 'builds';
  const client = new Client({ connection, namespace });
  const { deployment, builds } = await readStatus(
    client,
    new BuildRouting(client, deploymentFrom(env, taskQueue)),
    taskQueue,
  );
  // Without Worker Versioning, every worker takes every run.
  if (builds.length === 0) return [];
  const problems = builds
    .filter((each) => !each.served && (each.running > 0 || getsNewRuns(each)))
    .map((each) => {
      const { build, running } = each;
      const what =
        running > 0 ? `${counted(running, 'workflow')} pinned to it make no progress` : 'new executions begin on it';
      const back = leadsBack(each, builds) ? ` Or roll it back: reeve rollout undo ${build}.` : '';
      return problem(
        about,
        `no worker serves the build '${build}': ${what}`,
        `Start workers of this build: REEVE_BUILD=${shellWord(build)} npx reeve worker.${back}`,
      );
    });
  if (!builds.some(({ role }) => role === 'current')) {
    const says = `workers of '${deployment}' report their builds, but new executions begin on none of these`;
    problems.push(problem(about, says, `Roll a build out: reeve rollout ${builds[0]!.build}.`));
  }
  if (problems.length > 0) return problems;
  const current = builds.find(({ role }) => role === 'current')!;
  return [
    ok(
      about,
      `new executions begin on '${current.build}' of '${deployment}'; each build with running workflows has workers`,
    ),
  ];
}
