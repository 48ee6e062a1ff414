import type { Simulation } from '../../src/simulation/index.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import type { FakeCloud } from './fake-cloud.js';

interface Links {
  readonly application?: string;
  readonly standby?: string;
  readonly former: readonly string[];
  readonly targetApplication?: string;
  readonly server?: string;
}

/** In what a cloud is not as the servers and databases say: what is missing, what leads elsewhere, and what is left over. */
export function cloudProblems(
  sim: Simulation,
  cloud: FakeCloud,
  keys: { readonly servers: readonly string[]; readonly databases: readonly string[] },
): readonly string[] {
  const problems: string[] = [];
  const owned = new Set<string>();
  const routes = new Set<string>();
  const own = ({ application, standby, former, targetApplication }: Links) => {
    for (const each of [application, standby, targetApplication, ...former]) if (each !== undefined) owned.add(each);
  };

  for (const key of keys.servers) {
    if (!sim.exists(LogicalServer, key)) {
      if (cloud.aliases.has(key)) problems.push(`the server '${key}' is gone, and its alias is not`);
      continue;
    }
    const { state, links } = sim.read(LogicalServer, key);
    const at = links as unknown as Links;
    own(at);
    if (state !== 'Ready') continue;
    const { application } = cloud.aliases.get(key) ?? {};
    if (application !== at.application)
      problems.push(`the alias of '${key}' leads to ${application}, not to ${at.application}`);
    if (!cloud.of(key).includes('a name')) problems.push(`the server '${key}' has no name`);
    const instance = cloud.instances.get(at.application ?? '');
    if (!instance?.databases.has('master') || instance.fenced) problems.push(`the server '${key}' cannot be used`);
    if (at.standby !== undefined && cloud.instances.get(at.standby)?.primary !== at.application) {
      problems.push(`the standby of '${key}' does not follow it`);
    }
  }

  for (const key of keys.databases) {
    if (!sim.exists(LogicalDatabase, key)) continue;
    const { state, links, properties } = sim.read(LogicalDatabase, key);
    const at = links as unknown as Links;
    own(at);
    const name = String(properties['name']);
    routes.add(`${at.server}/${name}`);
    if (state !== 'Ready') continue;
    const instance = cloud.instances.get(at.application ?? '');
    const held = instance?.databases.get(name);
    if (!instance || instance.fenced || held === undefined) problems.push(`the database '${key}' cannot be used`);
    else if (!properties['source'] && held !== key) problems.push(`the database '${key}' holds what ${held} held`);
    const route = cloud.aliases.get(at.server ?? '')?.routes.get(name);
    if (route !== at.application) problems.push(`'${key}' is led to ${route}, not to ${at.application}`);
    const { subordinates } = sim.read(LogicalServer, at.server ?? '');
    const attached = subordinates['databases']?.[name] as { readonly database?: string } | undefined;
    if (attached?.database !== key) problems.push(`the server '${at.server}' does not know '${key}' as '${name}'`);
  }

  for (const name of cloud.instances.keys()) if (!owned.has(name)) problems.push(`the instance '${name}' is left over`);
  for (const [server, alias] of cloud.aliases) {
    for (const name of alias.routes.keys()) {
      if (!routes.has(`${server}/${name}`)) problems.push(`the route to '${name}' of '${server}' is left over`);
    }
  }
  return problems;
}
