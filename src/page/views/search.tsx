import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useReading } from '../api/reading.js';
import type { DeploymentRow, EntityRow, OperationRow, Page } from '../api/shapes.js';
import { OperationBadge, StateBadge } from '../parts/badge.js';
import { hasText } from '../../protocol/odata-text.js';
import { go, linkTo, linkToEntity, linkToOperation } from '../router.js';
import {
  deployable,
  me,
  readsDeployments,
  readsDistributed,
  readsEntities,
  startable,
  types,
} from '../session/session.js';
import { PhaseBadge } from './deployments/phase-badge.js';

const open = signal(false);

export function openSearch(): void {
  open.value = true;
}

/** Finds entities by their keys, operations by their ids or names, and views, by a text anywhere in these. */
export function Search() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open.value = true;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return open.value && me.value ? <SearchDialog /> : null;
}

interface Found {
  readonly link: string;
  readonly title: string;
  readonly kind: string;
  readonly badge?: preact.ComponentChildren;
}

function SearchDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = useSignal('');
  // By its link: results that come later stand before others, and would take the place of the one that was chosen.
  const chosen = useSignal<string | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const found = useFound(asked.value.trim());
  const at = Math.max(
    0,
    found.findIndex(({ link }) => link === chosen.value),
  );
  const follow = (link: string) => {
    dialog.current?.close();
    go(link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      chosen.value = found[(at + step + found.length) % Math.max(1, found.length)]?.link;
    } else if (event.key === 'Enter' && found[at]) {
      event.preventDefault();
      follow(found[at].link);
    }
  };
  return (
    <dialog ref={dialog} class="search" aria-label="Search" onClose={() => (open.value = false)}>
      <input
        role="combobox"
        aria-label="A key, an id or a name"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        {...(found[at] && { 'aria-activedescendant': `found-${at}` })}
        placeholder="A key, the id of an operation, a type …"
        autocomplete="off"
        spellcheck={false}
        value={asked.value}
        onInput={(event) => {
          asked.value = event.currentTarget.value;
          chosen.value = undefined;
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="found" role="listbox" aria-label="Results">
        {found.map(({ link, title, kind, badge }, index) => (
          <li
            key={link}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => follow(link)}
            onMouseMove={() => (chosen.value = link)}
          >
            <span class="grow">{title}</span>
            {badge}
            <span class="faint">{kind}</span>
          </li>
        ))}
      </ul>
      {asked.value !== '' && found.length === 0 && <p class="empty">No results.</p>}
    </dialog>
  );
}

/** At most so many entities are found; a list has all of them. */
const MOST = 12;

function useFound(asked: string): readonly Found[] {
  const [, wantedType, wantedKey] = /^([A-Z]\w*)\/(.*)$/.exec(asked) ?? [];
  const text = wantedKey ?? asked;
  const ofType = wantedType === undefined ? '' : ` and type eq '${wantedType}'`;
  const nothing = asked === '' || !readsEntities.value;
  const query = (filter: string, rest: string) => `?$filter=${encodeURIComponent(filter)}&${rest}`;
  const entities = useReading<Page<EntityRow>>(
    nothing ? undefined : `/api/entities${query(hasText(text, ['key']) + ofType, `$top=${MOST}&$orderby=key`)}`,
  ).value.data?.value;
  const deployments = useReading<Page<DeploymentRow>>(
    asked === '' || !readsDeployments.value
      ? undefined
      : `/api/deployments${query(hasText(text, ['name']), '$top=6&$orderby=name')}`,
  ).value.data?.value;
  const operations = useReading<Page<OperationRow>>(
    nothing
      ? undefined
      : `/api/operations${query(hasText(text, ['request_id', 'name']), '$top=6&$orderby=operation_id%20desc')}`,
  ).value.data?.value;
  const views: Found[] = [
    { link: '#/', title: 'Needs you', kind: 'view' },
    { link: linkTo(['fleet']), title: 'Fleet', kind: 'view' },
    { link: linkTo(['operations']), title: 'Operations', kind: 'view' },
    ...(me.value?.audit ? [{ link: linkTo(['audit']), title: 'Audit trail', kind: 'view' }] : []),
    ...(readsDeployments.value ? [{ link: linkTo(['deployments']), title: 'Deployments', kind: 'view' }] : []),
    ...(readsDistributed.value
      ? [{ link: linkTo(['distributed']), title: 'Distributed operations', kind: 'view' }]
      : []),
    ...(deployable.value.length > 0 ? [{ link: linkTo(['deploy']), title: 'New deployment', kind: 'view' }] : []),
    ...(startable.value.length > 0
      ? [{ link: linkTo(['start']), title: 'New distributed operation', kind: 'view' }]
      : []),
    ...(types.value ?? []).map(({ name }) => ({ link: linkTo(['entities', name]), title: name, kind: 'type' })),
  ];
  return [
    ...(entities ?? []).map((row) => ({
      link: linkToEntity(`${row.type}/${row.key}`),
      title: `${row.type}/${row.key}`,
      kind: 'entity',
      badge: <StateBadge {...row} />,
    })),
    ...(operations ?? []).map((row) => ({
      link: linkToOperation(row.request_id),
      title: row.name,
      kind: 'operation',
      badge: <OperationBadge row={row} />,
    })),
    ...(deployments ?? []).map((row) => ({
      link: linkTo(['deployments', row.name]),
      title: row.name,
      kind: 'deployment',
      badge: <PhaseBadge phase={row.phase} end={row.end_type} undeployed={row.undeployed} />,
    })),
    ...views.filter(({ title }) => title.toLowerCase().includes(asked.toLowerCase())),
    ...(entities?.length === MOST
      ? [{ link: linkTo(['entities'], { text: asked }), title: `All entities with “${asked}”`, kind: 'list' }]
      : []),
  ];
}
