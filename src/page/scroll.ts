/*
 * How far each view was scrolled: whoever comes back to it finds the place again. A browser that did this by itself would be too
 * early, since a view is short until it has read what it shows.
 */

const KEPT_AS = 'reeve.scroll';
/** A view that has not grown as long by then is shorter now. */
const GROWS_WITHIN_MS = 3_000;
const GIVES_UP_ON = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

const kept = new Map<string, number>(JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '[]') as [string, number][]);
let entry = presentEntry();

history.scrollRestoration = 'manual';
addEventListener('pagehide', () => {
  kept.set(entry, scrollY);
  sessionStorage.setItem(KEPT_AS, JSON.stringify([...kept]));
});

/** The name of the present entry of the browser's history, which stays with it. */
function presentEntry(): string {
  const state = history.state as { readonly entry?: string } | null;
  if (state?.entry !== undefined) return state.entry;
  const fresh = crypto.randomUUID();
  history.replaceState({ entry: fresh }, '');
  return fresh;
}

/** Notes the place on the view that is left: the browser's history has moved, and the document not yet. */
export function leavePlace(): void {
  kept.set(entry, scrollY);
  entry = presentEntry();
}

/** Scrolls a view to the place where it was left, as soon as it is long enough; a new one to its top. */
export function returnToPlace(): () => void {
  const wanted = kept.get(entry) ?? 0;
  scrollTo(0, wanted);
  const growth = new ResizeObserver(() => {
    scrollTo(0, wanted);
    if (Math.abs(scrollY - wanted) < 2) stop();
  });
  const stop = () => {
    growth.disconnect();
    clearTimeout(end);
    for (const each of GIVES_UP_ON) removeEventListener(each, stop);
  };
  const end = setTimeout(stop, GROWS_WITHIN_MS);
  for (const each of GIVES_UP_ON) addEventListener(each, stop);
  growth.observe(document.body);
  return stop;
}
