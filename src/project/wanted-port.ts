import { portFrom } from '../service/environment.js';
import { choosePort, isFree } from '../stack/ports.js';

const SERVICE_PORT = 8_234;

/**
 * The port on which the management service is to listen: the one that the environment names, or else the default one, which may
 * move where it is taken.
 * @throws when the named one is taken
 */
export async function wantedPort(env: NodeJS.ProcessEnv): Promise<number> {
  const named = portFrom(env);
  if (named === undefined) return SERVICE_PORT;
  if (named === 0) return choosePort();
  if (await isFree(named)) return named;
  throw new Error(
    `REEVE_API_PORT is ${named}, and another program listens on that port. End it, or set another port. Without ` +
      `REEVE_API_PORT, a free one is chosen.`,
  );
}
