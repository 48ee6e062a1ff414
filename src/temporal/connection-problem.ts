import { isGrpcServiceError, type ConnectionOptions } from '@temporalio/client';
import { isIP } from 'node:net';
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import { messageOf } from '../definition/thrown.js';

/** gRPC's codes for a caller who is not known, or may not do this. */
const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;
const ANSWERS_WITHIN_MS = 5_000;

const UNTRUSTED =
  'its certificate is not signed by a trusted authority. Name the certificate of the authority by TEMPORAL_TLS_SERVER_CA_CERT_PATH';

/** The codes that Node gives for a certificate, and what to do. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired. Its operator has to renew it',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet. Compare the clocks of both machines',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};

const NAME_WANTED =
  'from Node 26 on, a service that speaks TLS has to be named by a name, and this is an IP address. ' +
  'Write a name in TEMPORAL_ADDRESS, or set TEMPORAL_TLS_SERVER_NAME to a name of its certificate';

/**
 * Says why a Temporal service does not take a connection, with what to do: the SDK only says that the time was over. Q5
 * @param thrown what the SDK has thrown
 */
export async function connectionProblem(
  { address = '', tls, apiKey }: Pick<ConnectionOptions, 'address' | 'tls' | 'apiKey'>,
  thrown: unknown,
): Promise<string> {
  const why = messageOf(thrown);
  const refusal = [thrown, (thrown as Error | undefined)?.cause].find(isGrpcServiceError);
  if (refusal?.code === UNAUTHENTICATED || refusal?.code === PERMISSION_DENIED) {
    return apiKey
      ? `it refuses the API key (${refusal.details}). Correct TEMPORAL_API_KEY, or the key of the profile`
      : `it asks for an API key (${refusal.details}). Set TEMPORAL_API_KEY, or a profile with a key`;
  }
  const settings = typeof tls === 'object' && tls !== null ? tls : {};
  const pair = settings.clientCertPair;
  const trial: TlsOptions = {
    ...(settings.serverNameOverride && { servername: settings.serverNameOverride }),
    ...(settings.serverRootCACertificate && { ca: Buffer.from(settings.serverRootCACertificate) }),
    ...(pair && { cert: Buffer.from(pair.crt), key: Buffer.from(pair.key) }),
  };
  if (!(tls || apiKey)) {
    const speaksTls = (await handshake(address, { rejectUnauthorized: false })) === undefined;
    return speaksTls ? 'it speaks TLS. Set TEMPORAL_TLS=true' : why;
  }
  const failure = await handshake(address, trial);
  const said = failure?.code === undefined ? undefined : CERTIFICATES[failure.code];
  if (said !== undefined) return said;
  switch (failure?.code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is that of another name (${failure.message}). Correct TEMPORAL_ADDRESS or TEMPORAL_TLS_SERVER_NAME`;
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return 'it does not speak TLS. Remove TEMPORAL_TLS and TEMPORAL_API_KEY, or correct TEMPORAL_ADDRESS';
    default:
      if (failure) return `${why}: ${failure.message}`;
      return settings.serverNameOverride === undefined && isRefusedAsName(hostOf(address).host) ? NAME_WANTED : why;
  }
}

/** gRPC names the host that it asks, also where that is an IP address. Node 26 refuses that (DEP0123), and older ones warn. */
function isRefusedAsName(host: string): boolean {
  return isIP(host) !== 0 && Number.parseInt(process.versions.node, 10) >= 26;
}

function hostOf(address: string): { readonly host: string; readonly port: string } {
  const { hostname, port } = new URL(`https://${address}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port };
}

/** Shakes hands once. Gives what is wrong, or nothing. */
function handshake(address: string, options: TlsOptions): Promise<NodeJS.ErrnoException | undefined> {
  const { host, port } = hostOf(address);
  return new Promise((resolve) => {
    const socket = connectTls({
      host,
      port: Number(port || 7_233),
      ALPNProtocols: ['h2'],
      timeout: ANSWERS_WITHIN_MS,
      ...options,
    });
    const end = (failure?: NodeJS.ErrnoException) => {
      socket.destroy();
      resolve(failure);
    };
    socket.once('secureConnect', () => end());
    socket.once('error', end);
    socket.once('timeout', () => end(new Error('no answer in time')));
  });
}
