import { connection } from '../live/live.js';
import { Ago, switchUtc, utc } from '../parts/time.js';
import { place } from '../router.js';
import { me, readsDeployments, readsDistributed } from '../session/session.js';
import { token, useToken } from '../session/token.js';
import { useAttention } from './attention.js';
import { openSearch } from './search.js';
import { nextScheme, scheme } from './scheme.js';

/** Shows what stands above each view: where one can go, who one is, and whether what one sees is how things are. */
export function Bar() {
  const [view = ''] = place.value.parts;
  const link = (to: string, text: string, current: boolean, more?: preact.ComponentChildren) => (
    <a href={to} {...(current && { 'aria-current': 'page' as const })}>
      {text}
      {more}
    </a>
  );
  return (
    <header class="bar">
      <a class="brand" href="#/" aria-label="Reeve">
        <img src="/favicon.svg" alt="" width="22" height="22" />
        <span>Reeve</span>
      </a>
      <nav aria-label="Views">
        {link('#/', 'Needs you', view === '', <Needed />)}
        {link('#/fleet', 'Fleet', ['fleet', 'entities', 'create', 'many'].includes(view))}
        {link('#/operations', 'Operations', view === 'operations')}
        {readsDeployments.value && link('#/deployments', 'Deployments', ['deployments', 'deploy'].includes(view))}
        {readsDistributed.value && link('#/distributed', 'Distributed', ['distributed', 'start'].includes(view))}
      </nav>
      <div class="bar-end">
        <button type="button" class="search-button" onClick={openSearch} aria-keyshortcuts="Control+K">
          <span>Search</span> <kbd>Ctrl K</kbd>
        </button>
        <Live />
        <Who />
      </div>
    </header>
  );
}

function Needed() {
  const { data } = useAttention().value;
  const count = data?.items.length ?? 0;
  return count === 0 ? null : <span class="count bad">{count}</span>;
}

function Live() {
  const { value } = connection;
  const words = {
    live: 'Live',
    connecting: 'Connecting',
    idle: 'Connecting',
    away: 'Not live',
    unauthenticated: 'Signed out',
  };
  return (
    <span class={`live ${value.state}`} role="status" {...(value.state === 'away' && { title: value.why })}>
      <span class="dot" />
      {words[value.state]}
      {value.state === 'away' && (
        <span class="away">
          {' '}
          since <Ago at={value.since} />
        </span>
      )}
    </span>
  );
}

function Who() {
  const who = me.value;
  if (!who) return null;
  return (
    // A new view closes it.
    <details key={place.value.parts.join('/')} class="who">
      <summary>{who.subject}</summary>
      <div class="menu">
        <p>
          {who.tenant === '*' ? 'For all tenants' : `Tenant ${who.tenant}`}, as {who.roles.join(', ')}
        </p>
        {who.audit && <a href="#/audit">Audit trail</a>}
        <a href="/guide/">The guide</a>
        <a href="/docs">The API</a>
        <button type="button" class="small" onClick={switchUtc}>
          Times: {utc.value ? 'UTC' : 'local'}
        </button>
        <button type="button" class="small" onClick={nextScheme}>
          Colours: {scheme.value}
        </button>
        {token.value !== undefined && (
          <button type="button" onClick={() => useToken(undefined)}>
            Sign out
          </button>
        )}
      </div>
    </details>
  );
}
