import { z } from 'zod';
import type { Duration } from './duration.js';
import { makeShareable } from './shareable.js';

/**
 * Names one start of one worker. The provider of a call gets it as `context.affinity`, and its output carries it; later calls run
 * there by `app.call(call, input, { on: affinity })`. A5
 */
export const affinity = z.object({ worker: z.string().min(1) });
makeShareable(affinity);

/** Names one worker: an output of a call that a later call gives as `on`. */
export type Affinity = z.infer<typeof affinity>;

/** Describes where one call is to run. */
export interface CallOptions {
  /** The worker that has made an earlier call. The call fails with the code `worker_gone` when it does not live any more. A5 */
  readonly on?: Affinity;
  /** Sets for how long that worker may be busy with other calls before it is taken for gone. Default 10 s. */
  readonly takenWithin?: Duration;
}
