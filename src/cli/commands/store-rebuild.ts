import { Client, Connection } from '@temporalio/client';
import pc from 'picocolors';
import { findDatabase } from '../../stack/database.js';
import { findService } from '../../stack/service.js';
import { openStore, rebuild, type Rebuilt } from '../../store/index.js';
import { replayRecords } from '../../temporal/replay-records.js';
import { findBundle, loadDefinitions } from '../definitions.js';
import { EXIT } from '../exit.js';

/** `reeve store rebuild` */
export async function rebuildStore(options: { readonly json?: boolean }): Promise<number> {
  const entities = await loadDefinitions();
  const codePath = await findBundle();
  const url = await findDatabase();
  const { connectionOptions, namespace } = await findService();
  const connection = await Connection.connect(connectionOptions);
  const dimensions = [...new Set(entities.flatMap((entity) => Object.keys(entity.dimensions)))];
  const store = openStore({ url, dimensions, warn: (message) => console.error(message) });
  try {
    await store.migrate();
    const types = entities.map(({ name }) => name);
    const runs = replayRecords(new Client({ connection, namespace }), { codePath }, types);
    const show = !options.json && process.stderr.isTTY;
    const rebuilt = await rebuild(store, runs, (done) => {
      if (show) process.stderr.write(`\r${done.runs} runs, ${done.records} records`);
    });
    if (show) process.stderr.write('\r\x1b[K');
    console.log(options.json ? JSON.stringify(rebuilt, undefined, 2) : describe(rebuilt));
    return rebuilt.unreadable.length === 0 && rebuilt.gaps.length === 0 ? EXIT.done : EXIT.failed;
  } finally {
    await store.close();
    await connection.close();
  }
}

function describe({ runs, records, unreadable, gaps }: Rebuilt): string {
  const lines = [`${runs} runs of workflows told ${records} records; all of them are in the store.`];
  for (const { workflowId, runId, problem } of unreadable) {
    lines.push(`${pc.yellow('not read')}  ${workflowId} ${pc.dim(`run ${runId}`)}: ${problem}`);
  }
  for (const { entity, life, missing, version } of gaps) {
    lines.push(
      `${pc.yellow('missing')}   ${entity}: ${missing} of its ${version} transitions are neither in the store nor in Temporal ${pc.dim(`life ${life}`)}`,
    );
  }
  return lines.join('\n');
}
