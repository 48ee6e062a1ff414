import {
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';

/** gRPC's RESOURCE_EXHAUSTED. The service also answers so for a run that has just gone on in a new one. */
const BUSY = 8;
const GOES_ON = /workflow is closing/;
/** The new run exists almost at once. */
const AGAIN_AFTER_MS = 10;
const TRIES = 50;
/** Where the SDK looks when it is told no address. */
const USUAL_ADDRESS = 'localhost:7233';

/**
 * Connects to Temporal as `Connection.connect` does. An event that comes just when its entity goes on in a new run is sent again
 * at once; by the SDK's own rule it would wait for more than a second.
 * @throws Error that names the address, where nobody answers there; its `cause` is what the SDK has thrown
 */
export async function connect(options: ConnectionOptions = {}): Promise<Connection> {
  try {
    return await Connection.connect(withQuickRetries(options));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`The Temporal service at ${options.address ?? USUAL_ADDRESS} cannot be reached: ${why}.`, {
      cause: thrown,
    });
  }
}

/** The same, but it connects only when something is asked. Until then nobody finds out whether Temporal answers. */
export function connectWhenAsked(options: ConnectionOptions = {}): Connection {
  return Connection.lazy(withQuickRetries(options));
}

function withQuickRetries(options: ConnectionOptions): ConnectionOptions {
  const quick = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, { code, details }) => attempt < TRIES && code === BUSY && GOES_ON.test(details),
    delayFunction: () => AGAIN_AFTER_MS,
  });
  const usual = options.interceptors ?? [makeGrpcRetryInterceptor(defaultGrpcRetryOptions())];
  return { ...options, interceptors: [...usual, quick] };
}
