import { entityId } from '../protocol/names.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';

/** The names of the missing records, as the store would tell them. `find` gives a record by its name on the shelf. */
export function lackingRecords(names: RecordNames, find: (name: string) => StoreRecord | undefined): readonly string[] {
  const { life, transitions, events, operations, entity } = names;
  const lacking: string[] = [];
  for (const [first, last, at] of transitions) {
    for (let version = first; version <= last; version++) {
      const there = find(`transition ${version} of ${life}`);
      if (there?.kind !== 'transition' || there.at !== at) lacking.push(`transition/${version}`);
    }
  }
  for (const [id, startedAt, endedAt] of events) {
    const there = find(`event ${id} of ${life}`);
    const fits = there?.kind === 'event' && there.startedAt === startedAt && there.endedAt === endedAt;
    if (!fits) lacking.push(`event/${id}`);
  }
  for (const [id, endedAt] of operations) {
    const there = find(`operation ${id}`);
    if (there?.kind !== 'operation' || there.endedAt !== endedAt) lacking.push(`operation/${id}`);
  }
  if (entity) {
    const there = find(`entity ${entityId(entity)}`);
    if (there?.kind !== 'entity' || there.at < entity.at) lacking.push('entity');
  }
  return lacking;
}
