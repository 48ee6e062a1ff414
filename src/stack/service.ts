import { loadClientConnectConfig } from '@temporalio/envconfig';
import { homeFolder, readStack } from './home.js';

/** Where the Temporal service is: for clients and workers alike. */
export interface ServiceLocation {
  readonly connectionOptions: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  readonly namespace: string;
  /** Temporal's UI, where it is known. */
  readonly uiUrl?: string;
}

/**
 * The service that the standard client configuration names (`TEMPORAL_ADDRESS` and its kin, or a profile file), if it
 * names one.
 */
export function configuredService(env: NodeJS.ProcessEnv = process.env): ServiceLocation | undefined {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: variables });
  if (!connectionOptions.address) return undefined;
  const uiUrl = env['TEMPORAL_UI_URL'];
  return { connectionOptions, namespace: namespace ?? 'default', ...(uiUrl && { uiUrl }) };
}

/**
 * The configured service, else that of the stack which runs on the data folder.
 * @throws when there is neither, or when that of the stack needs credentials
 */
export async function findService(env: NodeJS.ProcessEnv = process.env): Promise<ServiceLocation> {
  const configured = configuredService(env);
  if (configured) return configured;
  const home = homeFolder(env);
  const stack = await readStack(home);
  if (!stack) {
    throw new Error(
      `No stack runs on ${home}. Start one with 'npx reeve up', or set TEMPORAL_ADDRESS to a Temporal service.`,
    );
  }
  const { address, namespace, uiUrl, secured } = stack.temporal;
  if (secured) {
    throw new Error(
      `The stack on ${home} uses the Temporal service at ${address} with credentials, which it does not keep. ` +
        `Give this command the same configuration (TEMPORAL_ADDRESS and its kin, or TEMPORAL_PROFILE).`,
    );
  }
  return { connectionOptions: { address }, namespace, ...(uiUrl !== undefined && { uiUrl }) };
}
