import type { Command } from 'commander';
import type { Rebuilt } from '../../../store/index.js';
import { colours } from '../../colours.js';
import { Project } from '../../../project/project.js';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { withSession } from '../../session.js';
import { withOwnStore } from '../../store-session.js';

/** `reeve store rebuild` S5.2 */
export function defineStoreRebuild(store: Command): void {
  store
    .command('rebuild')
    .description('rebuild rows of the store from the workflows that Temporal still has; all other rows stay')
    .option('--json', 'the result, as JSON')
    .addHelpText('after', examples(['reeve store rebuild', 'exit code 1 if a workflow could not be read']))
    .action(run(rebuildStore));
}

async function rebuildStore(options: { readonly json?: boolean }): Promise<number> {
  refuseRemote('store rebuild', 'it reads the histories of all workflows');
  const codePath = await (await Project.find()).builtBundle();
  // It is loaded here, so that other commands start faster without it.
  const { replayRecords } = await import('../../../temporal/replay-records.js');
  const rebuilt = await withSession(({ client, entities, taskQueue, payloads }) =>
    withOwnStore(async (store) => {
      await store.migrate();
      const show = !options.json && process.stderr.isTTY;
      const { rebuild } = await import('../../../store/index.js');
      const found = await rebuild(
        store,
        replayRecords(client, { codePath }, { entities, taskQueue, payloads }),
        (done) => {
          if (show) process.stderr.write(`\r${done.runs} runs, ${done.records} records`);
        },
      );
      if (show) process.stderr.write('\r\x1b[K');
      return found;
    }),
  );
  if (options.json) printJson(rebuilt);
  else console.log(describe(rebuilt));
  return rebuilt.unreadable.length === 0 && rebuilt.gaps.length === 0 ? EXIT.done : EXIT.failed;
}

function describe({ runs, records, unreadable, gaps }: Rebuilt): string {
  const { yellow, dim } = colours;
  return [
    `${runs} runs of workflows told ${records} records; all of them are in the store.`,
    ...unreadable.map(
      ({ workflowId, runId, problem }) => `${yellow('not read')}  ${workflowId} ${dim(`run ${runId}`)}: ${problem}`,
    ),
    ...gaps.map(
      ({ entity, life, missing, version }) =>
        `${yellow('missing')}   ${entity}: ${missing} of its ${version} transitions are neither in the store nor in ` +
        `Temporal ${dim(`life ${life}`)}`,
    ),
  ].join('\n');
}
