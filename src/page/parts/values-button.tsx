import type { Signal } from '@preact/signals';
import type { OpenValues } from './event-values.js';
import { Later } from './later.js';

const load = () => import('./event-values.js').then(({ EventValues }) => EventValues);

/** Opens and closes the values of an event. */
export function ValuesButton({
  open,
  about,
}: {
  readonly open: Signal<OpenValues | undefined>;
  /** The name of the event, for those who do not see where the button stands. */
  readonly about: string;
}) {
  return (
    <button
      type="button"
      class="link values-button"
      aria-expanded={open.value !== undefined}
      aria-label={`Input and result of ${about}`}
      onClick={() => (open.value = open.value ? undefined : {})}
    >
      Input and result
    </button>
  );
}

/** The values of an event, while they are open. They are read then. */
export function Values({
  event,
  operation,
  open,
}: {
  readonly event: number;
  readonly operation: string;
  readonly open: Signal<OpenValues | undefined>;
}) {
  if (!open.value) return null;
  return (
    <div class="values">
      <Later load={load} props={{ event, operation, ...open.value }} />
    </div>
  );
}
