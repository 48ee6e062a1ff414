import type { Socket } from 'node:net';

/** The first request of a PostgreSQL client: a session in a database, or to cancel what another connection runs. */
export interface StartupMessage {
  readonly kind: 'session' | 'cancel';
  /** The database of a session. Where the client names none, PostgreSQL takes the name of the user. */
  readonly database?: string;
  /** All that has come so far, which has to be sent to the service. */
  readonly bytes: Buffer;
}

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const LONGEST = 10_000;

/**
 * Reads the first message of a client, and leaves the socket paused. It declines encryption, since the service is on this
 * machine. Gives `undefined` when the client is gone, too slow, or speaks another protocol.
 */
export function readStartup(socket: Socket, withinMs: number): Promise<StartupMessage | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const end = (message?: StartupMessage) => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', take).off('close', gone).off('error', gone);
      resolve(message);
    };
    const gone = () => end();
    const take = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 8) {
        const length = received.readUInt32BE(0);
        if (length < 8 || length > LONGEST) return end();
        if (received.length < length) return;
        const code = received.readUInt32BE(4);
        if (code === SSL_REQUEST || code === GSS_REQUEST) {
          socket.write('N');
          received = received.subarray(length);
          continue;
        }
        if (code === CANCEL_REQUEST) return end({ kind: 'cancel', bytes: received });
        const database = databaseOf(received.subarray(8, length));
        return end({ kind: 'session', bytes: received, ...(database !== undefined && { database }) });
      }
    };
    const timer = setTimeout(gone, withinMs);
    socket.on('data', take).once('close', gone).once('error', gone);
  });
}

/** The parameters are names and values in turn, each ended by a zero byte. */
function databaseOf(parameters: Buffer): string | undefined {
  const texts = parameters.toString('utf8').split('\0');
  const value = (name: string) => {
    const at = texts.findIndex((text, index) => index % 2 === 0 && text === name);
    return at < 0 ? undefined : texts[at + 1];
  };
  return value('database') ?? value('user');
}

/** A refusal that a client shows to its user, in PostgreSQL's own form of an error. */
export function refusal(sqlState: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`, 'utf8');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
