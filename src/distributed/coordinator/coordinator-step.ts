/*
 * The coordinator of a target takes one input after the other.
 *
 * coordinator-step.1. Check and start are one step, so that of two incompatible starts at once one is refused. I4
 * coordinator-step.2. Ids are issued in order for each target and type, and none twice. I3
 * coordinator-step.3. A request that comes again gets its first answer, and starts nothing. With other content it is refused. S2.5
 * coordinator-step.4. What a completion starts is admitted in the step that takes its instance out of the running set, once. I6
 * coordinator-step.5. An instance is in the running set from its start until it has told its end. I4
 */
import type { OperationTypes } from '../declaration/operation-types.js';
import { admission, type Admission } from './admission.js';
import type {
  Coordinator,
  CoordinatorInput,
  CoordinatorStep,
  InstanceStart,
  RunningOperation,
  StartRequest,
} from './coordinator.js';
import { contentOf, recallRequest, rememberRequest, renumberRequest } from './requests.js';

/** How many refusals that nobody has heard are kept. */
const REFUSED = 20;

/** Takes an input: gives the next coordinator, and what is to be done. */
export function stepCoordinator(types: OperationTypes, before: Coordinator, input: CoordinatorInput): CoordinatorStep {
  switch (input.kind) {
    case 'start':
      return start(types, before, input);
    case 'found':
      return found(before, input.running);
    case 'taken':
      return renumbered(before, input);
    case 'ended':
      return ended(types, before, input);
  }
}

function found(before: Coordinator, running: readonly RunningOperation[]): CoordinatorStep {
  const next: Record<string, number> = { ...before.next };
  for (const { type, instance } of running) next[type] = Math.max(next[type] ?? 1, instance + 1);
  return { coordinator: { ...before, running, next }, begins: [], refused: [] };
}

/** coordinator-step.2: the instance gets the next number. */
function renumbered(
  before: Coordinator,
  { type, instance }: Extract<CoordinatorInput, { kind: 'taken' }>,
): CoordinatorStep {
  const next = before.next[type] ?? instance + 1;
  const isIt = (each: RunningOperation) => each.type === type && each.instance === instance;
  const found = before.running.find(isIt);
  if (!found) return { coordinator: before, begins: [], refused: [] };
  const coordinator: Coordinator = {
    ...before,
    next: { ...before.next, [type]: next + 1 },
    running: before.running.map((each) => (isIt(each) ? { ...each, instance: next } : each)),
    requests: renumberRequest(before.requests, type, instance, next),
  };
  return { coordinator, begins: [], refused: [], answer: { kind: 'started', instance: next } };
}

function start(types: OperationTypes, coordinator: Coordinator, wanted: StartRequest): CoordinatorStep {
  const known = recallRequest(coordinator.requests, wanted);
  if (known?.same)
    return { coordinator, begins: [], refused: [], answer: { kind: 'started', instance: known.instance } };
  const admitted = known ? conflict(wanted) : admission(types, coordinator, wanted);
  if (admitted.kind === 'refused') {
    const { refusal } = admitted;
    return { coordinator, begins: [], refused: [refusal], answer: { kind: 'refused', refusal } };
  }
  const { target, running, next, requests } = coordinator;
  const { type, partitions, atOnce } = wanted;
  const instance = next[type] ?? 1;
  const named = { type, instance, ...(admitted.object !== undefined && { object: admitted.object }) };
  const begin: InstanceStart = {
    ...{ target, ...named, argument: admitted.argument, request: { id: wanted.request, content: contentOf(wanted) } },
    ...(partitions !== undefined && { partitions }),
    ...(atOnce !== undefined && { atOnce }),
  };
  return {
    coordinator: {
      ...coordinator,
      running: [...running, named],
      next: { ...next, [type]: instance + 1 },
      requests: rememberRequest(requests, wanted, instance),
    },
    begins: [begin],
    refused: [],
    answer: { kind: 'started', instance },
  };
}

/** coordinator-step.3 */
export function conflict({ request }: StartRequest): Extract<Admission, { readonly kind: 'refused' }> {
  const message = `The request id '${request}' has been used for another start. Use a new request id.`;
  return { kind: 'refused', refusal: { code: 'request_conflict', message } };
}

function ended(
  types: OperationTypes,
  before: Coordinator,
  { type, instance, starts }: Extract<CoordinatorInput, { kind: 'ended' }>,
): CoordinatorStep {
  const isIt = (each: { readonly type: string; readonly instance: number }) =>
    each.type === type && each.instance === instance;
  if (!before.running.some(isIt)) return { coordinator: before, begins: [], refused: [] };
  const left: Coordinator = { ...before, running: before.running.filter((each) => !isIt(each)) };
  return starts.reduce<CoordinatorStep>(
    (so, wanted, place) => {
      const request = `${before.target}/${type}/${instance}/completion/${place}`;
      const next = start(types, so.coordinator, { ...wanted, request });
      const refused = next.refused.map(({ code, message }) => ({
        ...{ by: `${type}/${instance}`, type: wanted.type, code, message },
      }));
      return {
        coordinator: { ...next.coordinator, refused: [...next.coordinator.refused, ...refused].slice(-REFUSED) },
        begins: [...so.begins, ...next.begins],
        refused: [...so.refused, ...next.refused],
      };
    },
    { coordinator: left, begins: [], refused: [] },
  );
}
