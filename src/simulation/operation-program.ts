import { endOperation, hear, isDone, resultOf, startOperation, type OperationStatus } from '../operations/operation.js';
import type { OperationMessage, OperationStart } from '../protocol/messages.js';
import type { Program } from './instance.js';

type OperationInput = OperationStart | { readonly kind: 'continue'; readonly status: OperationStatus };

/** The workflow code of an operation, as it runs on Temporal. */
export const operationProgram: Program = async (instance, argument) => {
  const input = argument as OperationInput;
  let status = input.kind === 'continue' ? input.status : startOperation(input);
  instance.serve({
    reading: () => status,
    message: (message) => {
      status = hear(status, message as OperationMessage);
    },
  });
  await instance.until(() => isDone(status) || (instance.rollOver && instance.handlersFinished()));
  if (!isDone(status)) return { kind: 'rollover', argument: { kind: 'continue', status } };
  status = endOperation(status, instance.now);
  return { kind: 'closed', result: resultOf(status) };
};
