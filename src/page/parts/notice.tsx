import type { ComponentChildren } from 'preact';
import { NoAnswer, type Problem } from '../api/problem.js';
import type { Reading } from '../api/reading.js';
import { Ago } from './time.js';

/** Something that is said about a view, beside its content or instead of it. */
export function Notice({
  tone,
  title,
  instead = false,
  children,
}: {
  readonly tone: 'bad' | 'warn' | 'quiet' | 'good';
  readonly title: string;
  /** Tells whether it stands instead of a whole view: its title is the heading then. */
  readonly instead?: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {instead ? <h1>{title}</h1> : <strong>{title}</strong>}
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

/** Shows what there is to say where something could not be read. */
export function ProblemNotice({ problem }: { readonly problem: Problem | NoAnswer }) {
  if (problem instanceof NoAnswer) {
    return (
      <Notice tone="warn" title="The service does not answer.">
        Retrying.
      </Notice>
    );
  }
  const titles: Readonly<Record<number, string>> = {
    401: 'You have to sign in.',
    403: 'Your role does not allow this.',
    404: 'There is nothing here.',
    410: 'It has been deleted.',
    429: 'There are too many requests.',
    503: 'A service that this needs does not answer.',
  };
  return (
    <Notice tone={problem.status === 503 ? 'warn' : 'bad'} title={titles[problem.status] ?? 'It cannot be shown.'}>
      {problem.message} <Meaning of={problem} />
    </Notice>
  );
}

/** A link to the page that describes the code of a problem. */
export function Meaning({ of: { code, page } }: { readonly of: Problem }) {
  if (page === undefined) return null;
  return (
    <a href={page} target="_blank" rel="noreferrer">
      About {code}
    </a>
  );
}

/** Shows what was read; while there is nothing yet, that it is read, or why it cannot be. */
export function Read<T>({
  reading,
  children,
}: {
  readonly reading: Reading<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, problem, at } = reading;
  if (data === undefined) return problem ? <ProblemNotice problem={problem} /> : <Loading />;
  return (
    <>
      {problem && at !== undefined && (
        <Notice tone="warn" title="This is not current.">
          It is from <Ago at={at} />: {problem.message}
        </Notice>
      )}
      {children(data)}
    </>
  );
}

export function Loading() {
  return (
    <p class="loading" role="status">
      <span class="bar" /> <span class="bar" /> <span class="bar" />
      <span class="hidden">Loading</span>
    </p>
  );
}

/** Shows what a list says when it has nothing. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
