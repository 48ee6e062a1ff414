import { useEffect, useRef } from 'preact/hooks';
import { beginLive } from './live/live.js';
import { AskedFor } from './parts/asked.js';
import { Notice } from './parts/notice.js';
import { place } from './router.js';
import { returnToPlace } from './scroll.js';
import { me, unreached } from './session/session.js';
import { SignIn } from './session/sign-in.js';
import { asksWho } from './session/token.js';
import { useTitleOf } from './title.js';
import { AuditView } from './views/audit.js';
import { Bar } from './views/bar.js';
import { CreateView } from './views/create.js';
import { DeploymentListView } from './views/deployments/deployment-list.js';
import { DeploymentView } from './views/deployments/deployment.js';
import { DistributedListView } from './views/distributed/distributed-list.js';
import { DistributedView } from './views/distributed/distributed.js';
import { EntitiesView } from './views/entities.js';
import { AllEntitiesView } from './views/entity-list.js';
import { EntityView } from './views/entity/entity.js';
import { FleetView } from './views/fleet.js';
import { ManyView } from './views/many/many.js';
import { NeedsYouView } from './views/needs-you.js';
import { OperationView } from './views/operation/operation.js';
import { OperationsView } from './views/operations.js';
import { DeployView, StartView } from './views/start.js';
import { Search } from './views/search.js';

/** The page: the bar, one view, and what lies above them. */
export function App() {
  useEffect(() => void beginLive(), []);
  return (
    <>
      <a class="skip" href="#content" onClick={toContent}>
        To the content
      </a>
      <Bar />
      <AskedFor />
      <main id="content" tabIndex={-1}>
        <Content />
      </main>
      <Search />
      {asksWho.value && <SignIn />}
    </>
  );
}

function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Content() {
  const { parts } = place.value;
  const path = parts.join('/');
  const first = useRef(true);
  useTitleOf(parts);
  useEffect(() => {
    // The focus goes to the next view, so that a reader of the screen begins there too.
    if (!first.current) document.getElementById('content')?.focus({ preventScroll: true });
    first.current = false;
    return returnToPlace();
  }, [path]);
  if (!me.value) {
    if (unreached.value === undefined) return null;
    return (
      <Notice instead tone="warn" title="The service is unavailable.">
        {unreached.value} Retrying.
      </Notice>
    );
  }
  return <View key={path} parts={parts} />;
}

function View({ parts }: { readonly parts: readonly string[] }) {
  const [view, first, ...rest] = parts;
  switch (view) {
    case undefined:
      return <NeedsYouView />;
    case 'fleet':
      return <FleetView />;
    case 'entities':
      if (first === undefined) return <AllEntitiesView />;
      if (rest.length > 0) return <EntityView type={first} entityKey={rest.join('/')} />;
      return <EntitiesView type={first} />;
    case 'create':
      if (first !== undefined) return <CreateView type={first} />;
      break;
    case 'many':
      if (first !== undefined) return <ManyView type={first} />;
      break;
    case 'operations':
      return first === undefined ? <OperationsView /> : <OperationView id={first} />;
    case 'audit':
      return <AuditView />;
    case 'deployments':
      return first === undefined ? <DeploymentListView /> : <DeploymentView name={first} />;
    case 'deploy':
      return <DeployView />;
    case 'start':
      return <StartView />;
    case 'distributed':
      return first === undefined ? <DistributedListView /> : <DistributedView name={first} />;
  }
  return (
    <Notice instead tone="bad" title="There is no such view.">
      The address may be wrong. <a href="#/">Start with what needs you.</a>
    </Notice>
  );
}
