import type { Answer } from './answer.js';
import type { EntityRef } from './names.js';

/** An event that was accepted: it runs, or waits for the action that runs. */
export interface AcceptedEvent {
  readonly entity: EntityRef;
  readonly event: string;
  readonly requestId: string;
  readonly answer: Exclude<Answer, { status: 'rejected' }>;
}
