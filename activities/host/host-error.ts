/** A request that the host cannot carry out, with the HTTP status and code that say why. */
export class HostError extends Error {
  override readonly name = 'HostError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
