import type { ProblemDocument } from '../api/problem.js';

/** The message of a tab to the hub: all that it shows now, and as whom. */
export interface Wish {
  /** Names the tab; it holds a lock of this name while it is open. */
  readonly tab: string;
  readonly token: string | undefined;
  readonly of: readonly string[];
}

/** How something is, as it was told last, or why it cannot be told. */
export interface Told {
  readonly of: string;
  readonly data?: unknown;
  readonly problem?: ProblemDocument;
}

/** Tells whether what the page shows is how things are. `since` is in milliseconds since 1970. */
export type Connection =
  | { readonly state: 'live' | 'connecting' | 'idle' }
  /** Nobody answers: what is shown is how it was then. */
  | { readonly state: 'away'; readonly since: number; readonly why: string }
  | { readonly state: 'unauthenticated' };

/** The news that the hub tells a tab. */
export type News = { readonly told: Told } | { readonly connection: Connection };
