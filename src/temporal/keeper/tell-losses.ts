import { heartbeat, log } from '@temporalio/activity';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Lost } from '../../protocol/successor-messages.js';
import { entityMessageName } from '../../protocol/message-names.js';
import { entityId, parseEntityId } from '../../protocol/names.js';
import { isLastTry, type UntoldLoss } from './progress.js';
import { readEnded } from './read-ended.js';
import { messageOf } from '../../definition/thrown.js';

/** How many are told at the same time, since each reads the history of a run. */
const AT_ONCE = 5;
/** How often the process says that it lives, in milliseconds: where it has died, another one soon tells what is left. */
const BEAT_MS = 1_000;

/** Tells the watchers of entities that these have ended. Gives the losses that could not be told, to be tried again. */
export async function tellLosses(client: Client, losses: readonly UntoldLoss[]): Promise<readonly UntoldLoss[]> {
  const left = [...losses];
  const untold: UntoldLoss[] = [];
  const beats = setInterval(heartbeat, BEAT_MS);
  const work = async () => {
    for (let loss = left.shift(); loss; loss = left.shift()) {
      try {
        await tellLoss(client, loss);
      } catch (thrown) {
        const tries = loss.tries + 1;
        note(loss, tries, thrown);
        untold.push({ ...loss, tries });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => clearInterval(beats));
  return untold;
}

async function tellLoss(client: Client, { id, run }: UntoldLoss): Promise<void> {
  const ended = await readEnded(client, id, run);
  const ref = parseEntityId(id);
  if (!ended || !ref || ended.concerned.length === 0 || (await goesOn(client, id, ended.life))) return;
  for (const to of ended.concerned) {
    const message: Lost = { kind: 'lost', from: { ...ref, life: ended.life }, toLife: to.life };
    // A watcher that has ended too need not hear it.
    await unlessGone(client.workflow.getHandle(entityId(to)).signal(entityMessageName(message), message));
  }
}

/** Tells whether the same life goes on in another run, as when an operator has reset it. */
async function goesOn(client: Client, id: string, life: string): Promise<boolean> {
  const described = await unlessGone(client.workflow.getHandle(id).describe());
  return described?.status.name === 'RUNNING' && described.raw.workflowExecutionInfo?.firstRunId === life;
}

async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof WorkflowNotFoundError) return undefined;
    throw thrown;
  }
}

function note({ id, run }: UntoldLoss, tries: number, thrown: unknown): void {
  const reason = messageOf(thrown);
  const attributes = { entity: id, runId: run, tries, reason };
  if (isLastTry(tries)) {
    log.error(
      `${id} was terminated by an operator, and its watchers could not be informed. Inform them: reeve mark-lost`,
      attributes,
    );
  } else if (tries === 1) {
    log.warn(
      `${id} was terminated by an operator, and its watchers cannot be informed now. This is retried.`,
      attributes,
    );
  }
}
