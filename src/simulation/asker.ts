import type { Snapshot } from '../protocol/snapshot.js';

/** The action that asks for a call, as the entity is at that moment: another action may follow in the same task. */
export type Asker = Pick<Snapshot, 'entry' | 'attempt'> & {
  readonly action?: string;
  /** The id of the event whose action it is; none for an automatic one. */
  readonly event?: string;
};
