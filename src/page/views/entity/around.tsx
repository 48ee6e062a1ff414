import type { ServedType, WatchedEntity } from '../../api/shapes.js';
import { Facts } from '../../parts/json.js';
import { EntityLink } from '../../parts/links.js';
import { Successors } from './successors.js';

/** Shows what belongs to an entity: its properties, links, subordinates and successors. */
export function Around({ type, entity }: { readonly type: ServedType; readonly entity: WatchedEntity }) {
  return (
    <>
      <Contents type={type} of={entity} />
      {entity.successors.length > 0 && <Successors type={type} entity={entity} />}
    </>
  );
}

/** Shows what an entity holds, or held at a version. */
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
