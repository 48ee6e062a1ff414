import type { EntityRef } from '../protocol/names.js';
import { readStore } from './lists/store-problem.js';
import { readList, type Listed, type ListLimits } from './lists/read-list.js';
import type { Visible } from './lists/visible.js';
import type { Query } from './odata/index.js';
import { feedStore, type FeedStore } from './feed/feed-store.js';
import { ProblemError } from './problem.js';
import { countEntities } from './summary/count-entities.js';
import { countOperations } from './summary/count-operations.js';
import { countTransitions, type TransitionQuestion } from './summary/count-transitions.js';
import type { EntityCount } from './summary/entity-summary-schema.js';
import type { SummaryQuestion } from './summary/question.js';
import type { OperationSummary } from './summary/summary-schema.js';
import type { TransitionSummary } from './summary/transition-summary-schema.js';
import {
  listDistributed,
  openDistributed,
  readDeployment,
  readDistributed,
  readEntities,
  readEntity,
  readEntityVersion,
  readEventOrigin,
  readOperation,
  readOperationPlace,
  readSentRequests,
  type DeploymentDetails,
  type DistributedPage,
  type DistributedRow,
  type EntityVersion,
  type EventOrigin,
  type OperationDetails,
  type SentRequest,
  type Store,
  type StoreViews,
} from '../store/index.js';

/** Describes what the service asks the store, and what it tells the store. */
export interface ServiceStore {
  /** Returns how an entity was when it last said so. Gives `undefined` when there is no row. @throws ProblemError 503, 504 S5.2 */
  entity(ref: EntityRef): Promise<StoreViews['entities'] | undefined>;
  /** The rows of these entities, of those that have one. @throws ProblemError 503, 504 */
  entities(refs: readonly EntityRef[]): Promise<readonly StoreViews['entities'][]>;
  /** An entity at a version of its latest life, or of another one. @throws ProblemError 503, 504 S5.1 */
  entityVersion(ref: EntityRef, version: number, life?: string): Promise<EntityVersion | undefined>;
  /** Where history has an event. @throws ProblemError 503, 504 S5.1 */
  eventOrigin(eventId: number): Promise<EventOrigin | undefined>;
  /** An operation by its request id, with its events and their transitions. @throws ProblemError 503, 504 S5.1 */
  operation(id: string): Promise<OperationDetails | undefined>;
  /** The latest deployment of a name, with its components. @throws ProblemError 503, 504 W1 */
  deployment(name: string): Promise<DeploymentDetails | undefined>;
  /** An operation over partitions by its name, as it last told the store. @throws ProblemError 503, 504 S5.2 */
  distributed(name: string): Promise<DistributedRow | undefined>;
  /** A page of the operations over partitions, the latest first. @throws ProblemError 503, 504 S5.2 */
  listDistributed(page: DistributedPage): Promise<readonly DistributedRow[]>;
  /** The operations over partitions that run, or have failed since a time, the oldest first. @throws ProblemError 503, 504 S5.4 */
  openDistributed(asked: { readonly since: Date; readonly rows: number }): Promise<readonly DistributedRow[]>;
  /** The entity on which an operation was opened, where the store knows it. @throws ProblemError 503, 504 */
  operationPlace(id: string): Promise<EntityRef | undefined>;
  /** The requests that were sent with an idempotency key, by anybody. @throws ProblemError 503, 504 S2.5 */
  sentRequests(key: string): Promise<readonly SentRequest[]>;
  /** Notes when a request was first answered, in milliseconds since 1970, and on which entity it opened its operation. S5.1 */
  noteFirstResponse(id: string, at: number, on: EntityRef): Promise<void>;
  /** A page of the rows that the caller may see. @throws ProblemError 503, 504; ODataError for a skip token that is not right */
  list(query: Query, visible: Visible, limits: ListLimits): Promise<Listed>;
  /** The operations that the caller may see, summed up. A4 @throws ProblemError 503, 504 */
  summary(question: SummaryQuestion, visible: Visible): Promise<OperationSummary>;
  /** The entities that the caller may see, counted by type, state and health. @throws ProblemError 503, 504 */
  countEntities(visible: Visible): Promise<readonly EntityCount[]>;
  /** The transitions and rejections of a period that the caller may see, counted. @throws ProblemError 503, 504 */
  countTransitions(question: TransitionQuestion, visible: Visible): Promise<TransitionSummary>;
  /** The feed of changes; absent where there is no store. A6 */
  readonly feed?: FeedStore;
}

const noStore = async (): Promise<never> => {
  throw new ProblemError('no_store', 'This service is not connected to a store, so nothing can be listed.');
};

/** Takes the place of the store where none is connected, so that the routes, and the OpenAPI document, are the same. */
export const NO_STORE: ServiceStore = {
  entity: async () => undefined,
  entities: async () => [],
  entityVersion: noStore,
  eventOrigin: noStore,
  operation: async () => undefined,
  deployment: async () => undefined,
  distributed: async () => undefined,
  listDistributed: noStore,
  openDistributed: noStore,
  operationPlace: async () => undefined,
  sentRequests: async () => [],
  noteFirstResponse: async () => undefined,
  list: noStore,
  summary: noStore,
  countEntities: noStore,
  countTransitions: noStore,
};

/** Reads something by its name. @throws ProblemError 503, 504 */
const read = <T>(work: () => Promise<T>) => readStore('Try again in a moment.', work);

/** Of a store in which nothing is secret. */
const NOTHING_SECRET: Pick<Store['secrets'], 'reveal'> = { reveal: async (row) => row };

/** Makes what the management service needs of a store. */
export function serviceStore({
  reader,
  writer,
  secrets = NOTHING_SECRET,
}: Pick<Store, 'reader' | 'writer'> & {
  readonly secrets?: Pick<Store['secrets'], 'reveal'>;
}): ServiceStore {
  return {
    entity: (ref) => read(async () => secrets.reveal(await readEntity(reader, ref))),
    entities: (refs) => read(async () => secrets.reveal(await readEntities(reader, refs))),
    entityVersion: async (ref, version, life) => {
      const readVersion = () => readEntityVersion(reader, ref, version, life);
      const found = await readStore('It has too many versions before this one.', readVersion);
      return found && { ...found, ...(found.held && { held: await secrets.reveal(found.held) }) };
    },
    eventOrigin: (eventId) => read(() => readEventOrigin(reader, eventId)),
    operation: (requestId) => read(() => readOperation(reader, { requestId })),
    deployment: (name) => read(() => readDeployment(reader, name)),
    distributed: (name) => read(() => readDistributed(reader, name)),
    listDistributed: (page) => read(() => listDistributed(reader, page)),
    openDistributed: (asked) => read(() => openDistributed(reader, asked)),
    list: async (query, visible, limits) => {
      const listed = await readList(reader, query, visible, limits);
      return { ...listed, items: await secrets.reveal(listed.items) };
    },
    summary: (question, visible) => countOperations(reader, question, visible),
    countEntities: (visible) => countEntities(reader, visible),
    countTransitions: (question, visible) => countTransitions(reader, question, visible),
    feed: feedStore({ reader, writer }),
    operationPlace: (id) => read(() => readOperationPlace(reader, id)),
    sentRequests: (key) => read(() => readSentRequests(reader, key)),
    noteFirstResponse: (id, at, on) => writer.noteFirstResponse(id, at, on),
  };
}
