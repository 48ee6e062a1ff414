import type { OperationResult, OperationStatus } from '../operations/status.js';
import type { EngagementOutcome } from '../protocol/outcome.js';

/** Describes what is known of an operation. */
export type OperationReading =
  /** It was accepted. Its workflow appears in a moment, unless the event settles by then. */
  | { readonly state: 'beginning'; readonly event: string; readonly tenant?: string | undefined }
  | { readonly state: 'running'; readonly status: OperationStatus }
  | { readonly state: 'ended'; readonly result: OperationResult }
  /** It has settled, and needed no workflow. */
  | {
      readonly state: 'settled';
      readonly event: string;
      readonly outcome: EngagementOutcome;
      readonly tenant?: string | undefined;
    };
