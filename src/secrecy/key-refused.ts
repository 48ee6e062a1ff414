/** A value that was encrypted cannot be read: the key is not here, or no longer. The message is for people. Q5 */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';

  constructor(
    /** The id of the key. */
    readonly keyId: string,
    why: string,
  ) {
    super(why);
  }
}

const NEEDED = 'Set REEVE_PAYLOAD_KEYS to the file of payload keys, as for the workers and the service.';

export function withoutKeys(id: string): KeyRefused {
  return new KeyRefused(
    id,
    `This is encrypted with the payload key ${id}, and no payload keys are given here. ${NEEDED}`,
  );
}

export function unknownKey(id: string, path: string): KeyRefused {
  const remedy = 'REEVE_PAYLOAD_KEYS has to name the file that the workers and the service use.';
  return new KeyRefused(id, `This is encrypted with the payload key ${id}, which ${path} does not have. ${remedy}`);
}

export function destroyedKey(id: string, at: string): KeyRefused {
  const why = `This is encrypted with the payload key ${id}, which was destroyed at ${at}. Its payloads can no longer be read.`;
  return new KeyRefused(id, why);
}

/** The refusal in an error, or in what has caused it. */
export function keyRefusedIn(thrown: unknown): KeyRefused | undefined {
  for (let each = thrown; each instanceof Error; each = each.cause) if (each instanceof KeyRefused) return each;
  return undefined;
}
