import type { EngagementOutcome } from './outcome.js';
import type { Rejection } from './rejection.js';

/** The immediate answer to one event. */
export type Answer =
  | {
      readonly status: 'accepted';
      readonly operation: string;
      /** Present when the entity settled before the answer was given. */
      readonly outcome?: EngagementOutcome;
      /** Set when no workflow follows the event yet. The entity tells the outcome, or that a workflow follows the event now. */
      readonly unfollowed?: true;
      /** Set when the request had been raised before: nothing runs again. S2.5 */
      readonly repeated?: true;
      /**
       * Set when it was accepted so long ago that neither the entity nor a store has its outcome. Its operation may have it.
       */
      readonly longAgo?: true;
    }
  | {
      readonly status: 'waiting';
      readonly operation: string;
      readonly behind: string;
      readonly repeated?: true;
    }
  | { readonly status: 'rejected'; readonly rejection: Rejection };
