import type { Command } from 'commander';
import pc from 'picocolors';
import { openStore, rebuild, type Rebuilt } from '../../../store/index.js';
import { replayRecords } from '../../../temporal/replay-records.js';
import { findBundle } from '../../definitions.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { withSession } from '../../session.js';
import { declaredDimensions, storeAddress, toUnreachable } from '../../store-session.js';

/** `reeve store rebuild` S5.2 */
export function defineStoreRebuild(store: Command): void {
  store
    .command('rebuild')
    .description(
      'make the rows again from the workflows that Temporal still has; deletes nothing that they do not tell',
    )
    .option('--json', 'what was found and what was not, as JSON')
    .addHelpText('after', examples(['reeve store rebuild', 'after a loss of the database']))
    .action(run(rebuildStore));
}

async function rebuildStore(options: { readonly json?: boolean }): Promise<number> {
  const dimensions = await declaredDimensions();
  const codePath = await findBundle();
  const url = await storeAddress();
  const store = openStore({ url, dimensions, warn: (message) => console.error(message) });
  try {
    await store.migrate();
    return await withSession(async ({ client, types }) => {
      const shows = !options.json && process.stderr.isTTY;
      const rebuilt = await rebuild(store, replayRecords(client, { codePath }, types), (done) => {
        if (shows) process.stderr.write(`\r${done.runs} runs, ${done.records} records`);
      });
      if (shows) process.stderr.write('\r\x1b[K');
      if (options.json) printJson(rebuilt);
      else console.log(describe(rebuilt));
      return rebuilt.unreadable.length === 0 && rebuilt.gaps.length === 0 ? EXIT.done : EXIT.failed;
    });
  } catch (thrown) {
    throw toUnreachable(thrown, url) ?? thrown;
  } finally {
    await store.close();
  }
}

function describe({ runs, records, unreadable, gaps }: Rebuilt): string {
  const lines = [`${runs} runs of workflows told ${records} records; all of them are in the store.`];
  for (const { workflowId, runId, problem } of unreadable) {
    lines.push(`${pc.yellow('not read')}  ${workflowId} ${pc.dim(`run ${runId}`)}: ${problem}`);
  }
  for (const { entity, life, missing, version } of gaps) {
    const lost = `${missing} of its ${version} transitions are neither in the store nor in Temporal`;
    lines.push(`${pc.yellow('missing')}   ${entity}: ${lost} ${pc.dim(`life ${life}`)}`);
  }
  return lines.join('\n');
}
