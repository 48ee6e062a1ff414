import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { token, unknownToken } from '../session/token.js';
import { Hub } from './hub.js';
import type { Connection, News, Told, Wish } from './messages.js';

/** How long a tab may be hidden until it wishes for nothing. */
const HIDDEN_MS = 30_000;

/** Tells whether what the page shows is how things are. */
export const connection = signal<Connection>({ state: 'idle' });

/** Something that this tab watches. */
interface Watch {
  readonly told: Signal<Told | undefined>;
  watchers: number;
}

const tab = `reeve.tab.${crypto.randomUUID()}`;
const watches = signal<ReadonlyMap<string, Watch>>(new Map());
const asleep = signal(false);
let send: ((wish: Wish) => void) | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Begins to tell the hub what this tab wishes for, whenever that changes. */
export async function beginLive(): Promise<void> {
  send = await openHub();
  effect(() => {
    const of = asleep.value ? [] : [...watches.value.keys()];
    send?.({ tab, token: token.value, of });
  });
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(() => (asleep.value = true), HIDDEN_MS);
    else asleep.value = false;
  });
}

/** The hub that all tabs share; one of this tab where the browser cannot share. */
async function openHub(): Promise<(wish: Wish) => void> {
  if (typeof SharedWorker === 'undefined') {
    const hub = new Hub();
    return (wish) => hub.wish(wish, hear);
  }
  await new Promise<void>((taken) => {
    void navigator.locks.request(tab, () => {
      taken();
      return new Promise(() => undefined);
    });
  });
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'reeve' });
  worker.port.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data));
  worker.port.start();
  return (wish) => worker.port.postMessage(wish);
}

function hear(news: News): void {
  if ('connection' in news) {
    connection.value = news.connection;
    if (news.connection.state === 'unauthenticated') unknownToken(token.value);
    return;
  }
  const watch = watches.value.get(news.told.of);
  if (watch) watch.told.value = news.told;
}

const NOTHING: ReadonlySignal<Told | undefined> = signal(undefined);

/** Gives what was told last of something, for as long as a part of the page shows it: `LogicalServer/orders`, `op/...`, `summary`. */
export function useWatch(of: string | undefined): ReadonlySignal<Told | undefined> {
  const watch = of === undefined ? undefined : watchOf(of);
  useEffect(() => {
    if (of === undefined) return undefined;
    const mine = watchOf(of);
    mine.watchers++;
    if (mine.watchers === 1) watches.value = new Map([...watches.peek(), [of, mine]]);
    return () => {
      mine.watchers--;
      if (mine.watchers > 0) return;
      const others = new Map(watches.peek());
      others.delete(of);
      watches.value = others;
      resting.delete(of);
    };
  }, [of]);
  return watch?.told ?? NOTHING;
}

/** Watches that are shown for the first time, and not counted yet. */
const resting = new Map<string, Watch>();

function watchOf(of: string): Watch {
  const known = watches.peek().get(of) ?? resting.get(of);
  if (known) return known;
  const watch: Watch = { told: signal<Told | undefined>(undefined), watchers: 0 };
  resting.set(of, watch);
  return watch;
}
