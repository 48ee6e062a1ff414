import { fail } from '../tree/create.js';
import type { Draft } from '../tree/draft.js';
import type { Kind, Self } from '../tree/kind.js';
import { DraftSelf } from '../tree/self.js';
import { messageOf } from '../../definition/thrown.js';

/**
 * Runs a reducer of the component's kind. One that throws ends the component: a reference that leads nowhere, an attribute that is
 * wrong, or a mistake in the kind.
 */
export function invoke<T>(draft: Draft, id: number, reduce: (kind: Kind, self: Self) => T): T | undefined {
  if (!draft.find(id)) return undefined;
  try {
    return reduce(draft.kind(id), new DraftSelf(draft, id));
  } catch (thrown) {
    fail(draft, id, messageOf(thrown));
    return undefined;
  }
}
