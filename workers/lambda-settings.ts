import { tmpdir } from 'node:os';
import { resolve, sep } from 'node:path';

/**
 * Says which settings cannot be kept in AWS Lambda, each with what to do. None: they fit. Q3
 * @param env the variables of the function
 */
export function refusedSettings(env: NodeJS.ProcessEnv): readonly string[] {
  const refused: string[] = [];
  for (const name of ['REEVE_METRICS_PORT', 'REEVE_TEMPORAL_METRICS']) {
    if (env[name]) refused.push(`${name} is set, but the metrics of an invocation cannot be scraped. Remove it.`);
  }
  if (!env['DATABASE_URL']) {
    refused.push('DATABASE_URL is not set, and no PostgreSQL can run here. Name the one that has the store.');
  }
  const home = env['REEVE_DATA_DIR'];
  if (!home) {
    refused.push(
      'REEVE_DATA_DIR is not set. Name a folder that all workers share, where the resource host has put how it is reached: a mounted file ' +
        'system. The resource host itself never runs here.',
    );
  } else if (
    [tmpdir(), '/tmp'].some((folder) => `${resolve(home)}${sep}`.startsWith(`${folder}${sep}`)) &&
    isLambda(env)
  ) {
    refused.push(
      `REEVE_DATA_DIR is ${home}, which is lost with the invocation. Name a folder of a mounted file system.`,
    );
  }
  return refused;
}

/** Whether this is the platform itself, which sets this variable. */
function isLambda(env: NodeJS.ProcessEnv): boolean {
  return env['AWS_EXECUTION_ENV'] !== undefined;
}
