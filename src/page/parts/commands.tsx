import { useSignal } from '@preact/signals';
import { shellWord } from '../../definition/shell-word.js';
import { inShell } from './in-shell.js';

/** A call of the API, as the page makes it. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The same with the command line, without `npx`. */
  readonly reeve?: string;
}

/** The commands that do the same as the page. The token is not in them, and neither is what is secret. */
export function Commands({ call }: { readonly call: Call }) {
  return (
    <details class="commands">
      <summary>As a command</summary>
      {call.reeve !== undefined && <Command text={inShell(call.reeve)} />}
      <Command text={curlOf(call)} />
    </details>
  );
}

/** Shows the command for what the page cannot do itself. */
export function CommandHint({ says, command }: { readonly says: string; readonly command: string }) {
  const text = inShell(command);
  return (
    <p class="hint">
      {says} <code>{text}</code> <Copy text={text} what="the command" />
    </p>
  );
}

function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <pre tabIndex={0}>{text}</pre>
      <Copy text={text} what="the command" />
    </div>
  );
}

/** Copies a text. */
export function Copy({
  text,
  what,
  label = 'Copy',
}: {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}) {
  const said = useSignal(label);
  const copy = async () => {
    said.value = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not allowed',
    );
    setTimeout(() => (said.value = label), 1_500);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()} aria-label={`${said.value}: ${what}`}>
      {said.value}
    </button>
  );
}

export function curlOf({ method, path, headers = {}, json }: Call): string {
  const given = { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers };
  return [
    `curl${method === 'POST' ? ' -X POST' : ''} ${shellWord(location.origin + path)}`,
    ...Object.entries(given).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`-d ${shellWord(JSON.stringify(json))}`]),
  ].join(' \\\n  ');
}
