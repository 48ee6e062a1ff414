import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { PayloadSettings } from '../secrecy/payload-settings.js';
import { dataDirectoryFrom, readStack } from './data-directory.js';
import { findPayloadSettings } from './payload-keys.js';

/** Where the Temporal service is: for clients and workers alike. */
export interface ServiceLocation {
  readonly connectionOptions: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  readonly namespace: string;
  /** Temporal's UI, where it is known. */
  readonly uiUrl?: string;
  /** How payloads are encrypted there. Q5 */
  readonly payloads: PayloadSettings;
}

/**
 * The service that the standard client configuration names, if it names one. That configuration is `TEMPORAL_ADDRESS` and the
 * variables like it, or a profile file.
 */
export function configuredService(env: NodeJS.ProcessEnv = process.env): ServiceLocation | undefined {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: variables });
  if (!connectionOptions.address) return undefined;
  const uiUrl = env['TEMPORAL_UI_URL'];
  return {
    connectionOptions,
    namespace: namespace ?? 'default',
    payloads: findPayloadSettings(env),
    ...(uiUrl && { uiUrl }),
  };
}

/**
 * The configured service, or else that of the stack that runs on the data directory.
 * @throws when there is neither, or when the service of the stack needs credentials
 */
export async function findService(env: NodeJS.ProcessEnv = process.env): Promise<ServiceLocation> {
  const configured = configuredService(env);
  if (configured) return configured;
  const home = dataDirectoryFrom(env);
  const stack = await readStack(home);
  if (!stack) {
    throw new Error(
      `No stack is running in the data directory ${home}. Start one with 'npx reeve up', or set TEMPORAL_ADDRESS to a Temporal service.`,
    );
  }
  const { address, namespace, uiUrl, secured } = stack.temporal;
  if (secured) {
    throw new Error(
      `The stack on ${home} uses the Temporal service at ${address} with credentials, which it does not keep. ` +
        `Give this command the same configuration: TEMPORAL_ADDRESS and the variables like it, or TEMPORAL_PROFILE.`,
    );
  }
  const payloads = findPayloadSettings(env);
  return { connectionOptions: { address }, namespace, payloads, ...(uiUrl !== undefined && { uiUrl }) };
}
