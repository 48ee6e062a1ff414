import type { Resumption } from '../../protocol/resumption.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** Tells what goes on of an entity that another process takes up; nothing where no event and no operation waits for it. S5.1 */
export function resumptionOf({ type, key, engagements, awaiting }: Snapshot, life: string): Resumption | undefined {
  const events = engagements.map(({ id, operation }) => ({ operation, event: id }));
  const rests = awaiting.filter((id) => engagements.every(({ operation }) => operation !== id));
  const goesOn = [...events, ...rests.map((operation) => ({ operation }))];
  return goesOn.length === 0 ? undefined : { entity: { type, key, life }, goesOn };
}
