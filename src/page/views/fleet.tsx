import { useSummary } from './attention.js';
import type { EntityCount, ServedType } from '../api/shapes.js';
import { stateInWords } from '../parts/badge.js';
import { Empty, Loading } from '../parts/notice.js';
import { linkTo } from '../router.js';
import { rightsOn, types } from '../session/session.js';

/** All types, each with the states of its entities. */
export function FleetView() {
  const summary = useSummary();
  const declared = types.value;
  return (
    <>
      <div class="title">
        <h1>Fleet</h1>
        <a class="button small" href={linkTo(['entities'])}>
          All entities as a list
        </a>
      </div>
      {declared === undefined && <Loading />}
      {declared?.length === 0 && <Empty>You may not read entities.</Empty>}
      <div class="cards">
        {declared?.map((type) => (
          <TypeCard key={type.name} type={type} counts={summary?.items.filter((item) => item.type === type.name)} />
        ))}
      </div>
    </>
  );
}

function TypeCard({
  type,
  counts,
}: {
  readonly type: ServedType;
  readonly counts: readonly EntityCount[] | undefined;
}) {
  const total = counts?.reduce((sum, { total: each }) => sum + each, 0);
  const rights = rightsOn(type.name);
  const creates =
    rights !== undefined && (rights.create.length > 0 || (rights.construct && type.construct !== undefined));
  return (
    <section class="card type">
      <div class="head">
        <h2>
          <a href={linkTo(['entities', type.name])}>{type.name}</a>
        </h2>
        <span class="total">{total ?? '…'}</span>
      </div>
      {type.description !== undefined && <p class="faint">{type.description}</p>}
      {counts && <Proportions type={type} counts={counts} />}
      <div class="card-end">
        <a class="button small" href={linkTo(['entities', type.name])}>
          Diagram and list
        </a>
        {creates && (
          <a class="button small" href={linkTo(['create', type.name])}>
            New {type.name}
          </a>
        )}
      </div>
    </section>
  );
}

/** The states in which there are entities, as a bar and a list. */
function Proportions({ type, counts }: { readonly type: ServedType; readonly counts: readonly EntityCount[] }) {
  if (counts.length === 0) return <Empty>There are none.</Empty>;
  const order = new Map(type.states.map(({ name }, index) => [name, index]));
  const sorted = counts.toSorted((one, other) => (order.get(one.state) ?? 99) - (order.get(other.state) ?? 99));
  return (
    <ul class="states">
      {sorted.map((count) => (
        <li key={count.state + count.health}>
          <a href={linkTo(['entities', type.name], { state: count.state })}>
            <span class={`dot ${toneOfCount(count)}`} />
            <span class="grow">{stateInWords(type.name, count.state)}</span>
            {count.stuck > 0 && <span class="count bad">{count.stuck} stuck</span>}
            {count.hung > 0 && <span class="count warn">{count.hung} hung</span>}
            <strong>{count.total}</strong>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function toneOfCount({ health, stuck, in_progress: moving, total }: EntityCount): string {
  if (health === 'error' || stuck > 0) return 'bad';
  return moving === total ? 'busy' : 'good';
}
