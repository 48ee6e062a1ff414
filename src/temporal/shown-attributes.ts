import type { AnyEntity } from '../definition/entity.js';
import { TENANT } from '../definition/tenant.js';
import { healthOf, isSettled } from '../kernel/index.js';
import type { OperationStart } from '../protocol/operation-start.js';
import { SEARCH_ATTRIBUTES } from '../protocol/names.js';
import type { RecordedOutcome } from '../protocol/records.js';
import type { Snapshot } from '../protocol/snapshot.js';

/** The search attributes of an entity, for lists of what runs. S5.2 */
export function attributesOfEntity(entity: AnyEntity, snapshot: Snapshot) {
  const { state, operation, tenant } = snapshot;
  return {
    [SEARCH_ATTRIBUTES.state]: [state],
    [SEARCH_ATTRIBUTES.health]: [healthOf(entity, snapshot)],
    [SEARCH_ATTRIBUTES.settled]: [isSettled(entity, snapshot)],
    [SEARCH_ATTRIBUTES.operation]: operation?.open ? [operation.id] : [],
    [SEARCH_ATTRIBUTES.tenant]: tenant === undefined ? [] : [tenant],
  };
}

/** The search attributes of an operation that begins. S4.8, S5.2 */
export function attributesOfOperation({ id, name, dimensions }: OperationStart): Readonly<Record<string, string[]>> {
  const running: RecordedOutcome = 'running';
  const tenant = dimensions[TENANT];
  return {
    [SEARCH_ATTRIBUTES.operation]: [id],
    [SEARCH_ATTRIBUTES.outcome]: [running],
    [SEARCH_ATTRIBUTES.name]: [keyword(name)],
    ...(tenant !== undefined && { [SEARCH_ATTRIBUTES.tenant]: [tenant] }),
  };
}

/** The text as a search attribute: with PostgreSQL or MySQL, Temporal searches only the first 255 characters. */
function keyword(text: string): string {
  return [...text].slice(0, 255).join('');
}
