import {
  ApplicationFailure,
  condition,
  continueAsNew,
  allHandlersFinished,
  defineQuery,
  defineSignal,
  defineUpdate,
  setDefaultSignalHandler,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnyImplementation } from '../definition/actions.js';
import { newborn } from '../kernel/birth.js';
import { EntityRunner } from '../kernel/runner.js';
import type { Answer, Creation, EntityMessage, RaiseRequest } from '../protocol/messages.js';
import { BATCH_REJECTED, MESSAGE_SIGNAL, parseEntityId, RAISE_UPDATE, SNAPSHOT_QUERY } from '../protocol/names.js';
import { parseCreation, parseEntityMessage, parseRequests } from '../protocol/parse.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { TemporalDriver } from './driver.js';

const raiseUpdate = defineUpdate<readonly Answer[], [readonly RaiseRequest[]]>(RAISE_UPDATE);
const messageSignal = defineSignal<[EntityMessage]>(MESSAGE_SIGNAL);
const snapshotQuery = defineQuery<Snapshot>(SNAPSHOT_QUERY);

/** What an entity's workflow is started with: a creation, or the snapshot that its last run ended with. */
type EntityInput = Creation | { readonly kind: 'continue'; readonly snapshot: Snapshot };

/** The life of one entity, from its creation to its deletion, over any number of runs. */
export async function runEntity(implementation: AnyImplementation, input: unknown): Promise<Snapshot> {
  const { entity } = implementation;
  const driver = new TemporalDriver(entity);
  const { request, snapshot } = birth(implementation, input as EntityInput);
  const runner = new EntityRunner(implementation, driver, snapshot);

  // Before any handler is set: an update that came with the first task must not overtake the event that creates.
  const answer = request && runner.admit(request);

  setHandler(snapshotQuery, () => runner.snapshot(), { description: 'Everything that the entity is.' });
  setHandler(raiseUpdate, async (requests) => runner.raise(requests), {
    description: 'Raises a batch of events and answers each.',
    validator: (requests) => {
      const problem = parseRequests(requests);
      if (problem) throw ApplicationFailure.nonRetryable(problem, 'malformed');
      const answers = runner.rejectAll(requests);
      if (answers) throw ApplicationFailure.nonRetryable('every event was rejected', BATCH_REJECTED, answers);
    },
  });
  setHandler(
    messageSignal,
    (message) => {
      const problem = parseEntityMessage(message);
      if (problem) runner.drop(MESSAGE_SIGNAL, problem);
      else runner.receiveMessage(message);
    },
    { description: 'Messages between entities.' },
  );
  setDefaultSignalHandler((name, ...args) => runner.receiveSignal(name, args[0]));

  if (answer?.status === 'rejected') {
    await condition(() => runner.idle && allHandlersFinished());
    // Nothing comes to be by an event that was rejected.
    throw ApplicationFailure.nonRetryable(answer.rejection.message, answer.rejection.code);
  }
  const end = await runner.run();
  if (end === 'rollover') {
    await continueAsNew<(next: EntityInput) => Promise<Snapshot>>({ kind: 'continue', snapshot: runner.snapshot() });
  }
  await condition(allHandlersFinished);
  return runner.snapshot();
}

function birth(implementation: AnyImplementation, input: EntityInput | undefined) {
  const { entity } = implementation;
  if (input?.kind === 'continue') return { snapshot: input.snapshot, request: undefined };
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const ref = parseEntityId(workflowId);
  const problem = input !== undefined ? parseCreation(input) : undefined;
  if (!ref || ref.type !== entity.name || problem) {
    const reason =
      problem ?? `a workflow of type ${entity.name} has an id like ${entity.name}/orders, not '${workflowId}'`;
    throw ApplicationFailure.nonRetryable(`Not started: ${reason}.`, 'malformed');
  }
  const key = entity.key.safeParse(ref.key);
  if (!key.success) {
    const reason = key.error.issues.map(({ message }) => message).join('; ');
    throw ApplicationFailure.nonRetryable(
      `Not started: '${ref.key}' is not a key of ${entity.name}: ${reason}.`,
      'invalid_key',
    );
  }
  return { snapshot: newborn(entity, ref, firstExecutionRunId, Date.now()), request: input?.request };
}
