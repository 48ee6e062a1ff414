import type { Api } from './api.js';
import { describedType } from './type-paths.js';

/** The event that creates without being named. */
const USUAL = 'create';

/**
 * The event by which an entity of the type comes to be, where nobody names one: `create`, or nothing where no event of this name
 * creates. Another event that is valid at the beginning may do anything, such as delete. @throws UsageError
 */
export async function creationEvent(api: Api, type: string): Promise<string | undefined> {
  const { creation } = await describedType(api, type);
  return creation.includes(USUAL) ? USUAL : undefined;
}
