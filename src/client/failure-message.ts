import type { Client } from '@temporalio/client';
import type { ProtoFailure } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { messageOf } from '../definition/thrown.js';

/** The message of a failure that Temporal tells; where it is encrypted and the keys are not here, what that needs. Q5 */
export async function failureMessage(
  client: Client,
  failure: ProtoFailure | null | undefined,
): Promise<string | undefined> {
  try {
    const error = await decodeOptionalFailureToOptionalError(client.options.loadedDataConverter, failure);
    return error?.message || undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
