import { z } from 'zod';
import { makeShareable } from '../definition/shareable.js';
import { TENANT_NAME } from './actor.js';
import { LONGEST_HOLD_MS } from './messages.js';

/*
 * Checks of what comes in from outside: anyone who reaches the service can send a signal or an update.
 */

/** Temporal's ids have at most 255 characters with SQL, and an operation's begins with `op/`. */
const LONGEST_OPERATION = 250;

const rejection = z.object({ code: z.string(), message: z.string() });
const errorRecord = rejection.extend({ kind: z.enum(['rejected', 'retryable', 'needs_operator', 'defect']) });
const watcher = z.object({
  type: z.string(),
  key: z.string(),
  life: z.string(),
  judges: z.boolean(),
  follows: z.boolean().optional(),
  lasting: z.boolean().optional(),
});
const actor = z.object({
  subject: z.string().min(1).max(256),
  tenant: z.string().min(1).max(63),
  roles: z.array(z.string().max(64)).max(64),
});
/** A typing error must not let somebody through, so nothing else is taken. */
const signalOptions = z.strictObject({
  request: z
    .string()
    .min(1)
    .max(LONGEST_OPERATION)
    // It names a workflow, and rows of the store.
    .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'has characters that no id can have')
    .optional(),
  actor: actor.strict().optional(),
});
const fence = z.object({ life: z.string(), fence: z.number().int() });
const request = z
  .object({
    id: z.string().min(1).max(900),
    event: z.string().min(1),
    params: z.unknown().optional(),
    operation: z.string().min(1).optional(),
    from: watcher.optional(),
    awaited: z.string().optional(),
    mayBeRejected: z.boolean().optional(),
    fence: fence.optional(),
    construct: z.record(z.string(), z.unknown()).optional(),
    expects: z.object({ life: z.string(), version: z.number().int() }).optional(),
    holdMs: z.number().int().min(1).max(LONGEST_HOLD_MS).optional(),
    actor: actor.optional(),
    tenant: z.string().regex(TENANT_NAME).optional(),
  })
  .refine(({ id, operation }) => operation !== undefined || id.length <= LONGEST_OPERATION, {
    path: ['id'],
    message: `at most ${LONGEST_OPERATION} characters, since it names an operation`,
  });
const outcome = z.object({
  state: z.string(),
  version: z.number().int(),
  health: z.enum(['normal', 'error']),
  waiting: z.boolean(),
  closed: z.boolean().optional(),
  lost: z.boolean().optional(),
  error: errorRecord.optional(),
  rejection: rejection.optional(),
  canceled: z.boolean().optional(),
  interrupted: z.boolean().optional(),
});
const participant = z.object({ type: z.string(), key: z.string(), life: z.string() });
const report = z.object({
  kind: z.literal('report'),
  from: participant,
  toLife: z.string(),
  version: z.number().int(),
  outcome,
  ended: z.array(z.string()),
  again: z.boolean().optional(),
  judgement: z.object({ id: z.string(), operations: z.array(z.string()) }).optional(),
});
const look = z.object({
  kind: z.literal('look'),
  from: watcher,
  life: z.string().optional(),
  request: z.string(),
  version: z.number().int().optional(),
});
const stranger = z.object({ kind: z.literal('stranger'), from: participant, toLife: z.string(), request: z.string() });
const lost = z.object({ kind: z.literal('lost'), from: participant, toLife: z.string() });
const accepted = z.object({ kind: z.literal('accepted'), from: participant, toLife: z.string(), request: z.string() });
const withdraw = z.object({ kind: z.literal('withdraw'), from: participant, request: z.string() });
const read = z.object({
  kind: z.literal('read'),
  from: participant,
  wait: z.string(),
  tenant: z.string().optional(),
});
const entityView = z.looseObject({ type: z.string(), key: z.string(), state: z.string(), version: z.number().int() });
const view = z.object({
  kind: z.literal('view'),
  from: z.object({ type: z.string(), key: z.string() }),
  toLife: z.string(),
  wait: z.string(),
  view: entityView.optional(),
  granted: fence.extend({ until: z.number() }).optional(),
});
const reserve = z.object({
  kind: z.literal('reserve'),
  wait: z.string(),
  from: participant,
  operation: z.string(),
  leaseMs: z.number(),
  hold: z.enum(['action', 'operation']),
  until: z.number(),
  renews: z.number().int().optional(),
  tenant: z.string().optional(),
});
const release = z.object({ kind: z.literal('release'), wait: z.string(), operation: z.string().optional() });
const lease = z.object({ kind: z.literal('lease'), wait: z.string(), leaseMs: z.number() });
const seal = z.object({
  kind: z.literal('seal'),
  wait: z.string(),
  from: participant,
  reservation: z.string(),
  version: z.number().int(),
  first: request,
  others: z.array(z.string()),
});
const sealed = z.object({
  kind: z.literal('sealed'),
  from: z.object({ type: z.string(), key: z.string() }),
  toLife: z.string(),
  wait: z.string(),
  rejection: rejection.optional(),
});
const unseal = z.object({ kind: z.literal('unseal'), reservation: z.string(), wait: z.string() });
const ownerLook = z.object({
  kind: z.literal('owner-look'),
  from: z.object({ type: z.string(), key: z.string() }),
  reservation: z.string(),
  hold: z.enum(['action', 'operation']),
  wait: z.string().optional(),
  round: z.number().int(),
});
const waitedFor = z.object({
  on: z.string(),
  kind: z.enum(['event', 'reservation', 'release', 'seal']),
  id: z.string(),
});
const probe = z.object({
  kind: z.literal('probe'),
  initiator: participant,
  wait: z.string(),
  round: z.number().int(),
  path: z.array(waitedFor).min(1),
});
const entityMessage = z.union([
  z.object({ kind: z.literal('raise'), key: z.string(), request }),
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
  z.object({ kind: z.literal('awaited'), toLife: z.string(), engagement: z.string(), outcome }),
  z.object({ kind: z.literal('cancel'), operation: z.string(), engagement: z.string() }),
  z.object({
    kind: z.literal('inquiry'),
    operation: z.string(),
    round: z.number().int(),
    engagements: z.array(z.string()),
    judgements: z.array(z.string()),
    life: z.string().optional(),
  }),
]);
const cause = z.object({ engagement: z.string(), on: z.string() });
/** As much of the last life's snapshot as the next one reads. */
const lastLife = z.looseObject({
  life: z.string(),
  ledger: z.object({
    recent: z.array(z.looseObject({ id: z.string(), fingerprint: z.string(), operation: z.string() })),
    older: z.array(z.looseObject({ fingerprints: z.string() })),
    forgotten: z.number().int(),
    horizon: z.object({ time: z.number().optional(), untimed: z.literal(true).optional() }).optional(),
    unasked: z.number().optional(),
    sizes: z.looseObject({}).optional(),
  }),
});
const creation = z.object({
  kind: z.literal('create'),
  key: z.string(),
  request: request.optional(),
  again: z.boolean().optional(),
  inherits: lastLife.optional(),
});
const operationMessage = z.union([
  z.object({
    kind: z.literal('ended'),
    engagement: z.string(),
    participant,
    event: z.string(),
    outcome,
    caused: z.array(cause),
    judgements: z.array(z.object({ id: z.string(), by: z.string() })),
    unexpected: z.boolean().optional(),
    awaiter: participant.optional(),
    dimensions: z.record(z.string(), z.string()).optional(),
    at: z.number().optional(),
    restarts: z.number().int().optional(),
  }),
  z.object({ kind: z.literal('moved'), participant, outcome }),
  z.object({ kind: z.literal('judged'), judgements: z.array(z.string()), caused: z.array(cause) }),
  z.object({ kind: z.literal('await'), by: participant, engagement: z.string(), outcome }),
  z.object({ kind: z.literal('interrupted'), participant, by: z.string(), outcome: outcome.optional() }),
  z.object({
    kind: z.literal('unknown'),
    participant,
    round: z.number().int(),
    engagements: z.array(z.string()),
    judgements: z.array(z.string()),
    anotherLife: z.boolean(),
  }),
  z.object({
    kind: z.literal('reserved'),
    on: z.object({ type: z.string(), key: z.string() }),
    wait: z.string(),
  }),
  z.object({ kind: z.literal('cancel') }),
]);

/** What is wrong with a batch of events, or `undefined`. */
export const parseRequests = checker(z.array(request).min(1));
/** What is wrong with the options of a plain signal, or `undefined`. */
export const parseSignalOptions = checker(signalOptions);
/** What is wrong with a message to an entity, or `undefined`. */
export const parseEntityMessage = checker(entityMessage);
/** What is wrong with the argument of an entity's workflow, or `undefined`. */
export const parseCreation = checker(creation);
/** What is wrong with a message to an operation, or `undefined`. */
export const parseOperationMessage = checker(operationMessage);

function checker(schema: z.ZodType): (value: unknown) => string | undefined {
  makeShareable(schema);
  return (value) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return undefined;
    return parsed.error.issues
      .map(({ path, message }) => `${path.map(String).join('.') || 'value'}: ${message}`)
      .join('; ');
  };
}
