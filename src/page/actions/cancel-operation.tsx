import { useSignal } from '@preact/signals';
import { rightsOn } from '../session/session.js';
import { ActionDialog } from './action-dialog.js';
import { cancelCall } from './entity-actions.js';

/** Offers to cancel an operation that runs, to those who may raise its event. */
export function CancelOperation({
  id,
  on,
  name,
  label,
}: {
  readonly id: string;
  readonly on?: string | undefined;
  /** The event and its entity: `create LogicalServer/orders`. */
  readonly name: string | null;
  /** The text of a small button, in a list; otherwise it is a large one. */
  readonly label?: string;
}) {
  const open = useSignal(false);
  const done = useSignal(false);
  const [event = '', root = ''] = (name ?? '').split(' ');
  if (!rightsOn(root.split('/')[0]!)?.raise.includes(event)) return null;
  return (
    <>
      <button
        type="button"
        class={`danger ${label === undefined ? '' : 'small'}`}
        disabled={done.value}
        {...(label !== undefined && !done.value && { 'aria-label': `${label} ${name}` })}
        onClick={() => (open.value = true)}
      >
        {done.value ? 'A cancel was requested' : (label ?? 'Cancel the operation')}
      </button>
      {open.value && (
        <ActionDialog
          action={{
            title: `Cancel ${name}`,
            description: 'This requests the cancel. Each entity handles it as it declares.',
            button: 'Cancel the operation',
            danger: true,
            call: () => cancelCall(id, on),
          }}
          onClose={() => (open.value = false)}
          onTaken={() => {
            done.value = true;
            open.value = false;
          }}
        />
      )}
    </>
  );
}
