import type { Explanation } from '../../client/explain/explanation.js';
import type { Api } from './api.js';
import { Problem } from './problem.js';
import { Unreachable } from '../unreachable.js';

/** Reads what an entity or operation waits for. `path` is its path, with a query where it needs one. @throws Problem, Unreachable */
export async function readExplanation(api: Api, path: string): Promise<Explanation> {
  const [of = '', query] = path.split('?');
  return (await api.ask('GET', `${of}/explanation${query === undefined ? '' : `?${query}`}`)).body as Explanation;
}

/** The same, or nothing where there is no answer at the moment. */
export async function explanationIfTold(api: Api, path: string): Promise<Explanation | undefined> {
  try {
    return await readExplanation(api, path);
  } catch (thrown) {
    if (thrown instanceof Problem || thrown instanceof Unreachable) return undefined;
    throw thrown;
  }
}
