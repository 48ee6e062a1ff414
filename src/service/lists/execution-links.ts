import { entityId, operationWorkflowId } from '../../protocol/names.js';
import type { ServiceParts } from '../parts.js';
import type { EntityModel, Item, Query } from '../odata/index.js';
import { EXECUTION_MEMBER } from './row-members.js';

/** Adds to each row the address of its workflow in Temporal's UI, where that is known, and also to expanded rows. S5.6 */
export function withExecutions({ execution }: ServiceParts, query: Query, items: readonly Item[]): readonly Item[] {
  if (!execution) return items;
  return items.map((item) => linked(query, item));

  function linked({ model, expand }: Query, item: Item): Item {
    const id = workflowOf(model, item);
    const expanded = expand.map(({ navigation: { name }, query: within }) => {
      const held = item[name];
      return [name, Array.isArray(held) ? held.map((each: Item) => linked(within, each)) : held] as const;
    });
    return {
      ...item,
      ...Object.fromEntries(expanded),
      ...(id !== undefined && { [EXECUTION_MEMBER]: execution!(id) }),
    };
  }
}

/** The workflow of a row. Gives `undefined` where the row does not say it, as when the properties for it were not selected. */
function workflowOf({ table, only = {} }: EntityModel, item: Item): string | undefined {
  const value = (name: string): string | undefined => {
    const found = item[name] ?? only[name];
    return typeof found === 'string' ? found : undefined;
  };
  const [request, type, key] = [value('request_id'), value('type'), value('key')];
  const [ofType, ofKey] = [value('state_machine_type'), value('keys')];
  if (table === 'operations' && request !== undefined) return operationWorkflowId(request);
  if (table === 'entities' && type !== undefined && key !== undefined) return entityId({ type, key });
  if (table === 'state_machine_events' && ofType !== undefined && ofKey !== undefined) {
    return entityId({ type: ofType, key: ofKey });
  }
  return undefined;
}
