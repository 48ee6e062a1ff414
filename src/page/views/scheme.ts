import { effect, signal } from '@preact/signals';

/** The colours: those of the system unless somebody chooses others. */
type Scheme = 'system' | 'light' | 'dark';

const KEPT_AS = 'reeve.scheme';
const SCHEMES: readonly Scheme[] = ['system', 'light', 'dark'];

export const scheme = signal<Scheme>(SCHEMES.find((each) => each === localStorage.getItem(KEPT_AS)) ?? 'system');

effect(() => {
  localStorage.setItem(KEPT_AS, scheme.value);
  if (scheme.value === 'system') delete document.documentElement.dataset['scheme'];
  else document.documentElement.dataset['scheme'] = scheme.value;
});

export function nextScheme(): void {
  scheme.value = SCHEMES[(SCHEMES.indexOf(scheme.value) + 1) % SCHEMES.length]!;
}
