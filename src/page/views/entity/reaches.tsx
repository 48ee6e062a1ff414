import { isDestructive } from '../../actions/destructive.js';
import { raisedBy } from '../../actions/raised.js';
import { useReading } from '../../api/reading.js';
import type { EntityRow, Page, ServedType, WatchedEntity } from '../../api/shapes.js';
import { quoted } from '../../../protocol/odata-text.js';
import { eventInWords } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';
import { partsOfId } from '../../router.js';
import { typeOf } from '../../session/session.js';

/** Shows the events that others may get because of an event that ends the entity, as its declaration says, with its successors of now, and the entities that link to it. */
export function Reaches({
  type,
  entity,
  event,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly event: string;
}) {
  const { events, undeclared } = raisedBy(type, entity.state, event);
  const successors = [...new Set(entity.successors.map((each) => each.entity))];
  const typeIn = (id: string) => partsOfId(id)[0];
  const others = undeclared.length === 0 ? [] : successors.filter((id) => !events.has(typeIn(id)));
  return (
    <div class="notice bad">
      <strong>This ends {entity.id}.</strong>
      {events.size > 0 && (
        <>
          <p>It may raise events on others:</p>
          <ul class="plain">
            {[...events].map(([on, names]) => (
              <li key={on}>
                {names.map((name) => (
                  <RaisedEvent key={name} type={on} event={name} />
                ))}
                <Entities ids={successors.filter((id) => typeIn(id) === on)} />
                <Linking type={on} to={entity} except={successors} />
              </li>
            ))}
          </ul>
        </>
      )}
      {undeclared.length > 0 && (
        <p>Its declaration does not say which events {undeclared.join(' and ')} may raise on others.</p>
      )}
      {others.length > 0 && (
        <>
          <p>It may also affect its successors:</p>
          <Entities ids={others} />
        </>
      )}
    </div>
  );
}

function RaisedEvent({ type, event }: { readonly type: string; readonly event: string }) {
  const declared = typeOf(type);
  return (
    <p class="line">
      <strong>
        {type}: {eventInWords(type, event)}
      </strong>
      {declared && isDestructive(declared, event) && <span class="count bad">ends it</span>}
    </p>
  );
}

function Entities({ ids }: { readonly ids: readonly string[] }) {
  return (
    <p class="line">
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <EntityLink id={id} />
        </span>
      ))}
    </p>
  );
}

/** So many entities that link to one are named. The others are counted. */
const NAMED = 20;

/** Shows the entities of a type that link to one and are not among its successors. */
function Linking(props: { readonly type: string; readonly to: WatchedEntity; readonly except: readonly string[] }) {
  const { to, except } = props;
  const type = typeOf(props.type);
  const key = quoted(to.key);
  const conditions = (type?.links ?? [])
    .filter((link) => link.to === to.type)
    .map(({ name, many }) => (many ? `links/${name}/any(k:k eq ${key})` : `links/${name} eq ${key}`));
  const filter = encodeURIComponent(conditions.join(' or '));
  const path = `${type?.path}?$filter=${filter}&$select=key&$orderby=key&$top=${NAMED}&$count=true`;
  const { data, problem } = useReading<Page<Pick<EntityRow, 'key'>>>(conditions.length > 0 ? path : undefined).value;
  if (problem) return <p class="line">The store could not be queried for those that link to it.</p>;
  const found = data?.value.map(({ key: linking }) => `${props.type}/${linking}`) ?? [];
  const more = (data?.['@odata.count'] ?? 0) - found.length;
  return (
    <>
      <Entities ids={found.filter((id) => !except.includes(id))} />
      {more > 0 && <p class="line">and {more} more</p>}
    </>
  );
}
