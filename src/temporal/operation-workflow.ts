import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  log,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { describeOperation } from '../operations/describe.js';
import {
  endOperation,
  hear,
  isDone,
  resultOf,
  startOperation,
  type OperationResult,
  type OperationStatus,
} from '../operations/operation.js';
import type { OperationMessage, OperationStart } from '../protocol/messages.js';
import { OPERATION_QUERY, OPERATION_SIGNAL, SEARCH_ATTRIBUTES } from '../protocol/names.js';
import { parseOperationMessage } from '../protocol/parse.js';

const messageSignal = defineSignal<[OperationMessage]>(OPERATION_SIGNAL);
const statusQuery = defineQuery<OperationStatus>(OPERATION_QUERY);

type OperationInput = OperationStart | { readonly kind: 'continue'; readonly status: OperationStatus };

/** Follows one request through all the entities that it reaches, until they have settled. */
export async function runOperation(input: OperationInput): Promise<OperationResult> {
  let status = input.kind === 'continue' ? input.status : startOperation(input);
  const show = () => setCurrentDetails(describeOperation(status));
  setHandler(statusQuery, () => status, { description: 'How far the operation is.' });
  setHandler(
    messageSignal,
    (message) => {
      const problem = parseOperationMessage(message);
      if (problem) {
        log.warn('dropped a malformed message', { problem });
        return;
      }
      status = hear(status, message);
      show();
    },
    { description: 'Messages from participants.' },
  );
  show();
  if (input.kind === 'start') {
    upsertSearchAttributes({
      [SEARCH_ATTRIBUTES.operation]: [status.id],
      [SEARCH_ATTRIBUTES.outcome]: ['running'],
    });
  }

  await condition(() => isDone(status) || (workflowInfo().continueAsNewSuggested && allHandlersFinished()));
  if (!isDone(status)) await continueAsNew<typeof runOperation>({ kind: 'continue', status });

  status = endOperation(status, Date.now());
  show();
  upsertSearchAttributes({ [SEARCH_ATTRIBUTES.outcome]: [status.outcome] });
  return resultOf(status);
}
