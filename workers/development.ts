import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { connect } from '../src/temporal/connection.js';
import { temporalClient } from '../src/temporal/temporal-client.js';
import { ReeveClient } from '../src/client/client.js';
import { openLocalApi } from '../src/cli/api/local/index.js';
import { formatOutcome } from '../src/cli/output.js';
import { failureOf } from '../src/cli/any-failure.js';
import { EXIT } from '../src/cli/exit.js';
import { executionLink } from '../src/client/execution-link.js';
import { startProject, type RunningProject } from '../src/project/index.js';
import { dataDirectoryFrom, warnOfOldVariable } from '../src/stack/data-directory.js';
import { controlPlane } from '../workflows/definitions.js';
import { controlPlaneProject } from './project.js';
import { provision } from './provision.js';
import { summarise } from './summary.js';

const HELP = `npm start -- [--name NAME] [--once]

Starts Temporal, PostgreSQL, the resource host, a worker and the management service, provisions a logical server, and
stays up.

  --name NAME  the logical server (default: demo)
  --once       stop everything when the server is Ready

All data is in REEVE_DATA_DIR (default: .reeve). TEMPORAL_ADDRESS and DATABASE_URL name services to use instead.
REEVE_API_PORT is the port of the management service (default: that of the last start, or 8234; a free one when that is taken).
Exit codes: 0 done; 1 the provisioning failed; 2 it was rejected, or the command was not right; 3 something did not start.`;

process.exitCode = await main();

async function main(): Promise<number> {
  let options: { readonly name: string; readonly once: boolean };
  try {
    const { values } = parseArgs({
      options: {
        name: { type: 'string', default: 'demo' },
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      return EXIT.done;
    }
    options = values;
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return EXIT.rejected;
  }

  // Anyone who asks to stop while things start or run gets a graceful end. The exit code is that of what came before.
  const asked = new Promise<'asked'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve('asked'));
  });
  warnOfOldVariable(process.env);
  const home = dataDirectoryFrom();
  const startedAt = Date.now();
  const report = (line: string) => console.error(pc.dim(`  ${line}`));
  console.error(pc.bold('Reeve'), pc.dim(`on ${home}`));
  const project = await controlPlaneProject();
  let plane: RunningProject;
  try {
    plane = await startProject({ project, home, report });
  } catch (thrown) {
    console.error(pc.red((thrown as Error).message));
    return EXIT.unreachable;
  }
  const { location, serviceUrl } = plane;
  report(
    `up after ${((Date.now() - startedAt) / 1000).toFixed(1)} s; Temporal's UI: ${location.uiUrl ?? '(not known)'}\n`,
  );
  const connection = await connect(location.connectionOptions);
  const local = await openLocalApi('workflows');
  try {
    const client = temporalClient({ ...location, connection });
    const reeve = new ReeveClient({ client, entities: controlPlane, taskQueue: project.taskQueue() });
    const link = (id: string) => executionLink(location.uiUrl, location.namespace, id);
    const ended = await Promise.race([provision(local.api, options.name), asked]);
    if (ended === 'asked') return EXIT.done;
    if (ended) console.log(`\n${formatOutcome(ended, 'create')}`);
    if (ended?.outcome === 'failed') return EXIT.failed;
    console.log(await summarise({ reeve, home, name: options.name, serviceUrl, link }));
    if (options.once) return EXIT.done;
    console.log(
      pc.dim(
        `Data in ${home}. Worker: process ${await plane.processes.get('worker')?.pid()}. Ctrl-C stops everything.`,
      ),
    );
    await asked;
    return EXIT.done;
  } catch (thrown) {
    const { exitCode, forPeople } = failureOf(thrown);
    console.error(forPeople);
    return exitCode === EXIT.rejected ? exitCode : EXIT.unreachable;
  } finally {
    await local.close();
    await connection.close();
    console.error(pc.dim('stopping'));
    await plane.stop();
  }
}
