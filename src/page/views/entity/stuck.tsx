import { useSignal } from '@preact/signals';
import { ActionDialog } from '../../actions/action-dialog.js';
import { retryCall } from '../../actions/entity-actions.js';
import type { ServedType, WatchedEntity } from '../../api/shapes.js';
import { noteAsked } from '../../parts/asked.js';
import { CommandHint } from '../../parts/commands.js';
import { Since } from '../../parts/time.js';
import { rightsOn } from '../../session/session.js';
import { failingHints } from './failing-hints.js';

/** Why an entity does not get on, and the button that mends it. */
export function StuckPanel({
  type,
  entity,
  build,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  /** The build that has run it last, where that is known. */
  readonly build: string | undefined;
}) {
  const open = useSignal(false);
  const { stuck, stuck_since: since, exhausted, last_error: error } = entity;
  if (!stuck) return null;
  const title = `Run the action of ${entity.id} again`;
  return (
    <section class="card need bad" aria-labelledby="stuck-title">
      <h2 id="stuck-title">
        Stuck
        {since !== null && (
          <>
            {' '}
            for <Since at={since} />
          </>
        )}
        : {stuck.message}
      </h2>
      {error && (
        <p class="message">
          {error.message} ({error.code})
        </p>
      )}
      <div class="need-end">
        <p class="hint">{stuck.what_to_do}</p>
        {failingHints(entity, build).map((hint) => (
          <CommandHint key={hint.command} {...hint} />
        ))}
        {exhausted && rightsOn(type.name)?.operate && (
          <button type="button" class="primary" onClick={() => (open.value = true)}>
            Retry
          </button>
        )}
      </div>
      {open.value && (
        <ActionDialog
          action={{
            ...{ title, description: 'Its attempts are reset.', button: 'Retry' },
            call: () => retryCall(type, entity),
          }}
          onClose={() => (open.value = false)}
          onTaken={(taken) => {
            noteAsked(`retry ${entity.id}`, taken);
            open.value = false;
          }}
        />
      )}
    </section>
  );
}
