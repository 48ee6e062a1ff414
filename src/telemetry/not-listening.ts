/** The settings by which a person lets a server listen elsewhere. */
interface ListeningSettings {
  readonly port: string;
  readonly host: string;
}

/**
 * Says that a server cannot listen at an address, why, and what to set. `what` begins the sentence: 'The management service'.
 */
export function notListening(
  error: NodeJS.ErrnoException,
  what: string,
  { host, port }: { readonly host: string; readonly port: number },
  settings: ListeningSettings,
): Error {
  const elsewhere = `That is no address of this machine. Set one that is: ${settings.host}`;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Another program listens there. End it, or set another port: ${settings.port}`,
    EACCES: `The system does not allow it. Set a port from 1024 on: ${settings.port}`,
    EADDRNOTAVAIL: elsewhere,
    ENOTFOUND: elsewhere,
  };
  const why = reasons[error.code ?? ''] ?? error.message;
  return new Error(`${what} cannot listen on port ${port} of ${host}. ${why}.`, { cause: error });
}
