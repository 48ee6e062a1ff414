import { z } from 'zod';
import { makeShareable } from './shareable.js';

/** Describes how a component, or a whole deployment, has ended. The parameters of the event that a state declares as `ended`. W1 */
export const endRecord = z.object({
  /** `normal`, `abnormal`, `lost`, or another word that a component has given. */
  type: z.string(),
  description: z.string(),
  /** The path of the component that ended with it; '' is the whole of it. */
  component: z.string(),
  /** Is true if the whole of it has failed to deploy: it has never been up. */
  undeployed: z.literal(true).exactOptional(),
});
makeShareable(endRecord);

/** Describes how components have ended: the parameters of the event `ended`. */
export type EndRecord = z.output<typeof endRecord>;
