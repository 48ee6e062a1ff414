import { proxyEntities } from '../../../src/temporal/proxy-entities.js';
import { Box, Counter } from './definitions.js';

/** A workflow of the project's own, which uses entities. Gives whether the counter has counted it. */
export async function errand(name: string, counter: string): Promise<boolean> {
  const entities = proxyEntities();
  await entities.result(await entities.create(Box, name, 'make'));
  const { outcome } = await entities.perform(Counter, counter, 'add');
  await entities.raise(Box, name, 'remove');
  await entities.reach(Box, name, 'Deleted');
  return outcome === 'success';
}
