import type { Answer } from '../protocol/answer.js';
import type { EntityRef } from '../protocol/names.js';

/** An event that was taken: accepted, or waiting for the action that runs. */
export interface Taken {
  readonly entity: EntityRef;
  readonly event: string;
  readonly requestId: string;
  readonly answer: Exclude<Answer, { status: 'rejected' }>;
}
