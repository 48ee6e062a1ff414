import { heartbeat, log } from '@temporalio/activity';
import { QueryNotRegisteredError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { toBeTold } from '../../kernel/ended-successor.js';
import type { Lost } from '../../protocol/messages.js';
import { entityId, MESSAGE_SIGNAL, SNAPSHOT_QUERY } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { isLastTry, type UntoldLoss } from './progress.js';

/** At the same time: each reads a run, which a worker replays for it. */
const AT_ONCE = 5;
/** A run that never came to be answers no question. */
const NEVER_CAME_TO_BE = /did not register a handler/;

/** Tells those who watch entities that these have ended. Gives what could not be told, to be tried again. */
export async function tellLosses(client: Client, losses: readonly UntoldLoss[]): Promise<readonly UntoldLoss[]> {
  const left = [...losses];
  const untold: UntoldLoss[] = [];
  const work = async () => {
    for (let loss = left.shift(); loss; loss = left.shift()) {
      heartbeat();
      try {
        await tellLoss(client, loss);
      } catch (thrown) {
        const tries = loss.tries + 1;
        note(loss, tries, thrown);
        untold.push({ ...loss, tries });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return untold;
}

async function tellLoss(client: Client, { id, run }: UntoldLoss): Promise<void> {
  const snapshot = await readEnded(client, id, run);
  if (!snapshot || (await goesOn(client, id, snapshot.life))) return;
  const { type, key, life } = snapshot;
  for (const to of toBeTold(snapshot)) {
    const message: Lost = { kind: 'lost', from: { type, key, life }, toLife: to.life };
    // Whoever has ended too needs to hear nothing.
    await unlessGone(client.workflow.getHandle(entityId(to)).signal(MESSAGE_SIGNAL, message));
  }
}

/** The entity as it was; nothing when it had not come to be, or the service has forgotten it. */
async function readEnded(client: Client, id: string, run: string): Promise<Snapshot | undefined> {
  try {
    return await client.workflow.getHandle(id, run).query<Snapshot>(SNAPSHOT_QUERY);
  } catch (thrown) {
    if (thrown instanceof QueryNotRegisteredError && NEVER_CAME_TO_BE.test(thrown.message)) return undefined;
    if (thrown instanceof WorkflowNotFoundError) return undefined;
    throw thrown;
  }
}

/** Whether the same life goes on in another run, as when an operator has reset it. */
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
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const attributes = { entity: id, runId: run, tries, reason };
  if (isLastTry(tries)) {
    log.error(
      `${id} was ended by hand, and those who watch it could not be told. Let them know: reeve mark-lost`,
      attributes,
    );
  } else if (tries === 1) {
    log.warn(`${id} was ended by hand, and those who watch it cannot be told now. That is tried again.`, attributes);
  }
}
