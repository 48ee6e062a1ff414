import { ActionButtons } from '../../actions/action-buttons.js';
import type { Action } from '../../actions/action-dialog.js';
import type { Schema } from '../../actions/schema.js';
import type { DistributedRepresentation } from '../../api/shapes.js';
import { shellWord } from '../../../definition/shell-word.js';
import type { Call } from '../../parts/commands.js';

const LIMITS: Schema = {
  type: 'object',
  properties: {
    at_once: { type: 'integer', title: 'jobs at once', description: 'The maximum number of parallel jobs.' },
    per_second: {
      type: 'number',
      title: 'per second',
      description: 'The rate limit of each job, in units of work a second.',
    },
  },
};
const PARTITION = { type: 'integer', minimum: 0, description: 'The partition of the job.' } as const;
const JOB: Schema = { type: 'object', properties: { partition: PARTITION }, required: ['partition'] };
const MOVE: Schema = {
  type: 'object',
  properties: {
    partition: PARTITION,
    place: { type: 'string', description: 'A place with a replica of the partition.' },
  },
  required: ['partition', 'place'],
};
const REASON: Schema = {
  type: 'object',
  properties: { reason: { type: 'string', description: 'The reason, for other people.' } },
};

/** The path of a distributed operation in the API. */
export function distributedPath(name: string): string {
  return `/api/distributed/${encodeURIComponent(name)}`;
}

/** Cancels a distributed operation. */
export function cancelAction({
  name,
  type,
  target,
}: Pick<DistributedRepresentation, 'name' | 'type' | 'target'>): Action {
  return {
    title: `Cancel ${type} on ${target}`,
    description: 'Its jobs stop and are cleaned up. Its changes to partitions are undone.',
    schema: REASON,
    confirm: type,
    button: 'Cancel the operation',
    call: (given) =>
      steeringCall(name, 'cancel', given, given['reason'] ? ` --reason ${shellWord(String(given['reason']))}` : ''),
  };
}

function steeringCall(name: string, verb: string, json?: unknown, options = ''): Call {
  return {
    ...{ method: 'POST', path: `${distributedPath(name)}/${verb}` },
    reeve: `reeve distributed ${verb} ${shellWord(name)}${options}`,
    ...(json !== undefined && { json }),
  };
}

/** Offers what an operator can do about a distributed operation that has not ended. I5 */
export function Steering({ operation }: { readonly operation: DistributedRepresentation }) {
  const { name, type, target, state, at_once: atOnce } = operation;
  const what = `${type} on ${target}`;
  const call = (verb: string, json?: unknown, options?: string) => steeringCall(name, verb, json, options);
  const actions: readonly Action[] = [
    ...(state === 'paused'
      ? [
          {
            title: `Resume ${what}`,
            description: 'Its jobs continue where they stopped.',
            button: 'Resume',
            call: () => call('resume'),
          },
        ]
      : []),
    ...(state === 'running'
      ? [
          {
            title: `Pause ${what}`,
            description: 'Within a second, no more jobs start, and jobs that can be interrupted stop.',
            button: 'Pause',
            call: () => call('pause'),
          },
        ]
      : []),
    {
      title: `Limit ${what}`,
      description: `At most ${atOnce} jobs run at once now. Empty fields do not change.`,
      schema: LIMITS,
      button: 'Limit',
      call: (given) => call('limit', given, limitOptions(given)),
    },
    ...(operation.retries.some((retry) => retry.call === 'clean' || retry.call === 'tidy')
      ? [
          {
            title: `Skip failing clean-ups of ${what}`,
            description:
              'Each failing clean-up is retried once more. If it fails again, it is skipped, and its leftovers stay.',
            button: 'Skip failing clean-ups',
            call: () => call('proceed'),
          },
        ]
      : []),
    ...(operation.troubles.length > 0 || operation.failures.length > 0
      ? [
          {
            title: `Retry a job of ${what}`,
            description: 'Its next attempt begins now. A failed job runs again while other jobs still run.',
            schema: JOB,
            button: 'Retry a job',
            call: ({ partition }: Given) =>
              jobCall(name, {
                partition,
                verb: 'retry',
                reeve: `retry ${shellWord(name)} ${String(partition ?? '…')}`,
              }),
          },
        ]
      : []),
    {
      title: `Move a job of ${what}`,
      description: 'It is cleaned up where it is, and then runs at the other place.',
      schema: MOVE,
      button: 'Move a job',
      call: ({ partition, place }) => ({
        ...jobCall(name, {
          ...{ partition, verb: 'move' },
          reeve: `move ${shellWord(name)} ${String(partition ?? '…')} ${shellWord(String(place ?? '…'))}`,
        }),
        json: { place },
      }),
    },
    ...(operation.outcome === null ? [cancelAction(operation)] : []),
  ];
  return (
    <p class="steering">
      <ActionButtons actions={actions} classOf={({ confirm }) => (confirm === undefined ? '' : 'danger')} />
    </p>
  );
}

type Given = Readonly<Record<string, unknown>>;

function jobCall(
  name: string,
  { partition, verb, reeve }: { readonly partition: unknown; readonly verb: string; readonly reeve: string },
): Call {
  const path = `${distributedPath(name)}/jobs/${encodeURIComponent(String(partition ?? ''))}/${verb}`;
  return { method: 'POST', path, reeve: `reeve distributed ${reeve}` };
}

function limitOptions(given: Readonly<Record<string, unknown>>): string {
  const { at_once: atOnce, per_second: perSecond } = given;
  return `${atOnce === undefined ? '' : ` --at-once ${String(atOnce)}`}${perSecond === undefined ? '' : ` --per-second ${String(perSecond)}`}`;
}
