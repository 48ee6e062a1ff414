import type { DeploymentRepresentation } from '../../service/deployment-representation.js';
import type { Api, Asked } from './api.js';
import { askOnce } from '../ask-once.js';

export type { DeploymentRepresentation } from '../../service/deployment-representation.js';

export const DEPLOYMENTS_PATH = '/api/deployments';

/** `/api/deployments/shop` */
export function pathOfDeployment(name: string): string {
  return `${DEPLOYMENTS_PATH}/${encodeURIComponent(name)}`;
}

/** A deployment as it is, or as it ended. @throws Problem, Unreachable */
export async function readDeployment(api: Api, name: string): Promise<DeploymentRepresentation> {
  return (await api.ask('GET', pathOfDeployment(name))).body as DeploymentRepresentation;
}

/** How a deployment changes, until it has ended. @throws Problem, Unreachable */
export async function* followDeployment(api: Api, name: string): AsyncGenerator<DeploymentRepresentation> {
  for await (const { data } of api.follow(`${pathOfDeployment(name)}/change-stream`)) {
    yield data as DeploymentRepresentation;
  }
}

/** The answer of a deployment when it is told something: with an end, what was to be ended had ended already. */
export interface ToldDeployment {
  readonly name: string;
  readonly path: string;
  readonly end?: NonNullable<DeploymentRepresentation['end']>;
}

/** Tells a deployment something. The same request id again does nothing. @throws Problem, Unreachable */
export async function tellDeployment(
  api: Api,
  name: string,
  call: 'terminate' | 'events' | 'attributes' | 'ping',
  { json, requestId }: { readonly json?: object; readonly requestId?: string | undefined } = {},
): Promise<ToldDeployment> {
  const path = `${pathOfDeployment(name)}/${call}`;
  const asked: Asked = json ? { json } : {};
  // These change nothing more where they are repeated, whatever their id.
  const isRepeatable = call === 'terminate' || call === 'ping';
  const answer = isRepeatable ? api.ask('POST', path, asked) : askOnce(api, path, asked, requestId);
  return (await answer).body as ToldDeployment;
}
