import { z } from 'zod';
import type { Built } from '../../project/build.js';
import type { RolloutEnd, RolloutStatus } from '../../rollout/index.js';
import type { Rebuilt } from '../../store/index.js';
import type { Dropped, Promoted, ReplicaStatus, Verification } from '../../store/replica/index.js';
import type { ToldReach } from '../explanation/reach/reach-words.js';
import type { Finding } from '../doctor/finding.js';

/*
 * The documents of commands for which no call of the management service exists. Each schema is checked against the type of what is printed, so
 * that neither changes alone.
 */

const whole = z.number().int();
const texts = z.array(z.string()).readonly();

/** Makes a schema of exactly this type: with another member, or without one, it does not compile. */
function schemaOf<T>() {
  return <S extends z.ZodType<T>>(schema: T extends z.output<S> ? S : never): S => schema;
}

const finding = schemaOf<Finding>()(
  z.object({
    about: z.string(),
    status: z.enum(['ok', 'problem', 'waiting', 'skipped']),
    says: z.string(),
    remedy: z.string().optional(),
  }),
);
const end = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), left: whole }),
  z.object({ kind: z.literal('rolled_back'), left: whole, reason: z.string() }),
  z.object({ kind: z.literal('stopped'), left: whole, reason: z.string() }),
]);
schemaOf<RolloutEnd>()(end);
const rollout = z.intersection(z.object({ build: z.string() }), end);
const rolloutStatus = schemaOf<RolloutStatus>()(
  z.object({
    deployment: z.string(),
    builds: z
      .array(
        z.object({
          build: z.string(),
          role: z.enum(['current', 'ramping', 'old', 'new']),
          percent: z.number().optional(),
          running: whole,
          served: z.boolean(),
          note: z
            .object({
              state: z.enum(['rolling', 'done', 'rolled_back', 'stopped']),
              previous: z.string().optional(),
              since: z.number(),
              by: z.string().optional(),
              endedAt: z.number().optional(),
              endedBy: z.string().optional(),
              reason: z.string().optional(),
              noRollback: z.literal(true).optional(),
            })
            .optional(),
        }),
      )
      .readonly(),
    unversioned: whole,
  }),
);
const replica = schemaOf<ReplicaStatus>()(
  z.object({
    ...{ name: z.string(), store: z.string(), replica: z.string() },
    state: z.enum(['copying', 'following', 'unread', 'lost', 'unreachable']),
    tables: z.object({ ready: whole, all: whole }).nullable(),
    lag: z.object({ behind_ms: whole, rows: whole, more: z.boolean(), bytes: z.number() }).nullable(),
    held: z.object({ bytes: z.number(), limit: z.number().nullable() }).nullable(),
    ...{ failures: whole.nullable(), problem: z.string().nullable() },
  }),
);
const verification = schemaOf<Verification>()(
  z.object({
    ...{ store: z.string(), replica: z.string(), lsn: z.string(), equal: z.boolean() },
    tables: z
      .array(
        z.object({
          table: z.string(),
          rows: z.object({ store: whole, replica: whole }),
          equal: z.boolean(),
          differences: z.array(z.any()).readonly(),
          problem: z.string().nullable(),
        }),
      )
      .readonly(),
    problems: texts,
  }),
);
const promoted = schemaOf<Promoted>()(
  z.object({
    ...{ store: z.string(), replica: z.string(), complete: z.boolean() },
    ...{ allowAgain: z.string().nullable(), leftBehind: z.string().nullable() },
  }),
);
const dropped = schemaOf<Dropped>()(
  z.object({ atStore: texts, atReplica: z.boolean(), problem: z.string().nullable() }),
);
const rebuilt = schemaOf<Rebuilt>()(
  z.object({
    ...{ runs: whole, records: whole },
    unreadable: z.array(z.object({ workflowId: z.string(), runId: z.string(), problem: z.string() })).readonly(),
    gaps: z.array(z.object({ entity: z.string(), life: z.string(), missing: whole, version: whole })).readonly(),
  }),
);
const built = schemaOf<Built>()(
  z.object({ bundle: z.string(), bundled: z.boolean(), laidOut: texts, problem: z.string().optional() }),
);
const apiKey = z.object({
  ...{ id: z.string(), subject: z.string(), tenant: z.string(), roles: texts },
  ...{ created: z.iso.datetime(), expires: z.iso.datetime().optional() },
});
const listOf = (item: z.ZodType) => z.object({ items: z.array(item) });

const reachedTypes = z
  .array(
    z.object({
      type: z.string(),
      events: z.array(z.object({ event: z.string(), ends: z.boolean(), creates: z.boolean() })).readonly(),
      ...{ successors: texts, linking: texts.nullable(), more: whole },
    }),
  )
  .readonly();

/** Describes what `explain --event` prints beside what the service answers. */
export const reach = schemaOf<ToldReach>()(
  z.object({
    ...{
      entity: z.string(),
      event: z.string(),
      state: z.string(),
      allowed: z.boolean(),
      behind: z.string().optional(),
    },
    rejection: z.looseObject({ code: z.string(), message: z.string() }).optional(),
    ...{ ends: z.boolean(), undeclared: texts, others: texts },
    types: reachedTypes,
    then: z
      .array(z.object({ entity: z.string(), event: z.string(), types: reachedTypes, undeclared: texts }))
      .readonly(),
    further: z.boolean(),
    left: z.array(z.object({ type: z.string(), entities: texts, more: whole })).readonly(),
    answers: z.array(z.object({ entity: z.string(), of: z.string() })).readonly(),
    ...{ distributed: texts, partly: z.boolean() },
  }),
);

/** The documents of commands that work on the machine itself, by their names. */
export const OWN_OUTPUTS = {
  build: built,
  check: listOf(
    z.looseObject({
      severity: z.enum(['problem', 'advice']).optional(),
      ...{ place: z.string(), problem: z.string(), remedy: z.string() },
    }),
  ),
  diff: z.looseObject({ items: z.array(z.looseObject({ open: z.boolean() })) }),
  doctor: listOf(finding),
  'keys create': apiKey.extend({ key: z.string(), hash: z.string() }),
  'keys list': listOf(apiKey),
  'payload-keys list': listOf(
    z.object({
      ...{ id: z.string(), created: z.iso.datetime(), destroyed: z.iso.datetime().optional(), current: z.boolean() },
    }),
  ),
  replay: z.object({
    replayed: whole,
    failed: z.array(z.object({ workflowId: z.string(), reason: z.string(), file: z.string().optional() })),
  }),
  replica: z.union([replica, listOf(replica), verification, promoted, dropped]),
  rollout: rollout,
  'rollout status': rolloutStatus,
  'rollout undo': rollout,
  'store migrate': z.object({ changed: texts }),
  'store rebuild': rebuilt,
} as const;
