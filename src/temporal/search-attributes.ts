import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../protocol/names.js';

// temporal.api.enums.v1.IndexedValueType: the client has no names for them.
const KEYWORD = 2;
const BOOL = 5;

const TYPES: Readonly<Record<string, number>> = {
  [SEARCH_ATTRIBUTES.state]: KEYWORD,
  [SEARCH_ATTRIBUTES.health]: KEYWORD,
  [SEARCH_ATTRIBUTES.settled]: BOOL,
  [SEARCH_ATTRIBUTES.operation]: KEYWORD,
  [SEARCH_ATTRIBUTES.outcome]: KEYWORD,
};

/**
 * Registers the search attributes that are missing in a namespace.
 * @throws when the service refuses: on a hosted one, an administrator adds them.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { operatorService } = connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(TYPES).filter(([name]) => !(name in (customAttributes ?? {})));
  if (missing.length === 0) return;
  await operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) });
}
