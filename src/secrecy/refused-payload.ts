import type { Payload } from '@temporalio/common';

const REFUSED = 'reeve-refused';

/** Makes the payload that stands in for a refused one. No converter reads it, and the error of the converter says why. */
export function refusedPayload(why: string): Payload {
  return { metadata: { encoding: new TextEncoder().encode(why), [REFUSED]: new Uint8Array() }, data: new Uint8Array() };
}

export function isRefused({ metadata }: Payload): boolean {
  return metadata?.[REFUSED] !== undefined;
}
