import { z } from 'zod';
import { makeShareable } from './shareable.js';

/**
 * An address to which an event is sent once from outside; made by `app.answerBy`. It stands in the input of a call, whose provider
 * turns it into the address itself by `context.addressOf`. A2
 */
export const answerAddress = z.object({
  id: z.string(),
  /** The event that an answer raises. */
  event: z.string(),
  /** Until when it may be answered, in milliseconds since 1970. */
  until: z.number(),
  of: z.object({ type: z.string(), key: z.string(), life: z.string() }),
  operation: z.string().exactOptional(),
});
makeShareable(answerAddress);

/** An address at which an event is raised once from outside. */
export interface AnswerAddress extends Readonly<z.output<typeof answerAddress>> {}
