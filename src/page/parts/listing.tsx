import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';

/* The parts that lists have in common: a text that is looked for, one of several choices, and columns to sort by. */

/** How long somebody may pause while writing. */
const PAUSE_MS = 250;

/** Takes a text that rows have in them, once the writer pauses. */
export function TextFilter(props: {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  onText(text: string): void;
}) {
  const { label, hint, text, onText } = props;
  const written = useSignal(text);
  useEffect(() => void (written.value = text), [text]);
  const { value } = written;
  useEffect(() => {
    if (value === text) return undefined;
    const timer = setTimeout(() => onText(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <label class="inline">
      <span>{label}</span>
      <input
        type="search"
        value={value}
        placeholder={hint}
        spellcheck={false}
        onInput={(event) => (written.value = event.currentTarget.value)}
      />
    </label>
  );
}

/** Offers one of several as buttons; without a choice it is `none`. */
export function OneOf(props: {
  readonly label: string;
  readonly none?: string;
  /** The words of each. */
  readonly of: Readonly<Record<string, string>>;
  readonly chosen: string | undefined;
  onChoose(chosen: string | undefined): void;
}) {
  const { label, none = 'all', of, chosen, onChoose } = props;
  const button = (value: string | undefined, words: string) => (
    <button key={words} type="button" class="small" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
      {words}
    </button>
  );
  return (
    <div class="periods" role="group" aria-label={label}>
      {button(undefined, none)}
      {Object.entries(of).map(([value, words]) => button(value, words))}
    </div>
  );
}

/** Offers one of many as a list to choose from. */
export function Choice(props: {
  readonly label: string;
  readonly of: readonly string[];
  readonly chosen: string | undefined;
  wordsOf?(value: string): string;
  onChoose(chosen: string | undefined): void;
}) {
  const { label, of, chosen, wordsOf, onChoose } = props;
  const id = useId();
  return (
    <span class="inline">
      <label for={id}>{label}</label>
      <select id={id} value={chosen ?? ''} onChange={(event) => onChoose(event.currentTarget.value || undefined)}>
        <option value="">all</option>
        {of.map((each) => (
          <option key={each} value={each}>
            {wordsOf?.(each) ?? each}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A column of a list: its words, and what rows are sorted by; the first choice of a time or number is from the most. */
export interface Column {
  readonly title: string;
  readonly by?: string;
  readonly mostFirst?: boolean;
  readonly number?: boolean;
}

/** The heads of columns, each with a button that sorts by it. `sort` is what rows are sorted by, with ` desc` from the last. */
export function Heads(props: {
  readonly columns: readonly Column[];
  readonly sort: string;
  onSort(sort: string): void;
}) {
  const { columns, sort, onSort } = props;
  return (
    <thead>
      <tr>
        {columns.map(({ title, by, mostFirst = false, number = false }) => {
          const [up, down] = [by, `${by} desc`];
          const sorted = by !== undefined && (sort === up ? 'ascending' : sort === down ? 'descending' : undefined);
          const next = sort === up || (mostFirst && sort !== down) ? down : up;
          return (
            <th key={title} scope="col" class={number ? 'number' : ''} {...(sorted && { 'aria-sort': sorted })}>
              {by === undefined ? (
                title
              ) : (
                <button type="button" class="sort" onClick={() => onSort(next!)}>
                  {title}
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
