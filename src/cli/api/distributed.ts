import type { z } from 'zod';
import type { distributedSchema, listedDistributedSchema } from '../../service/distributed-representation.js';
import { askOnce } from '../ask-once.js';
import type { Api } from './api.js';
import type { ListedPage } from './list.js';

export type DistributedOperation = z.output<typeof distributedSchema>;
export type ListedDistributedOperation = z.output<typeof listedDistributedSchema>;

export const DISTRIBUTED_PATH = '/api/distributed';

/** `/api/distributed/orders%2FbuildIndex%2F3` */
export function pathOfDistributed(name: string): string {
  return `${DISTRIBUTED_PATH}/${encodeURIComponent(name)}`;
}

/** A page of distributed operations. @throws Problem, Unreachable */
export async function listDistributed(
  api: Api,
  query: Readonly<Record<string, string>>,
): Promise<ListedPage<ListedDistributedOperation>> {
  const { body } = await api.ask('GET', DISTRIBUTED_PATH, { query });
  const { value, next } = body as { readonly value: readonly ListedDistributedOperation[]; readonly next?: string };
  return { rows: value, ...(next !== undefined && { next }) };
}

/** A distributed operation as it is, or as it ended. @throws Problem, Unreachable */
export async function readDistributed(api: Api, name: string): Promise<DistributedOperation> {
  return (await api.ask('GET', pathOfDistributed(name))).body as DistributedOperation;
}

/** How a distributed operation goes on, until it has ended. @throws Problem, Unreachable */
export async function* followDistributed(api: Api, name: string): AsyncGenerator<DistributedOperation> {
  for await (const { data } of api.follow(`${pathOfDistributed(name)}/change-stream`))
    yield data as DistributedOperation;
}

/** Retries one job, or moves it, and gives how its operation is afterwards. @throws Problem, Unreachable */
export async function changeJob(
  api: Api,
  name: string,
  { partition, call, json, requestId }: JobCall,
): Promise<DistributedOperation> {
  const path = `${pathOfDistributed(name)}/jobs/${partition}/${call}`;
  return (await askOnce(api, path, json && { json }, requestId)).body as DistributedOperation;
}

interface JobCall {
  readonly partition: number;
  readonly call: 'retry' | 'move';
  readonly json?: object;
  readonly requestId: string | undefined;
}

/** Tells a distributed operation something, and gives how it is afterwards. @throws Problem, Unreachable */
export async function steerDistributed(
  api: Api,
  name: string,
  call: 'pause' | 'resume' | 'limit' | 'cancel' | 'proceed',
  json?: object,
): Promise<DistributedOperation> {
  return (await api.ask('POST', `${pathOfDistributed(name)}/${call}`, { ...(json && { json }) }))
    .body as DistributedOperation;
}
