import pc from 'picocolors';
import { HostClient } from '../activities/host/client.js';
import { readHostFile } from '../activities/host/host-file.js';
import type { Credentials } from '../activities/host/databases.js';
import type { ReeveClient } from '../src/client/client.js';
import { entityId } from '../src/protocol/names.js';
import type { PropertiesOf } from '../src/definition/index.js';
import type { DnsRecord } from '../workflows/dns-record/definition.js';
import type { LogicalServer } from '../workflows/logical-server/definition.js';

export interface SummaryOptions {
  readonly reeve: ReeveClient;
  readonly home: string;
  readonly name: string;
  readonly serviceUrl: string;
  link(workflowId: string): string;
}

/** The lines that tell a person how to reach a logical server that is Ready. */
export async function summarise({ reeve, home, name, serviceUrl, link }: SummaryOptions): Promise<string> {
  const server = { type: 'LogicalServer', key: name };
  const { address } = (await reeve.read(server)).snapshot.properties as PropertiesOf<typeof LogicalServer>;
  const record = await reeve.read({ type: 'DnsRecord', key: name });
  const { fqdn } = record.snapshot.properties as PropertiesOf<typeof DnsRecord>;
  const { user, password, database } = await new HostClient(home).request<Credentials>('GET', ['administrators', name]);
  const { dns } = (await readHostFile(home))!;
  const rows = [
    ['connect', `psql postgresql://${user}:${password}@${address?.host}:${address?.port}/${database}`],
    ['name', `dig @${dns.host} -p ${dns.port} ${fqdn}`],
    ['port', `dig @${dns.host} -p ${dns.port} ${fqdn} SRV`],
    ['in Temporal', link(entityId(server))],
    ['read it', `npx reeve get ${entityId(server)}`],
    ['over HTTP', `curl ${serviceUrl}/api/control-plane/v1/${entityId(server)}`],
    ['see it', `${serviceUrl}/#/entities/${entityId(server)}`],
    ['its API', `${serviceUrl}/docs`],
    ['delete it', `npx reeve raise ${entityId(server)} delete --wait`],
  ] as const;
  return [
    '',
    `${pc.green('✔')} ${pc.bold(entityId(server))} is Ready`,
    ...rows.map(([title, value]) => `  ${pc.dim(title.padEnd(12))} ${value}`),
    '',
  ].join('\n');
}
