import { signal } from '@preact/signals';
import type { OperationRepresentation } from '../api/shapes.js';
import { useWatch } from '../live/live.js';
import { OutcomeBadge } from './badge.js';
import { OperationLink } from './links.js';

/** Something that somebody has asked for on this page. */
interface Asked {
  readonly title: string;
  readonly operation: string;
  readonly on: string | undefined;
}

const asked = signal<readonly Asked[]>([]);
/** More would hide the page. */
const MOST = 3;

/** Shows what becomes of a request that was taken, on whatever view one is. Without an operation there is nothing to follow. */
export function noteAsked(
  title: string,
  { operation, on }: { readonly operation: string | undefined; readonly on: string | undefined },
): void {
  if (operation === undefined) return;
  asked.value = [{ title, operation, on }, ...asked.value.filter((each) => each.operation !== operation)].slice(
    0,
    MOST,
  );
}

/** Shows what was asked for on this page, with how it goes on. */
export function AskedFor() {
  if (asked.value.length === 0) return null;
  return (
    <section class="asked" aria-label="Your requests" aria-live="polite">
      {asked.value.map((each) => (
        <AskedLine key={each.operation} {...each} />
      ))}
    </section>
  );
}

function AskedLine({ title, operation, on }: Asked) {
  const { data } = useWatch(subjectOf(operation, on)).value ?? {};
  // The data that is told of an operation is an operation.
  const told = data as OperationRepresentation | undefined;
  const forget = () => (asked.value = asked.value.filter((each) => each.operation !== operation));
  const [error] = told?.errors ?? [];
  const why = error?.message ?? told?.rejection?.message;
  return (
    <div class="asked-line">
      <OutcomeBadge outcome={told?.outcome ?? 'running'} />
      <OperationLink id={operation} {...(on !== undefined && { on })}>
        {title}
      </OperationLink>
      {why !== undefined && <span class="why">{why}</span>}
      <button type="button" class="small quiet" onClick={forget} aria-label={`Forget: ${title}`}>
        ×
      </button>
    </div>
  );
}

/** The name by which an operation is watched. */
export function subjectOf(operation: string, on?: string): string {
  return `op/${operation}${on === undefined ? '' : ` on ${on}`}`;
}
