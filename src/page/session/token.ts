import { signal } from '@preact/signals';

/** Where a tab keeps the token while it is open. It is in no address, and in no other tab. */
const KEPT_AS = 'reeve.token';

/** The token or API key that is shown to the service; none where nobody has signed in. */
export const token = signal<string | undefined>(sessionStorage.getItem(KEPT_AS) ?? undefined);

/** Tells whether the service asks who it is, so that somebody has to sign in. The view and its forms stay as they are meanwhile. */
export const asksWho = signal(false);

export function useToken(given: string | undefined): void {
  if (given === undefined) sessionStorage.removeItem(KEPT_AS);
  else sessionStorage.setItem(KEPT_AS, given);
  token.value = given;
  asksWho.value = false;
}

/** The service does not know this token, or asks for one. One that was replaced meanwhile says nothing. */
export function unknownToken(shown: string | undefined): void {
  if (shown === token.value) asksWho.value = true;
}
