import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { token, useToken } from './token.js';

/** Asks for a token, above the view: that and its forms stay as they are. */
export function SignIn() {
  const dialog = useRef<HTMLDialogElement>(null);
  const given = useSignal('');
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="sign-in" aria-labelledby="sign-in-title" onCancel={(event) => event.preventDefault()}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (given.value.trim() !== '') useToken(given.value.trim());
        }}
      >
        <h2 id="sign-in-title">Sign in</h2>
        <p>
          {token.value === undefined
            ? 'The service requires authentication.'
            : 'Your key or token is not valid: it has expired, was revoked, or is wrong.'}
        </p>
        <div class="field">
          <label for="sign-in-token">API key or JSON Web Token</label>
          <input
            id="sign-in-token"
            type="password"
            autocomplete="off"
            value={given.value}
            onInput={(event) => (given.value = event.currentTarget.value)}
          />
          <p class="hint">
            It is stored only in this tab, until you close it. An operator creates one with{' '}
            <code>npx reeve keys create</code>.
          </p>
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
    </dialog>
  );
}
