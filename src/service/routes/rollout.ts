import { z } from '@hono/zod-openapi';
import { leadsBack, type BuildStatus, type RolloutStatus } from '../../rollout/index.js';
import { answeredWithin } from '../answer-limit.js';
import { ROLLOUT } from '../guard.js';
import { isoTime } from '../operation-representation.js';
import type { ServiceParts } from '../parts.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const buildSchema = z.object({
  build: z.string().openapi({ example: '4f1c9ab20d3e' }),
  role: z.enum(['current', 'ramping', 'old', 'new']).openapi({
    description:
      '`current`: new executions begin on it. `ramping`: new executions of a part of the workflows do. `old`: no new execution begins on it any more. `new`: it was never rolled out.',
  }),
  percent: z.number().nullable().openapi({ description: 'The percentage of the workflows.' }),
  running: z.number().int().openapi({
    description:
      'The number of workflows that run on it. An old build without any is drained: you can stop its workers.',
  }),
  served: z.boolean().openapi({ description: '`true` if a worker of it polls for tasks.' }),
  reversible: z.boolean().openapi({
    description: '`true` if new executions begin on it, and a rollback moves them to a build that has workers.',
  }),
  rollout: z
    .object({
      state: z.enum(['rolling', 'done', 'rolled_back', 'stopped']).openapi({
        description:
          '`rolled_back`: it was rolled back. `stopped`: it stays where it is, because it cannot be rolled back.',
      }),
      previous: z.string().nullable().openapi({ description: 'The build that a rollback moves back to.' }),
      since: z.iso.datetime().openapi({ description: 'The time at which it began.' }),
      by: z
        .string()
        .nullable()
        .openapi({ description: 'Who began it; null if that is not known.', example: 'ada@ops-1' }),
      ended_by: z.string().nullable().openapi({
        description: 'Who rolled it back; null if it was not, if the rollout itself did so, or if that is not known.',
      }),
      ended_time: z.iso.datetime().nullable().openapi({
        description: 'The time at which it was rolled back or stopped; null if it was not, or the time is not known.',
      }),
      reason: z.string().nullable().openapi({ description: 'The reason for the rollback.' }),
    })
    .nullable()
    .openapi({ description: 'Its rollout; null if none was started.' }),
});

const rolloutSchema = z
  .object({
    deployment: z.string().nullable().openapi({ description: 'The name that all builds share.' }),
    builds: z.array(buildSchema).openapi({ description: 'Empty if no worker reports its build.' }),
    unversioned: z
      .number()
      .int()
      .openapi({ description: 'The number of workflows that run on workers without builds.' }),
  })
  .openapi('Rollout');

export type Rollout = z.output<typeof rolloutSchema>;

/** Asks Temporal how the builds stand. */
export type ReadRollout = () => Promise<RolloutStatus>;

/** How long an answer holds for all who ask, in milliseconds: it costs Temporal some questions for each build. */
const HOLDS_MS = 2_000;
/** How long Temporal may take, in milliseconds. */
const ANSWERS_WITHIN_MS = 5_000;
const NO_BUILDS: Rollout = { deployment: null, builds: [], unversioned: 0 };

/** Serves which builds of the workflow code run what, and the rollout that is under way. Q2 */
export function serveRollout(app: ServiceApp, { settings }: ServiceParts, read: ReadRollout | undefined): void {
  let last: { readonly at: number; readonly status: Promise<Rollout> } | undefined;
  const route = {
    method: 'get',
    path: '/api/rollout',
    operationId: 'readRollout',
    tag: 'lists',
    summary: 'Show the builds, the workflows on each, and the progress of a rollout',
    description: 'It counts workflows of all tenants, so it needs the right to read entities of all tenants.',
    responses: { 200: jsonResponse('The builds in Temporal.', rolloutSchema) },
  } as const;
  serve(app, route, async (context) => {
    context.var.guard.list(ROLLOUT);
    if (!read) return context.json(NO_BUILDS, 200);
    const now = Date.now();
    if (!last || now - last.at >= HOLDS_MS) {
      const status = answeredWithin(Math.min(ANSWERS_WITHIN_MS, settings.answerMs), read()).then(represent);
      last = { at: now, status };
    }
    return context.json(await last.status, 200);
  });
}

function represent({ deployment, builds, unversioned }: RolloutStatus): Rollout {
  return { deployment, builds: builds.map((each) => representBuild(each, builds)), unversioned };
}

function representBuild(status: BuildStatus, builds: readonly BuildStatus[]): Rollout['builds'][number] {
  const { build, role, percent, running, served, note } = status;
  const rollout = note && {
    ...{ state: note.state, previous: note.previous ?? null, since: isoTime(note.since), reason: note.reason ?? null },
    ...{ by: note.by ?? null, ended_by: note.endedBy ?? null },
    ended_time: note.endedAt === undefined ? null : isoTime(note.endedAt),
  };
  return {
    build,
    role,
    percent: percent ?? null,
    running,
    served,
    reversible: leadsBack(status, builds),
    rollout: rollout ?? null,
  };
}
