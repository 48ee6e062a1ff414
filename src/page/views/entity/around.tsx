import { useSignal } from '@preact/signals';
import { ActionDialog } from '../../actions/action-dialog.js';
import { markLostCall } from '../../actions/entity-actions.js';
import type { ServedType, WatchedEntity } from '../../api/shapes.js';
import { noteAsked } from '../../parts/asked.js';
import { Facts } from '../../parts/json.js';
import { EntityLink } from '../../parts/links.js';
import { stateInWords } from '../../parts/badge.js';
import { rightsOn } from '../../session/session.js';

/** What belongs to an entity: its properties, links, subordinates and successors. */
export function Around({ type, entity }: { readonly type: ServedType; readonly entity: WatchedEntity }) {
  return (
    <>
      <Contents type={type} of={entity} />
      {entity.successors.length > 0 && <Successors type={type} entity={entity} />}
    </>
  );
}

/** What an entity holds, or held at a version. */
export function Contents({
  type,
  of,
}: {
  readonly type: ServedType;
  readonly of: Readonly<Record<'properties' | 'links' | 'subordinates', unknown>>;
}) {
  // They are what the declaration says: values by name.
  const properties = of.properties as Readonly<Record<string, unknown>>;
  const links = Object.entries(of.links as Readonly<Record<string, string | readonly string[]>>);
  const subordinates = Object.entries(of.subordinates as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
  const held = subordinates.filter(([, members]) => Object.keys(members).length > 0);
  const targetOf = (name: string) => type.links.find((link) => link.name === name)?.to ?? '';
  const linked = links.filter(([, keys]) => keys.length > 0);
  return (
    <>
      <section class="card" aria-labelledby="properties-title">
        <h2 id="properties-title">Properties</h2>
        {Object.keys(properties).length === 0 ? <p class="faint">It has none.</p> : <Facts of={properties} />}
      </section>
      {linked.length > 0 && (
        <section class="card" aria-labelledby="links-title">
          <h2 id="links-title">Links</h2>
          <dl class="facts">
            {linked.map(([name, keys]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {[keys].flat().map((key) => (
                    <EntityLink key={key} id={`${targetOf(name)}/${key}`} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {held.map(([name, members]) => (
        <section key={name} class="card" aria-label={name}>
          <h2>{name}</h2>
          <Facts of={members} />
        </section>
      ))}
    </>
  );
}

function Successors({ type, entity }: { readonly type: ServedType; readonly entity: WatchedEntity }) {
  const losing = useSignal<string | undefined>(undefined);
  const operates = rightsOn(type.name)?.operate === true;
  return (
    <section class="card" aria-labelledby="successors-title">
      <h2 id="successors-title">Successors</h2>
      <ul class="lines">
        {entity.successors.map(({ entity: id, role, event, state, rejected }) => (
          <li key={id + event}>
            <span class="grow">
              <EntityLink id={id} />
              {role !== null && <span class="faint"> as {role}</span>}
            </span>
            {rejected !== null ? (
              <span class="count bad">{rejected}</span>
            ) : state === null ? (
              <span class="faint">not settled</span>
            ) : (
              <span>{stateInWords(id.split('/')[0]!, state)}</span>
            )}
            {operates && state === null && rejected === null && !entity.settled && (
              <button type="button" class="small" onClick={() => (losing.value = id)}>
                Mark as lost
              </button>
            )}
          </li>
        ))}
      </ul>
      {losing.value !== undefined && (
        <ActionDialog
          action={{
            title: `Mark ${losing.value} as lost`,
            description: `${entity.id} stops waiting for it, and counts it as failed.`,
            button: 'Mark as lost',
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
