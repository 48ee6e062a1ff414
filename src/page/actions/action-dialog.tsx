import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Commands, type Call } from '../parts/commands.js';
import { Meaning, Notice } from '../parts/notice.js';
import { useForm } from './alternatives.js';
import { Fields, withoutField } from './fields.js';
import { emptyFields, valueOf, type Schema } from './schema.js';
import { send, type Sending } from './sending.js';

/** Something that can be done, and asks before it is. */
export interface Action {
  readonly title: string;
  readonly description?: string;
  /** The schema of what is asked for; nothing where there is nothing to give. */
  readonly schema?: Schema;
  /** The call that does it, with what was filled in: once as it is sent, once as people may see it. */
  call(given: Readonly<Record<string, unknown>>): Call;
  /** Is true if it ends or breaks off something. */
  readonly danger?: boolean;
  /** The word to be written first, where nothing can be brought back. */
  readonly confirm?: string;
  /** The things that it touches, beyond what its title says. */
  readonly reaches?: ComponentChildren;
  /** The place of the fields in what the service says is wrong: `parameters`. */
  readonly within?: string;
  readonly button: string;
}

interface Props {
  readonly action: Action;
  onTaken(taken: Extract<Sending, { state: 'accepted' }>): void;
  onClose(): void;
}

const NO_FIELDS: Schema = { type: 'object', properties: {} };

/** Asks for what an action needs, sends it, and says what is wrong at the field where it is. */
export function ActionDialog({ action, onTaken, onClose }: Props) {
  const { confirm, within } = action;
  const { schema, filled, choice } = useForm(action.schema ?? NO_FIELDS);
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useId();
  const confirmed = useSignal('');
  const sending = useSignal<Sending>({ state: 'ready' });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    dialog.current?.showModal();
    // It begins where something is filled in, and not at the links above.
    if (action.reaches) dialog.current?.querySelector<HTMLElement>('.field input')?.focus();
    return () => leaving.current.abort();
  }, []);
  // Each field that is still empty after the first try says so, until it is filled in.
  const tried = useSignal(false);
  const empty = tried.value ? emptyFields(schema, filled.value) : [];
  const refusals = useSignal(0);
  // At once, not with the next frame: by then somebody may be typing in another field.
  useLayoutEffect(() => {
    dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refusals.value]);
  const submit = async () => {
    tried.value = true;
    if (emptyFields(schema, filled.value).length > 0) return void refusals.value++;
    const call = action.call(valueOf(schema, filled.value));
    const outcome = await send(call, (state) => (sending.value = state), leaving.current.signal).catch(
      (thrown: unknown) => {
        if (leaving.current.signal.aborted) return undefined;
        throw thrown;
      },
    );
    if (!outcome) return;
    sending.value = outcome;
    if (outcome.state === 'accepted') onTaken(outcome);
    else refusals.value++;
  };
  const state = sending.value;
  const problem = state.state === 'rejected' ? state.problem : undefined;
  const rejected = (problem?.issues ?? []).map(({ path, message }) => ({
    ...{ path: withoutPrefix(path, within), message },
  }));
  const issues = [...rejected, ...empty.map((path) => ({ path, message: 'This has to be given.' }))];
  const elsewhere = withoutField(schema, issues);
  const busy = state.state === 'sending' || state.state === 'unknown';
  return (
    <dialog ref={dialog} aria-labelledby={`${form}-title`} onClose={onClose}>
      <form
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        <h2 id={`${form}-title`}>{action.title}</h2>
        {action.description && <p>{action.description}</p>}
        {action.reaches}
        {choice}
        <Fields schema={schema} filled={filled} issues={issues} form={form} />
        {confirm !== undefined && (
          <div class="field">
            <label for={`${form}-confirm`}>
              To continue, type <strong class="mono">{confirm}</strong>
            </label>
            <input
              id={`${form}-confirm`}
              autocomplete="off"
              spellcheck={false}
              value={confirmed.value}
              onInput={(event) => (confirmed.value = event.currentTarget.value)}
            />
          </div>
        )}
        {problem && (rejected.length === 0 || elsewhere.length > 0) && (
          <Notice tone="bad" title={`Rejected: ${problem.code}`}>
            {problem.message} <Meaning of={problem} />
          </Notice>
        )}
        {state.state === 'unknown' && (
          <Notice tone="warn" title="The answer is not known yet. Retrying.">
            {state.why} Retries use the same idempotency key, so it happens at most once.
          </Notice>
        )}
        <Commands call={action.call(valueOf(schema, filled.value, { hiding: true }))} />
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            {busy ? 'Leave' : 'Back'}
          </button>
          <button
            type="submit"
            class={confirm === undefined && !action.danger ? 'primary' : 'danger primary'}
            disabled={busy || (confirm !== undefined && confirmed.value !== confirm)}
          >
            {busy ? 'Sending …' : action.button}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function withoutPrefix(path: string, prefix: string | undefined): string {
  return prefix !== undefined && path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : path;
}
