import type { One } from '../../actions/raise-many.js';
import { OutcomeBadge } from '../../parts/badge.js';
import { EntityLink, OperationLink } from '../../parts/links.js';

interface Props {
  readonly title: string;
  readonly outcomes: ReadonlyMap<string, One>;
  /** Lets no more begin; nothing when all have been asked. */
  onStop?(): void;
}

/** Shows what becomes of an event for many entities: how far it is, and the outcome of each. */
export function Outcomes({ title, outcomes, onStop }: Props) {
  const all = [...outcomes.values()];
  const count = (...states: readonly One['state'][]) => all.filter(({ state }) => states.includes(state)).length;
  const answered = count('accepted', 'rejected', 'left');
  return (
    <section class="card" aria-labelledby="outcomes-title">
      <h2 id="outcomes-title">{title}</h2>
      <div class="progress">
        <progress max={all.length} value={answered} aria-label="The number of answers" />
        <strong>
          {answered} of {all.length}
        </strong>
        {onStop && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </div>
      <p role="status">
        {count('accepted')} accepted, {count('rejected')} rejected
        {count('unknown') > 0 && <>, {count('unknown')} without an answer: retrying</>}
        {count('left') > 0 && <>, {count('left')} left alone</>}.
      </p>
      <ul class="lines">
        {[...outcomes].map(([id, one]) => (
          <li key={id}>
            <span class="grow">
              <EntityLink id={id} />
            </span>
            <Outcome one={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Outcome({ one }: { readonly one: One }) {
  switch (one.state) {
    case 'accepted':
      return (
        <>
          <OutcomeBadge outcome={one.outcome} />
          {one.operation !== undefined && (
            <OperationLink id={one.operation} {...(one.on !== undefined && { on: one.on })} />
          )}
        </>
      );
    case 'rejected':
      return (
        <>
          <span class="message">{one.message}</span>
          <span class="count bad">{one.code}</span>
        </>
      );
    case 'unknown':
      return <span class="count warn">{one.why}</span>;
    case 'left':
      return <span class="faint">left alone</span>;
    default:
      return <span class="faint">{one.state === 'sending' ? 'asked' : 'waits'}</span>;
  }
}
