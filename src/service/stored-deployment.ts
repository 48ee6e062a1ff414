import type { End, Explanation } from '../components/index.js';
import type { DeploymentOrigin } from '../protocol/deployment-origin.js';
import type { DeploymentDetails, StoreViews } from '../store/index.js';
import type { DeploymentRepresentation } from './deployment-representation.js';

type ComponentRow = StoreViews['components'];

/** Whose a deployment is, as the store knows it. */
export function originOfStored({ deployment }: DeploymentDetails): DeploymentOrigin {
  const { component, tenant } = deployment;
  return { component, ...(tenant !== null && { tenant }) };
}

/** The representation of a deployment that cannot answer: as it last told the store. */
export function representStored({ deployment, components }: DeploymentDetails): DeploymentRepresentation {
  const { name, life, component, tenant, subject, request_id, detached_from, phase, phase_time, reported_time } =
    deployment;
  return {
    ...{ name, life, component, tenant, subject, request_id, detached_from, phase },
    phase_time: phase_time.toISOString(),
    end: endOf(deployment),
    tree: treeOf(deployment, components),
    stale: true,
    reported_time: reported_time.toISOString(),
  };
}

function endOf(row: StoreViews['deployments'] | ComponentRow): End | null {
  const { end_type: type, end_description: description, end_component: component } = row;
  if (type === null) return null;
  const undeployed = 'undeployed' in row && row.undeployed === true && { undeployed: true as const };
  return { type, description: description ?? '', component: component ?? '', ...undeployed };
}

/** Components whose holder the store does not know stand below the root. */
function treeOf(deployment: StoreViews['deployments'], rows: readonly ComponentRow[]): Explanation {
  const root = rows.find(({ path }) => path === '');
  const paths = new Set(rows.map(({ path }) => path));
  const below = new Map<string, ComponentRow[]>();
  for (const row of rows.filter(({ path }) => path !== '')) {
    const holder = holderOf(row.path, paths);
    below.set(holder, [...(below.get(holder) ?? []), row]);
  }
  const explained = (row: ComponentRow): Explanation => {
    const end = endOf(row);
    const since = timeOf(row);
    return {
      ...{ path: row.path, name: row.path.split('/').at(-1) || deployment.name, kind: row.kind },
      phase: phaseOf(row.phase),
      ...(since && { since: since.getTime() }),
      doing: end ? [end.description] : [],
      ...(end && { end }),
      children: row.path === '' ? [] : childrenOf(row.path),
    };
  };
  const childrenOf = (path: string) => (below.get(path) ?? []).map(explained);
  const top = root ? explained(root) : { path: '', name: deployment.name, kind: deployment.component, doing: [] };
  return { phase: phaseOf(deployment.phase), ...top, children: childrenOf('') };
}

const PHASES: readonly Explanation['phase'][] = [
  ...(['created', 'deployed', 'starting', 'up', 'ending', 'ended', 'detached'] as const),
];

function phaseOf(text: string): Explanation['phase'] {
  return PHASES.find((phase) => phase === text) ?? 'created';
}

/** The nearest component further out that is known. */
function holderOf(path: string, known: ReadonlySet<string>): string {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    if (known.has(path.slice(0, at))) return path.slice(0, at);
  }
  return '';
}

/** Since when a component is in its phase. */
function timeOf(row: ComponentRow): Date | null {
  const times: Readonly<Record<string, Date | null>> = {
    ...{ created: row.created_time, deployed: row.deployed_time, starting: row.starting_time, up: row.up_time },
    ...{ ending: row.ending_time, ended: row.end_time, detached: row.detached_time },
  };
  return times[row.phase] ?? null;
}
