import { z } from 'zod';
import { engagementOutcome } from './outcome.js';
import type { Described } from './plain.js';
import { probe } from './probe.js';
import { read, view } from './reading.js';
import { report } from './report.js';
import { raiseRequest } from './request.js';
import { lease, ownerLook, release, reserve, seal, sealed, unseal } from './reservation.js';
import { deploymentWord } from './state-deployment.js';
import { accepted, look, lost, stranger, withdraw } from './successor-messages.js';

const raise = z.object({ kind: z.literal('raise'), key: z.string(), request: raiseRequest });

/** Everything that a waiting raise has set off has settled. S4.2 */
const awaited = z.object({
  kind: z.literal('awaited'),
  toLife: z.string(),
  engagement: z.string(),
  outcome: engagementOutcome,
});

/** To cancel is a request: the entity answers it with the event that it declares for that. S4.7 */
const cancel = z.object({
  kind: z.literal('cancel'),
  operation: z.string(),
  /** The engagement that the operation expects to end. */
  engagement: z.string(),
});

/** The operation has heard nothing for long: does the entity know of these, and is it still of this life? S4.4 */
const inquiry = z.object({
  kind: z.literal('inquiry'),
  operation: z.string(),
  /** Grows with each look, so that a message which comes twice counts once. */
  round: z.number().int(),
  engagements: z.array(z.string()),
  /** The judgements that the entity owes. */
  judgements: z.array(z.string()),
  life: z.string().exactOptional(),
});

export const entityMessage = z.discriminatedUnion('kind', [
  raise,
  report,
  look,
  stranger,
  lost,
  accepted,
  withdraw,
  read,
  view,
  reserve,
  lease,
  release,
  seal,
  sealed,
  unseal,
  ownerLook,
  probe,
  awaited,
  cancel,
  inquiry,
  deploymentWord,
]);

/** Messages to an entity, from others and from operations. */
export type EntityMessage = Described<typeof entityMessage>;
