import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../protocol/names.js';

// temporal.api.enums.v1.IndexedValueType: the client has no names for them.
export const KEYWORD = 2;
const BOOL = 5;

/** The type of each search attribute. */
export const TYPES: Readonly<Record<string, number>> = {
  [SEARCH_ATTRIBUTES.state]: KEYWORD,
  [SEARCH_ATTRIBUTES.health]: KEYWORD,
  [SEARCH_ATTRIBUTES.settled]: BOOL,
  [SEARCH_ATTRIBUTES.operation]: KEYWORD,
  [SEARCH_ATTRIBUTES.outcome]: KEYWORD,
  [SEARCH_ATTRIBUTES.name]: KEYWORD,
  [SEARCH_ATTRIBUTES.tenant]: KEYWORD,
  [SEARCH_ATTRIBUTES.component]: KEYWORD,
};

/** The search attributes that are not registered in a namespace, with their types. */
export async function missingSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<Readonly<Record<string, number>>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.fromEntries(Object.entries(TYPES).filter(([name]) => !(name in (customAttributes ?? {}))));
}

/**
 * Registers the search attributes that are missing in a namespace.
 * @throws when the service refuses: on a hosted one, an administrator adds them.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const searchAttributes = await missingSearchAttributes(connection, namespace);
  if (Object.keys(searchAttributes).length === 0) return;
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}
