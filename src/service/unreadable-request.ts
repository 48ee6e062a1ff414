import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { kindOf } from './problem.js';

/** Answers what could not be read as a request, before any route is asked. */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Pick<Socket, 'writable' | 'end' | 'destroy'>,
): void {
  // A client that has gone away, or that is being answered already, gets no more.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason, code, detail } =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? {
          ...{ status: 431, reason: 'Request Header Fields Too Large', code: 'headers_too_large' },
          detail: 'Path, query and headers are too large together. Ask for less, or with fewer conditions.',
        }
      : { status: 400, reason: 'Bad Request', code: 'malformed', detail: 'This is not an HTTP request.' };
  const problem = {
    ...kindOf(code),
    status,
    detail,
    code,
    requestId: randomUUID(),
    error: { code, message: detail },
  };
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
