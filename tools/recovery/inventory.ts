import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { HostClient } from '../../activities/host/client.js';
import { readHostFile, resourcesFolder } from '../../activities/host/host-file.js';
import type { Credentials } from '../../activities/host/databases.js';
import { InstanceFolders, type InstanceFolder } from '../../activities/host/instance-folders.js';

const run = promisify(execFile);

/** How often each resource of a server exists. */
export interface Inventory {
  readonly instances: number;
  readonly processes: number;
  readonly aliases: number;
  readonly names: number;
}

/** Counts what exists of a server and its databases, on disk and among the processes. */
export async function takeInventory(home: string, name: string): Promise<Inventory> {
  const folder = resourcesFolder(home);
  const count = async (kind: string) =>
    (await readdir(join(folder, kind))).filter((file) => file.replace(/\.json$/, '') === name).length;
  const { stdout } = await run('ps', ['-ww', '-e', '-o', 'command=']);
  const all = await (await InstanceFolders.open(join(folder, 'instances'))).all();
  const instances = all.filter((each) => each.name === name || each.name.startsWith(`${name}.`));
  const runs = ({ path }: InstanceFolder) =>
    stdout.split('\n').some((line) => line.includes(join(path, 'data')) && line.includes('postgres'));
  return {
    instances: instances.length,
    processes: instances.filter(runs).length,
    aliases: await count('aliases'),
    names: await count('names'),
  };
}

/**
 * Uses a server as a person would: finds its address by its name, connects as the administrator, and makes a table.
 * @returns how many roles and databases it has beyond PostgreSQL's own
 */
export async function useServer(
  home: string,
  name: string,
): Promise<{ readonly roles: number; readonly databases: number }> {
  const { dns, zone } = (await readHostFile(home))!;
  const resolver = new Resolver();
  resolver.setServers([`${dns.host}:${dns.port}`]);
  const [host] = await resolver.resolve4(`${name}.${zone}`);
  const [service] = await resolver.resolveSrv(`_postgresql._tcp.${name}.${zone}`);
  const credentials = await new HostClient(home).request<Credentials>('GET', ['administrators', name]);
  const client = new pg.Client({ ...credentials, host: host!, port: service!.port, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('CREATE TABLE IF NOT EXISTS used (at timestamptz)');
    await client.query('INSERT INTO used VALUES (now())');
    const counts = await client.query<{ roles: number; databases: number }>(`
      SELECT (SELECT count(*)::int FROM pg_roles WHERE rolname NOT LIKE 'pg\\_%' AND rolname <> 'postgres') AS roles,
             (SELECT count(*)::int FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres') AS databases`);
    return counts.rows[0]!;
  } finally {
    await client.end();
  }
}
