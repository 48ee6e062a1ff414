import type { ErrorCode } from '../../../protocol/error-codes/index.js';
import { ProblemError } from '../../../service/problem.js';
import type { ServiceStore } from '../../../service/service-store.js';
import { storeFailure } from '../../store-failure.js';

/** The store, with errors that say where it is and what to do. Only the person at the data directory can do that. */
export function toldStore(store: ServiceStore, url: string): ServiceStore {
  const told = async <T>(work: Promise<T>, away: ErrorCode = 'unreachable'): Promise<T> => {
    try {
      return await work;
    } catch (thrown) {
      const isProblem = thrown instanceof ProblemError;
      const failure = storeFailure(isProblem ? thrown.cause : thrown, url);
      const code = isProblem && thrown.code === 'store_unavailable' ? away : 'unreachable';
      throw failure ? new ProblemError(code, failure.message) : thrown;
    }
  };
  const { feed } = store;
  return {
    entity: (ref) => told(store.entity(ref)),
    entities: (refs) => told(store.entities(refs)),
    entityVersion: (ref, version, life) => told(store.entityVersion(ref, version, life)),
    eventOrigin: (eventId) => told(store.eventOrigin(eventId)),
    operation: (id) => told(store.operation(id)),
    deployment: (name) => told(store.deployment(name)),
    distributed: (name) => told(store.distributed(name)),
    // Temporal tells which there are instead.
    listDistributed: (page) => told(store.listDistributed(page), 'store_unavailable'),
    openDistributed: (asked) => told(store.openDistributed(asked)),
    list: (query, visible, limits) => told(store.list(query, visible, limits)),
    // Temporal tells what runs instead.
    summary: (question, visible) => told(store.summary(question, visible), 'store_unavailable'),
    countEntities: (visible) => told(store.countEntities(visible)),
    countTransitions: (question, visible) => told(store.countTransitions(question, visible)),
    operationPlace: (id) => told(store.operationPlace(id)),
    sentRequests: (key) => told(store.sentRequests(key)),
    noteFirstResponse: (id, at, on) => told(store.noteFirstResponse(id, at, on)),
    ...(feed && {
      feed: {
        state: () => told(feed.state()),
        changes: (question) => told(feed.changes(question)),
        note: (listener) => told(feed.note(listener)),
        listeners: () => told(feed.listeners()),
      },
    }),
  };
}
