import { useSignal } from '@preact/signals';
import { ActionDialog } from '../../actions/action-dialog.js';
import { retryCall } from '../../actions/entity-actions.js';
import type { ServedType, WatchedEntity } from '../../api/shapes.js';
import { noteAsked } from '../../parts/asked.js';
import { CommandHint } from '../../parts/commands.js';
import { Since } from '../../parts/time.js';
import { rightsOn } from '../../session/session.js';
import { shellWord } from '../../../definition/shell-word.js';

/** Why an entity does not get on, and the button that mends it. */
export function StuckPanel({ type, entity }: { readonly type: ServedType; readonly entity: WatchedEntity }) {
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
        {stuck.reason === 'task_fails' && <CommandHint says="Replay it on your code:" command={replayOf(entity)} />}
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

function replayOf({ id }: WatchedEntity): string {
  return `temporal workflow show -w ${shellWord(id)} -o json > history.json && npx reeve replay history.json`;
}
