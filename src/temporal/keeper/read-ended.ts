import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { EntityInput } from '../../kernel/index.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { LivingRef } from '../../protocol/refs.js';
import { isMessageName } from '../../protocol/message-names.js';
import { parseEntityMessage } from '../../protocol/parse.js';
import { concerned } from './concerned.js';

/** An entity that was ended. */
interface Ended {
  readonly life: string;
  readonly concerned: readonly LivingRef[];
}

/**
 * Reads whom the end of a run concerns; nothing when the service has forgotten the run. It reads the history and asks no
 * worker: a query would need code that replays the run, and is refused where a timer has ended that no task has seen.
 */
export async function readEnded(client: Client, id: string, run: string): Promise<Ended | undefined> {
  try {
    const { events } = await client.workflow.getHandle(id, run).fetchHistory();
    const decode = (payloads: Parameters<typeof decodeArrayFromPayloads>[1]) =>
      decodeArrayFromPayloads(client.options.loadedDataConverter, payloads);
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    const [input] = await decode(started?.input?.payloads);
    const messages: EntityMessage[] = [];
    for (const { workflowExecutionSignaledEventAttributes: signal } of events ?? []) {
      if (!signal?.signalName || !isMessageName(signal.signalName)) continue;
      const [message] = await decode(signal.input?.payloads);
      // Anyone can send a signal, so its content is checked.
      if (parseEntityMessage(message) === undefined) messages.push(message as EntityMessage);
    }
    return {
      life: started?.firstExecutionRunId ?? run,
      concerned: concerned(input as EntityInput | undefined, messages),
    };
  } catch (thrown) {
    if (thrown instanceof WorkflowNotFoundError) return undefined;
    throw thrown;
  }
}
