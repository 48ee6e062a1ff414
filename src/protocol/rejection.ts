import { z } from 'zod';
import type { Described } from './plain.js';

export const rejection = z.object({
  /** Stable, for programs: as declared, or one of `error-codes/events.ts`. */
  code: z.string(),
  message: z.string(),
  entity: z.string(),
  event: z.string(),
  state: z.string().exactOptional(),
  /** The events that are valid now. */
  validNow: z.array(z.string()).exactOptional(),
  /** The operation that runs on the entity, if any. */
  operation: z.string().exactOptional(),
  /** The action because of which the event is rejected, where it is declared not to wait. */
  action: z.string().exactOptional(),
  /** The single problems with their paths, for `invalid_parameters` and `link_target_absent`. */
  issues: z.array(z.object({ path: z.string(), message: z.string() })).exactOptional(),
});

/** Describes why an event was not accepted. S2.2 */
export interface Rejection extends Described<typeof rejection> {}

/** The event that should have created an entity, and was rejected by its worker. */
export interface RefusedBirth {
  /** The id of the request, where the creation had one. */
  readonly request?: string;
  /** The tenant to which the entity would have belonged. S6.5 */
  readonly tenant?: string;
  /** The initial state. */
  readonly state: string;
  readonly rejection: Rejection;
}
