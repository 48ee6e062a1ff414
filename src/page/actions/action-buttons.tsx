import { useSignal } from '@preact/signals';
import { ActionDialog, type Action } from './action-dialog.js';
import type { Sending } from './sending.js';

interface Props {
  readonly actions: readonly Action[];
  /** The action whose dialog is open at first. */
  readonly first?: Action | undefined;
  /** The class of the button of an action. */
  classOf(action: Action, index: number): string;
  onTaken?(action: Action, taken: Extract<Sending, { state: 'accepted' }>): void;
}

/** Offers actions as buttons, each of which opens its dialog. */
export function ActionButtons({ actions, first, classOf, onTaken }: Props) {
  const chosen = useSignal<Action | undefined>(first);
  const action = chosen.value;
  const close = () => (chosen.value = undefined);
  return (
    <>
      {actions.map((each, index) => (
        <button key={each.button} type="button" class={classOf(each, index)} onClick={() => (chosen.value = each)}>
          {each.button}
        </button>
      ))}
      {action && (
        <ActionDialog
          key={action.button}
          action={action}
          onClose={close}
          onTaken={(taken) => {
            onTaken?.(action, taken);
            close();
          }}
        />
      )}
    </>
  );
}
