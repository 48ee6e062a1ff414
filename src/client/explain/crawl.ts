import type { Client } from '@temporalio/client';
import type { AnyEntity } from '../../definition/entity.js';
import { explainEntity, healthOf, isSettled, waitedFor } from '../../kernel/index.js';
import { Rejected } from '../../protocol/errors.js';
import { parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { Unborn, type EntityReader } from '../entity-reader.js';
import type { Audience, Met } from './audience.js';
import { withWholeAge } from './call-age.js';
import { isUnserved, readExecution, type Execution } from './execution.js';
import type { ExplainedEntity, UnreadEntity } from './explanation.js';
import { failsInCode } from './lost-task.js';
import type { TaskQueues } from './task-queues.js';
import { messageOf } from '../../definition/thrown.js';

/** How many are read at once. More would keep the service from its work. */
const AT_ONCE = 8;
/** Nobody would read an explanation of more entities. */
export const MOST_ENTITIES = 200;

/** An entity without its place in the tree. */
export type Found = Omit<ExplainedEntity, 'below'> | UnreadEntity;

/** Reads entities, then the entities for which they wait, and so on. */
export class Crawl {
  readonly found = new Map<string, Found>();
  readonly #client: Client;
  readonly #reader: EntityReader;
  readonly #entities: ReadonlyMap<string, AnyEntity>;
  readonly #queues: TaskQueues;
  readonly #audience: Audience;

  constructor(
    client: Client,
    reader: EntityReader,
    entities: ReadonlyMap<string, AnyEntity>,
    queues: TaskQueues,
    audience: Audience,
  ) {
    this.#client = client;
    this.#reader = reader;
    this.#entities = entities;
    this.#queues = queues;
    this.#audience = audience;
  }

  /** Begins with these entities (`LogicalServer/orders`) and reads the nearest first, as many as an explanation holds. */
  async run(from: readonly string[]): Promise<void> {
    const next = [...new Set(from)];
    while (next.length > 0 && this.found.size < MOST_ENTITIES) {
      const batch = next.splice(0, Math.min(AT_ONCE, MOST_ENTITIES - this.found.size));
      const found = await Promise.all(batch.map((entity) => this.#read(entity)));
      for (const each of found) this.found.set(each.entity, each);
      const beyond = found.flatMap((each) => (each.kind === 'entity' ? waitedFor(each.waits) : []));
      next.push(...new Set(beyond.filter((entity) => !this.found.has(entity) && !next.includes(entity))));
    }
  }

  async #read(entity: string): Promise<Found> {
    const ref = parseEntityId(entity);
    const execution = await readExecution(this.#client, entity);
    const { found, owner } = await this.#find(entity, ref, execution);
    if (this.#audience.everything) return found;
    const life = execution?.life;
    const met: Met | undefined = ref && { ...ref, ...(owner && { owner }), ...(life !== undefined && { life }) };
    return met && (await this.#audience.shows(met)) ? found : unread(entity, 'hidden');
  }

  async #find(
    entity: string,
    ref: EntityRef | undefined,
    execution: Execution | undefined,
  ): Promise<{ readonly found: Found; readonly owner?: Met['owner'] }> {
    const declaration = ref && this.#entities.get(ref.type);
    if (!execution) return { found: unread(entity, 'absent') };
    if (!ref || !declaration) return { found: unread(entity, 'unknown_type', execution) };
    if (execution.terminated) return { found: unread(entity, 'ended', execution) };
    if (execution.unservedBuild) this.#queues.notePinned(execution.taskQueue);
    if (!execution.completed && (execution.unservedBuild || !this.#queues.answers(execution.taskQueue))) {
      return { found: unread(entity, 'no_answer', execution) };
    }
    try {
      const { snapshot } = await this.#reader.read(ref);
      return { found: explained(declaration, snapshot, entity, execution), owner: { tenant: snapshot.tenant } };
    } catch (thrown) {
      const message = messageOf(thrown);
      if (!(thrown instanceof Rejected)) return { found: { ...unread(entity, 'failed', execution), message } };
      if (thrown instanceof Unborn) {
        return { found: { ...unread(entity, 'unborn', execution), since: execution.startedAt } };
      }
      if (thrown.code === 'absent') return { found: unread(entity, 'absent') };
      // The workflow may have failed only because it was asked.
      const now = (await readExecution(this.#client, entity)) ?? execution;
      if (isUnserved(now)) this.#queues.noteSilence(now.taskQueue);
      return { found: unread(entity, now.task && failsInCode(now.task) ? 'failed' : 'no_answer', now) };
    }
  }
}

export function unread(entity: string, reason: UnreadEntity['reason'], execution?: Execution): UnreadEntity {
  const { state, operation } = execution?.shown ?? {};
  return {
    ...{ kind: 'unread', entity, reason },
    ...(state !== undefined && { state }),
    ...(operation !== undefined && { operation }),
    ...servedBy(execution),
  };
}

function explained(declaration: AnyEntity, snapshot: Snapshot, entity: string, execution: Execution): Found {
  const { state, enteredAt, engagements, postponed, failure } = snapshot;
  const underWay = [...engagements, ...(postponed?.engagement ? [postponed.engagement] : [])];
  const health = healthOf(declaration, snapshot);
  const settled = isSettled(declaration, snapshot);
  const enteredIn = settled && health === 'error' && !failure ? snapshot.operation?.id : undefined;
  const waits = explainEntity(declaration, snapshot);
  const served = servedBy(execution);
  return {
    ...{ kind: 'entity', entity, state, since: enteredAt, health },
    settled,
    events: underWay.map(({ event, operation, startedAt }) => ({ event, operation, since: startedAt })),
    ...(health === 'error' && failure && { failure }),
    ...(enteredIn !== undefined && { enteredIn }),
    waits,
    ...served,
    calls: withWholeAge(served.calls, waits),
  };
}

function servedBy(execution: Execution | undefined) {
  const { calls = [], task, unservedBuild } = execution ?? {};
  return { calls, ...(task && { task }), ...(unservedBuild !== undefined && { unservedBuild }) };
}
