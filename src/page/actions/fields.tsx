import type { Signal } from '@preact/signals';
import type { Issue } from '../api/problem.js';
import { fieldKind, formatOf, pathOf, type Filled, type Schema } from './schema.js';

interface FieldsProps {
  readonly schema: Schema;
  readonly filled: Signal<Filled>;
  /** All that the service has said of the fields, by their paths. */
  readonly issues: readonly Issue[];
  readonly above?: string;
  /** Tells the fields of this form from others on the page. */
  readonly form: string;
}

/** The fields for what a schema describes. */
export function Fields({ schema, filled, issues, above = '', form }: FieldsProps) {
  return (
    <>
      {Object.entries(schema.properties ?? {}).map(([name, part]) => {
        const path = pathOf(above, name);
        if (part.const !== undefined) return null;
        if (fieldKind(name, part) === 'group') {
          return (
            <fieldset key={path}>
              <legend>{name}</legend>
              {part.description && <p class="hint">{part.description}</p>}
              <Fields schema={part} filled={filled} issues={issues} above={path} form={form} />
            </fieldset>
          );
        }
        const required = schema.required?.includes(name) === true && part.default === undefined;
        return <Field key={path} {...{ name, path, part, required, filled, issues, form }} />;
      })}
    </>
  );
}

interface FieldProps extends Pick<FieldsProps, 'filled' | 'issues' | 'form'> {
  readonly name: string;
  readonly path: string;
  readonly part: Schema;
  readonly required: boolean;
}

function Field({ name, path, part, required, filled, issues, form }: FieldProps) {
  const id = `${form}-${path}`;
  const wrong = issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
  const kind = fieldKind(name, part);
  const format = formatOf(part);
  const said = [
    ...(part.description || format ? [`${id}-hint`] : []),
    ...(wrong.length > 0 ? [`${id}-wrong`] : []),
  ].join(' ');
  const common = {
    ...{ id, name: path, 'aria-invalid': wrong.length > 0, 'aria-required': required },
    ...(said !== '' && { 'aria-describedby': said }),
  };
  const set = (value: string | boolean) => (filled.value = { ...filled.value, [path]: value });
  const given = filled.value[path];
  const text = typeof given === 'string' ? given : '';
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    set(currentTarget.value);
  return (
    <div class={`field ${kind} ${wrong.length > 0 ? 'wrong' : ''}`}>
      {kind === 'check' ? (
        <label for={id}>
          <input {...common} type="checkbox" checked={given === true} onChange={(e) => set(e.currentTarget.checked)} />
          <span>{part.title ?? name}</span>
        </label>
      ) : (
        <>
          <label for={id}>
            {part.title ?? name} {!required && <span class="faint">optional</span>}
          </label>
          {kind === 'choice' ? (
            <select {...common} value={text} onChange={onInput}>
              <option value="" />
              {part.enum?.map((each) => (
                <option key={String(each)}>{String(each)}</option>
              ))}
            </select>
          ) : kind === 'json' ? (
            <textarea {...common} rows={3} spellcheck={false} value={text} placeholder="JSON" onInput={onInput} />
          ) : (
            <Line secret={kind === 'secret'} number={kind === 'number'} common={{ ...common, value: text, onInput }} />
          )}
        </>
      )}
      {(part.description || format) && (
        <p class="hint" id={`${id}-hint`}>
          {part.description} {format && <>Format: {format}.</>}
        </p>
      )}
      {wrong.length > 0 && (
        <p class="issue" id={`${id}-wrong`} role="alert">
          {wrong.map(({ message }) => message).join('; ')}
        </p>
      )}
    </div>
  );
}

/** A field of one line. */
function Line({
  secret,
  number,
  common,
}: {
  readonly secret: boolean;
  readonly number: boolean;
  readonly common: object;
}) {
  const line = { ...common, autocomplete: 'off', spellcheck: false } as const;
  if (secret) return <input {...line} type="password" />;
  return <input {...line} type="text" inputMode={number ? 'decimal' : 'text'} />;
}

/** Finds what the service has said that belongs to no field of the form. */
export function withoutField(schema: Schema, issues: readonly Issue[]): readonly Issue[] {
  const paths = pathsIn(schema);
  return issues.filter(({ path }) => !paths.some((each) => path === each || path.startsWith(`${each}.`)));
}

function pathsIn(schema: Schema, above = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = pathOf(above, name);
    return fieldKind(name, part) === 'group' ? pathsIn(part, path) : [path];
  });
}
