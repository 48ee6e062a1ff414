import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActionDialog } from '../../actions/action-dialog.js';
import { markLostCall, pathOfEntity } from '../../actions/entity-actions.js';
import { Problem } from '../../api/problem.js';
import { useReading } from '../../api/reading.js';
import type { EntityRow, Page, ServedType, WatchedEntity } from '../../api/shapes.js';
import { noteAsked } from '../../parts/asked.js';
import { StateBadge, stateInWords } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';
import { quoted } from '../../../protocol/odata-text.js';
import { partsOfId } from '../../router.js';
import { rightsOn, typeOf } from '../../session/session.js';

type Successor = WatchedEntity['successors'][number];

/** States change without a new version of the entity above. */
const EVERY_MS = 5_000;
/** More levels are opened at their own views. */
const DEEPEST = 5;

/** The successors of an entity, with how each of them is now; as a tree with theirs where somebody asks for it. */
export function Successors({ type, entity }: { readonly type: ServedType; readonly entity: WatchedEntity }) {
  const losing = useSignal<string | undefined>(undefined);
  const asTree = useSignal(false);
  const operates = rightsOn(type.name)?.operate === true;
  const mayLose = ({ state, rejected }: Successor) =>
    operates && state === null && rejected === null && !entity.settled;
  return (
    <section class="card" aria-labelledby="successors-title">
      <div class="head">
        <h2 id="successors-title">Successors</h2>
        <button type="button" class="small" aria-pressed={asTree.value} onClick={() => (asTree.value = !asTree.value)}>
          With theirs
        </button>
      </div>
      <SuccessorList
        of={entity.successors}
        above={asTree.value ? [entity.id] : undefined}
        more={(each) =>
          mayLose(each) && (
            <button type="button" class="small danger" onClick={() => (losing.value = each.entity)}>
              Mark as lost
            </button>
          )
        }
      />
      {losing.value !== undefined && (
        <ActionDialog
          action={{
            title: `Mark ${losing.value} as lost`,
            description: `${entity.id} stops waiting for it, and counts it as failed.`,
            button: 'Mark as lost',
            danger: true,
            call: () => markLostCall(type, entity, losing.value!),
          }}
          onClose={() => (losing.value = undefined)}
          onTaken={(taken) => {
            noteAsked(`mark ${losing.value} as lost`, taken);
            losing.value = undefined;
          }}
        />
      )}
    </section>
  );
}

interface ListProps {
  readonly of: readonly Successor[];
  /** The entities above them in a tree; none where theirs are not shown. */
  readonly above: readonly string[] | undefined;
  more?(each: Successor): preact.ComponentChildren;
}

function SuccessorList({ of, above, more }: ListProps) {
  const ids = [...new Set(of.map(({ entity }) => entity))];
  const conditions = ids.map((id) => {
    const [type, key] = partsOfId(id);
    return `(type eq ${quoted(type)} and key eq ${quoted(key)})`;
  });
  const path = `/api/entities?$filter=${encodeURIComponent(conditions.join(' or '))}&deleted=true`;
  const rows = useReading<Page<EntityRow>>(ids.length === 0 ? undefined : path, 0, EVERY_MS).value.data?.value ?? [];
  return (
    <ul class="successors">
      {of.map((each) => (
        <li key={each.entity + each.event}>
          <div class="node">
            <EntityLink id={each.entity} />
            {each.role !== null && <span class="faint"> as {each.role}</span>}
            <Standing of={each} row={rows.find((row) => `${row.type}/${row.key}` === each.entity)} />
            {more?.(each)}
          </div>
          {above && !above.includes(each.entity) && above.length < DEEPEST && (
            <Theirs id={each.entity} above={[...above, each.entity]} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** How it is now, and what became of the event on it. */
function Standing({
  of: { entity: id, state, rejected },
  row,
}: {
  readonly of: Successor;
  readonly row: EntityRow | undefined;
}) {
  return (
    <>
      {row ? (
        <StateBadge {...row} />
      ) : (
        rejected === null && (
          <span class="faint">{state === null ? 'not settled' : stateInWords(partsOfId(id)[0], state)}</span>
        )
      )}
      {rejected !== null && <span class="count bad">{rejected}</span>}
    </>
  );
}

function Theirs({ id, above }: { readonly id: string; readonly above: readonly string[] }) {
  const [name, key] = partsOfId(id);
  const type = typeOf(name);
  const path = type && pathOfEntity(type, key);
  const gone = useSignal(false);
  const { data, problem } = useReading<WatchedEntity>(path, 0, gone.value ? undefined : EVERY_MS).value;
  const ended = problem instanceof Problem && (problem.status === 410 || problem.status === 404) ? problem : undefined;
  useEffect(() => {
    gone.value = ended !== undefined;
  }, [ended]);
  // One that has been deleted is shown as it was.
  const { successors = [] } = (ended?.last ?? data ?? {}) as Partial<WatchedEntity>;
  return successors.length === 0 ? null : <SuccessorList of={successors} above={above} />;
}
