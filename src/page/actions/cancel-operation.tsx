import { useSignal } from '@preact/signals';
import type { OperationRepresentation } from '../api/shapes.js';
import { useWatch } from '../live/live.js';
import { subjectOf } from '../parts/asked.js';
import { rightsOn, rightsOver } from '../session/session.js';
import { ActionDialog } from './action-dialog.js';
import { cancelOffer } from './cancel-offer.js';
import { cancelCall } from './entity-actions.js';

/** Offers to cancel an operation that runs, to those who may raise its event. */
export function CancelOperation({
  id,
  on,
  name,
  label,
  isRefused: wasRefused = false,
}: {
  readonly id: string;
  readonly on?: string | undefined;
  /** The event and its entity: `create LogicalServer/orders`. */
  readonly name: string | null;
  /** The text of a small button, in a list; otherwise it is a large one. */
  readonly label?: string;
  /** Tells whether an entity has refused the cancel, as a list has read. */
  readonly isRefused?: boolean;
}) {
  const open = useSignal(false);
  // In a list, an operation is watched from when it was asked here.
  const watched = useSignal(label === undefined);
  const told = useWatch(watched.value ? subjectOf(id, on) : undefined).value?.data;
  // The data that is told of an operation is an operation.
  const { cancel = null, cancel_refusals: refusals = [] } = (told ?? {}) as Partial<OperationRepresentation>;
  const isRefused = refusals.length > 0 || (told === undefined && wasRefused);
  const isAsked = cancel === 'requested' || (cancel === 'honoured' && !isRefused);
  const offer = cancelOffer(isRefused, label);
  if (!mayCancel(name ?? '')) return null;
  return (
    <>
      <button
        type="button"
        class={`danger ${label === undefined ? '' : 'small'}`}
        disabled={isAsked}
        {...(label !== undefined && !isAsked && { 'aria-label': `${offer} ${name}` })}
        onClick={() => (open.value = true)}
      >
        {isAsked ? `A cancel was ${cancel}` : offer}
      </button>
      {open.value && (
        <ActionDialog
          action={{
            title: `Cancel ${name}`,
            description: isOverPartitions(name ?? '')
              ? 'Its jobs stop and are cleaned up. Its changes to partitions are undone, unless it has succeeded already.'
              : 'This requests the cancel. Each entity handles it as it declares.',
            button: 'Cancel the operation',
            danger: true,
            call: () => cancelCall(id, on),
          }}
          onClose={() => (open.value = false)}
          onTaken={() => {
            watched.value = true;
            open.value = false;
          }}
        />
      )}
    </>
  );
}

function mayCancel(name: string): boolean {
  const [event = '', root = ''] = name.split(' ');
  if (isOverPartitions(name)) return rightsOver(event)?.operate === true;
  return rightsOn(root.split('/')[0]!)?.raise.includes(event) === true;
}

/** Tells whether an operation runs over the partitions of a target: `sow distributed/farms/west`. */
function isOverPartitions(name: string): boolean {
  return /^\S+ distributed\//.test(name);
}
