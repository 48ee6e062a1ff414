import { linkToEntity, linkToOperation } from '../router.js';

/** Leads to an entity: `LogicalServer/orders`. */
export function EntityLink({ id, short = false }: { readonly id: string; readonly short?: boolean }) {
  const slash = id.indexOf('/');
  return (
    <a class="entity" href={linkToEntity(id)}>
      {!short && <span class="faint">{id.slice(0, slash)}/</span>}
      <span>{id.slice(slash + 1)}</span>
    </a>
  );
}

/** Leads to an operation. */
export function OperationLink({
  id,
  on,
  children,
}: {
  readonly id: string;
  readonly on?: string;
  readonly children?: string;
}) {
  return (
    <a class="operation" href={linkToOperation(id, on)}>
      {children ?? <span class="mono">{id.slice(0, 8)}…</span>}
    </a>
  );
}

/** Leads to the workflow in Temporal's UI, where that is known. */
export function InTemporal({ address }: { readonly address: string | undefined }) {
  if (address === undefined) return null;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      in Temporal ↗
    </a>
  );
}
