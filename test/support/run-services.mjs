/*
 * The services that all test files of a run share, in a process beside the run. Each starts when the first test asks for it over HTTP,
 * and all end with the run, which holds our standard input, however it ends.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The system still has what a killed server has written: only a machine that stops would lose it, and with it the tests. */
const SETTINGS = 'fsync = off\nmax_connections = 300\n';
/** A database as the store's last migration leaves it, to be copied: to migrate each takes four times as long. */
const TEMPLATE = 'template_store';
/** Task queues of one partition instead of four take a tenth of the service's CPU time away. */
const ONE_PARTITION = ['Read', 'Write'].flatMap((way) => [
  '--dynamic-config-value',
  `matching.numTaskqueue${way}Partitions=1`,
]);

/** Temporal deletes an execution once its queue has noted how far it is: by default each 30 seconds. */
const NOTED_SOON = ['--dynamic-config-value', 'history.transferProcessorUpdateAckInterval="1s"'];

const built = (path) => import(new URL(`../../dist/src/${path}.js`, import.meta.url));
const stops = [];

const starts = {
  async postgres() {
    const { ensurePostgres, removePostgres } = await built('stack/postgres');
    const { createDatabase } = await built('store/create-database');
    const { openStore } = await built('store/store');
    const folder = await mkdtemp(join(tmpdir(), 'reeve-run-'));
    stops.push(async () => {
      await removePostgres(join(folder, 'postgres'));
      await rm(folder, { recursive: true });
    });
    const { url } = await ensurePostgres(join(folder, 'postgres'), { settings: SETTINGS });
    await createDatabase(url(TEMPLATE));
    const store = openStore({ url: url(TEMPLATE), dimensions: [] });
    await store.migrate();
    await store.close();
    return { url: url(), template: TEMPLATE };
  },
  async temporal() {
    const { TestWorkflowEnvironment } = await import('@temporalio/testing');
    const { COLLECTING, REPORTING, TUNED } = await built('stack/temporal-server');
    const { findTemporalExecutable } = await built('stack/temporal-executable');
    const path = await findTemporalExecutable({ report: (line) => console.error(line) });
    // The service inherits the variables of this process.
    Object.assign(process.env, COLLECTING);
    const environment = await TestWorkflowEnvironment.createLocal({
      server: {
        executable: { type: 'existing-path', path },
        extraArgs: [...REPORTING, ...TUNED, ...ONE_PARTITION, ...NOTED_SOON],
      },
    });
    stops.push(() => environment.teardown());
    return { address: environment.address };
  },
};

const started = new Map();
const server = createServer((request, response) => {
  const name = request.url.slice(1);
  if (!started.has(name)) started.set(name, starts[name]());
  started.get(name).then(
    (service) => response.end(JSON.stringify(service)),
    (thrown) => response.writeHead(500).end(thrown.stack),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

// A terminal sends SIGINT to the whole group. The run decides when it is time.
process.on('SIGINT', () => undefined);
process.stdin.resume().once('close', async () => {
  server.close();
  await Promise.allSettled(started.values());
  await Promise.all(stops.map((stop) => stop()));
  process.exit();
});
