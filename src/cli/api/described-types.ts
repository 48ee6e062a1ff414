import type { DescribedType } from '../../service/routes/documentation.js';
import type { Api } from './api.js';

export type DescribedTypes = ReadonlyMap<string, DescribedType>;

const known = new WeakMap<Api, Promise<DescribedTypes>>();

/** The types that the service has. It is asked once; the declarations of the present project do not count. */
export function describedTypes(api: Api): Promise<DescribedTypes> {
  const types = known.get(api) ?? readTypes(api);
  known.set(api, types);
  return types;
}

async function readTypes(api: Api): Promise<DescribedTypes> {
  const { body } = await api.ask('GET', '/docs/types.json');
  return new Map(Object.entries(body as Readonly<Record<string, DescribedType>>));
}
