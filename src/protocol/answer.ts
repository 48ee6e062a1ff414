import type { EngagementOutcome } from './outcome.js';
import type { Rejection } from './rejection.js';

/** The immediate answer to one event. */
export type Answer =
  | {
      readonly status: 'accepted';
      readonly operation: string;
      /** Given when the entity settled before the answer was given. */
      readonly outcome?: EngagementOutcome;
      /** No workflow follows the event yet: the entity tells the outcome, or that one does. */
      readonly unfollowed?: true;
      /** The request had been raised before: nothing runs again. S2.5 */
      readonly repeated?: true;
      /** It was accepted so long ago that neither the entity nor a store keeps its outcome: its operation may. */
      readonly longAgo?: true;
    }
  | {
      readonly status: 'waiting';
      readonly operation: string;
      readonly behind: string;
      readonly repeated?: true;
    }
  | { readonly status: 'rejected'; readonly rejection: Rejection };
