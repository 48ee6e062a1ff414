import {
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import { connectionProblem } from './connection-problem.js';

/**
 * gRPC's RESOURCE_EXHAUSTED. The service also answers so for a run that has just gone on in a new one, and for all reads of a
 * workflow but one while a task of it is under way.
 */
const BUSY = 8;
const MOMENTARY = /workflow is closing|query buffer is full/;
/** gRPC's CANCELLED. */
const CANCELED = 1;
/** The new run exists almost at once, and a task is soon over: the first pause, by how much each is longer, and the longest one. */
const AGAIN_AFTER_MS = 10;
const GROWTH = 1.2;
const LONGEST_PAUSE_MS = 200;
const TRIES = 50;
/** Where the SDK looks when it is told no address. */
const USUAL_ADDRESS = 'localhost:7233';

/**
 * Connects to Temporal as `Connection.connect` does. An event that comes just when its entity goes on in a new run is sent again
 * at once, and so are reads that come together; by the SDK's own rule they would wait for more than a second.
 * @throws Error that names the address, where it does not take the connection, with the reason and what to do; its `cause` is what
 *     the SDK has thrown. Q5
 */
export async function connect(options: ConnectionOptions = {}): Promise<Connection> {
  const closing = new Closing();
  try {
    return closing.with(await Connection.connect(withQuickRetries(options, closing)));
  } catch (thrown) {
    const why = await connectionProblem(options, thrown);
    throw new Error(`The Temporal service at ${options.address ?? USUAL_ADDRESS} cannot be used: ${why}.`, {
      cause: thrown,
    });
  }
}

/** The same, but it connects only when something is asked. Until then nobody finds out whether Temporal answers. */
export function connectWhenAsked(options: ConnectionOptions = {}): Connection {
  const closing = new Closing();
  return closing.with(Connection.lazy(withQuickRetries(options, closing)));
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Interceptor>;

/**
 * Ends the calls of a connection with it. The SDK tries a call again that the closing has broken, and gRPC refuses that with an
 * error in a timer, where nobody can catch it: the process would end.
 */
class Closing {
  #closed = false;

  /** The innermost interceptor, which also sees what is tried again. */
  readonly interceptor: Interceptor = (options, nextCall) =>
    this.#closed ? canceledCall() : (nextCall(options) as Call);

  with(connection: Connection): Connection {
    const close = connection.close.bind(connection);
    connection.close = () => {
      this.#closed = true;
      return close();
    };
    return connection;
  }
}

function canceledCall(): Call {
  const call: ReturnType<Parameters<Interceptor>[1]> = {
    start(metadata, listener) {
      // A caller expects no answer before it has sent its message.
      setImmediate(() => {
        listener?.onReceiveMessage?.(null);
        listener?.onReceiveStatus?.({ code: CANCELED, details: 'The connection was closed.', metadata });
      });
    },
    cancelWithStatus: () => undefined,
    getPeer: () => '',
    getAuthContext: () => null,
    sendMessage: () => undefined,
    sendMessageWithContext: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
  };
  // gRPC wants these methods only, although its type names a class.
  return call as Call;
}

function withQuickRetries(options: ConnectionOptions, closing: Closing): ConnectionOptions {
  const quick = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, { code, details }) => attempt < TRIES && code === BUSY && MOMENTARY.test(details),
    delayFunction: (attempt) => Math.min(LONGEST_PAUSE_MS, AGAIN_AFTER_MS * GROWTH ** attempt),
  });
  const usual = options.interceptors ?? [makeGrpcRetryInterceptor(defaultGrpcRetryOptions())];
  return { ...options, interceptors: [...usual, quick, closing.interceptor] };
}
