import { shortId } from '../../cli/explanation/short-id.js';
import { linkToEntity, linkToOperation, partsOfId } from '../router.js';

/** Leads to an entity: `LogicalServer/orders`. */
export function EntityLink(props: { readonly id: string; readonly short?: boolean; readonly tabIndex?: number }) {
  const { id, short = false, tabIndex } = props;
  const [type, key] = partsOfId(id);
  return (
    <a class="entity" href={linkToEntity(id)} {...(tabIndex !== undefined && { tabIndex })}>
      {!short && <span class="faint">{type}/</span>}
      <span>{key}</span>
    </a>
  );
}

/** The short id of an operation. */
export function IdEnd({ id }: { readonly id: string }) {
  return <span class="mono id-end">…{shortId(id)}</span>;
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
    <a class="operation" href={linkToOperation(id, on)} title={id}>
      {children ?? <IdEnd id={id} />}
    </a>
  );
}

/** Leads to the workflow in Temporal's UI, where that is known. */
export function InTemporal({ address }: { readonly address: string | undefined }) {
  if (address === undefined) return null;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      in Temporal
    </a>
  );
}
