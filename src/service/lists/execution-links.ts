import type { ServiceParts } from '../parts.js';
import type { Item, Query } from '../odata/index.js';
import { EXECUTION_MEMBER } from './row-members.js';

/** Makes of the workflow id of each row, and of each expanded one, its address in Temporal's UI, where that is known. S5.6 */
export function withExecutions(
  parts: Pick<ServiceParts, 'execution'>,
  { expand }: Pick<Query, 'expand'>,
  items: readonly Item[],
): readonly Item[] {
  return items.map(({ [EXECUTION_MEMBER]: workflowId, ...item }) => {
    const expanded = expand.map(({ navigation: { name }, query }) => {
      const held = item[name];
      const linked = withExecutions(
        parts,
        query,
        (Array.isArray(held) ? held : [held ?? []].flat()) as readonly Item[],
      );
      return [name, Array.isArray(held) ? linked : (linked[0] ?? null)] as const;
    });
    return {
      ...item,
      ...Object.fromEntries(expanded),
      ...(parts.execution && typeof workflowId === 'string' && { [EXECUTION_MEMBER]: parts.execution(workflowId) }),
    };
  });
}
