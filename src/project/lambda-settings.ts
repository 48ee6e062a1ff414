import { tmpdir } from 'node:os';
import { resolve, sep } from 'node:path';
import { configuredService } from '../stack/service.js';

/**
 * Says which settings cannot be kept in AWS Lambda, each with what to do. None: they fit. Q3
 * @param env the variables of the function
 */
export function refusedSettings(env: NodeJS.ProcessEnv): readonly string[] {
  const refused: string[] = [];
  for (const name of ['REEVE_METRICS_PORT', 'REEVE_TEMPORAL_METRICS']) {
    if (env[name]) refused.push(`${name} is set, but the metrics of an invocation cannot be scraped. Remove it.`);
  }
  if (!configuredService(env)) {
    refused.push(
      'The address of the Temporal service is missing. Set TEMPORAL_ADDRESS, or put a configuration file into the package and set TEMPORAL_CONFIG_FILE.',
    );
  }
  if (!env['DATABASE_URL']) {
    refused.push('DATABASE_URL is not set. Set it to the address of the PostgreSQL that has the store.');
  }
  return refused;
}

/**
 * The data directory, for the project's own code of a worker, which is asked for only where that code uses it.
 * @throws Error where no other worker would ever see what is put there
 */
export function sharedDataDirectory(env: NodeJS.ProcessEnv): string {
  const home = env['REEVE_DATA_DIR'];
  const remedy = 'Set it to a folder of a mounted file system that all workers share.';
  if (!home) throw new Error(`REEVE_DATA_DIR is not set, but the module 'worker' of the project uses it. ${remedy}`);
  const isLost = [tmpdir(), '/tmp'].some((folder) => `${resolve(home)}${sep}`.startsWith(`${folder}${sep}`));
  if (isLost && isLambda(env))
    throw new Error(`REEVE_DATA_DIR is ${home}, but that folder is lost when the invocation ends. ${remedy}`);
  return resolve(home);
}

/** Says whether this is the platform itself, which sets this variable. */
function isLambda(env: NodeJS.ProcessEnv): boolean {
  return env['AWS_EXECUTION_ENV'] !== undefined;
}
