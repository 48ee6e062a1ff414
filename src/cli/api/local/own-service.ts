import pino from 'pino';
import { createApplication, type ApplicationOptions } from '../../../service/application.js';
import { rolesGivenIn } from '../../../service/access.js';
import { dimensionNames } from '../../../definition/dimension-names.js';
import type { OpenApi } from '../api.js';
import { HttpApi } from '../http-api.js';
import type { Problem } from '../problem.js';
import { operatorAuthenticator } from './operator.js';

export type OwnServiceOptions = Pick<
  ApplicationOptions,
  'reeve' | 'modules' | 'store' | 'audit' | 'execution' | 'callbacks' | 'rollout'
>;

/** Only one person asks: they may ask as much as they like, and see changes at once. */
const SETTINGS = { rates: { caller: [1e6, 1e6], nobody: [1, 1] }, lookMs: [50, 500] } as const;
/** The causes of these problems are in the log of the service, which is this process. */
const LOGGED = new Set(['defect', 'temporal_unavailable']);

/** The management service within this process, asked by the operator. It does not listen. S6.3 */
export function openOwnService(options: OwnServiceOptions): OpenApi {
  const entities = options.modules.flatMap((module) => module.entities);
  const { deployments, distributed } = options.reeve;
  const roles = rolesGivenIn([...deployments.components.values(), ...distributed.types.values()]);
  let logged: string | undefined;
  const log = pino({ level: 'warn' }, { write: (line: string) => void (logged = causeIn(line) ?? logged) });
  const application = createApplication({
    ...{ ...options, log, settings: SETTINGS, authenticator: operatorAuthenticator(entities, roles) },
    // Decisions are recorded in the store, where there is one.
    audit: options.audit ?? { record: () => undefined },
  });
  const api = new HttpApi({
    ...{ base: 'http://localhost', dimensions: dimensionNames(entities) },
    send: async (request) => application.fetch(request),
    retell: (problem) => withCause(problem, logged),
  });
  return { api, close: async () => application.stop() };
}

function withCause(problem: Problem, cause: string | undefined): Problem {
  if (!LOGGED.has(problem.code) || cause === undefined) return problem;
  if (problem.code === 'defect') return problem.saying(cause);
  return problem.saying(
    `Temporal is unavailable or refuses: ${cause}. The request may still be carried out. ` +
      `Run 'reeve doctor' to find the cause.`,
  );
}

function causeIn(line: string): string | undefined {
  const { err } = JSON.parse(line) as { readonly err?: { readonly message?: string } };
  return err?.message;
}
