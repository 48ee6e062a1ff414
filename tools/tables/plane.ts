import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HostClient } from '../../activities/host/client.js';
import { tableOperations } from '../../activities/tables/operations/index.js';
import { Sessions } from '../../activities/tables/sessions.js';
import type { LiveTable } from '../../activities/tables/table-places.js';
import { ReeveClient } from '../../src/client/client.js';
import { dataDirectoryFrom } from '../../src/stack/data-directory.js';
import { startProject } from '../../src/project/index.js';
import { connect } from '../../src/temporal/connection.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import { EntityPlaces } from '../../workers/entity-places.js';
import { controlPlaneProject } from '../../workers/project.js';
import { controlPlane } from '../../workflows/definitions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { PartitionedTable } from '../../workflows/partitioned-table/definition.js';
import { patiently } from '../replay/patience.js';
import { COLUMNS, fill, TABLE } from './rows.js';

/** The data clusters of the control plane. */
export const CLUSTERS = ['east', 'west', 'north'];
export const SERVER = 'verify';

/** The control plane with one table, whose partitions are spread over databases. */
export interface TablePlane {
  readonly home: string;
  readonly reeve: ReeveClient;
  readonly host: HostClient;
  readonly sessions: Sessions;
  readonly target: string;
  /** Where the table is now. */
  table(): Promise<LiveTable>;
}

/**
 * Starts the control plane in a folder of its own, and makes the table with its rows: a database in each of the first data clusters.
 * `undo` gets what has to be stopped, in order.
 */
export async function startTablePlane(
  {
    databases,
    partitions,
    rows,
  }: { readonly databases: readonly string[]; readonly partitions: number; readonly rows: number },
  undo: (() => Promise<unknown>)[],
  report: (line: string) => void,
): Promise<TablePlane> {
  await mkdir(dataDirectoryFrom(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dataDirectoryFrom(), 'tables-'));
  undo.push(() => rm(home, { recursive: true, force: true }));
  process.env['REEVE_DATA_CLUSTERS'] = CLUSTERS.map((name) => `${name}:20`).join(',');
  const project = await controlPlaneProject();
  const plane = await startProject({ project, home, report });
  undo.push(() => plane.stop());
  const connection = await connect(plane.location.connectionOptions);
  undo.push(() => connection.close());
  const client = temporalClient({ ...plane.location, connection });
  const taskQueue = project.taskQueue();
  const reeve = new ReeveClient({ client, entities: controlPlane, distributed: tableOperations, taskQueue });
  const host = new HostClient(home);
  const sessions = new Sessions(host);
  undo.push(() => sessions.close());
  const places = new EntityPlaces(reeve);

  const target = `${SERVER}.${databases[0]}/${TABLE}`;
  await reeve.operations.result(await reeve.create(LogicalServer, SERVER, 'create', { dataCluster: CLUSTERS[0]! }));
  for (const [at, name] of databases.entries())
    await reeve.operations.result(
      await reeve.create(LogicalDatabase, `${SERVER}.${name}`, 'create', { dataCluster: CLUSTERS[at]! }),
    );
  const alsoIn = databases.slice(1).map((name) => `${SERVER}.${name}`);
  await reeve.operations.result(
    await reeve.create(PartitionedTable, target, 'create', { columns: COLUMNS, partitions, alsoIn }),
  );
  const table = async () => {
    const found = await patiently('look at the table', () => places.find(target));
    if (!found) throw new Error(`${target} is not there.`);
    return found;
  };
  for (const { primary, database, first, last } of (await table()).parts)
    await sessions.use(primary.application, database, 'fill', (session) =>
      fill(session, { rows, partitions, first, last }),
    );
  return { home, reeve, host, sessions, target, table };
}
