import { useEffect, useLayoutEffect } from 'preact/hooks';
import { shortId } from '../cli/explanation/short-id.js';

const TITLES: Readonly<Record<string, string>> = {
  '': 'Needs you',
  fleet: 'Fleet',
  entities: 'Entities',
  operations: 'Operations',
  deployments: 'Deployments',
  distributed: 'Distributed operations',
  deploy: 'New deployment',
  start: 'New distributed operation',
  audit: 'Audit trail',
};

/** Names the document by the address of its view. */
export function useTitleOf(parts: readonly string[]): void {
  const title = titleOf(parts);
  useLayoutEffect(() => nameDocument(title), [title]);
}

/** Names the document by what the view has found out: after its address has named it. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) nameDocument(title);
  }, [title]);
}

function nameDocument(title: string): void {
  document.title = `${title} · Reeve`;
}

/** The title of a view: what differs comes first, since tabs cut their titles. */
function titleOf([view = '', first, ...rest]: readonly string[]): string {
  if (first === undefined) return TITLES[view] ?? view;
  if (view === 'entities') return rest.length > 0 ? `${rest.join('/')} · ${first}` : first;
  if (view === 'create') return `New ${first}`;
  if (view === 'many') return `Many × ${first}`;
  return view === 'operations' ? `Operation …${shortId(first)}` : first;
}
