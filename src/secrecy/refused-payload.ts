import type { Payload } from '@temporalio/common';

const REFUSED = 'reeve-refused';

/** What comes in the place of a payload that was refused: no converter reads it, and says why instead. */
export function refusedPayload(why: string): Payload {
  return { metadata: { encoding: new TextEncoder().encode(why), [REFUSED]: new Uint8Array() }, data: new Uint8Array() };
}

export function isRefused({ metadata }: Payload): boolean {
  return metadata?.[REFUSED] !== undefined;
}
