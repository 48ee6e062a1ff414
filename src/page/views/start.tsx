import { ActionDialog, type Action } from '../actions/action-dialog.js';
import { deployAction, startAction } from '../actions/starting.js';
import { Notice } from '../parts/notice.js';
import { go, linkTo } from '../router.js';
import { deployable, me, startable } from '../session/session.js';
import { DeploymentListView } from './deployments/deployment-list.js';
import { DistributedListView } from './distributed/distributed-list.js';

/** Deploys components: a form above the list of deployments. W1 */
export function DeployView() {
  if (deployable.value.length === 0) return <NotAllowed title="You may not deploy components." />;
  return (
    <>
      <DeploymentListView />
      <Form view="deployments" action={deployAction(deployable.value, me.value?.tenant === '*')} />
    </>
  );
}

/** Starts operations over partitions: a form above the list of them. I8 */
export function StartView() {
  if (startable.value.length === 0) return <NotAllowed title="You may not start distributed operations." />;
  return (
    <>
      <DistributedListView />
      <Form view="distributed" action={startAction(startable.value)} />
    </>
  );
}

/** The form, which leads to the view of what it has started. */
function Form({ view, action }: { readonly view: string; readonly action: Action }) {
  const show = (...name: readonly string[]) => go(linkTo([view, ...name]), { replacing: true });
  return (
    <ActionDialog
      action={action}
      onClose={() => show()}
      onTaken={({ named }) => (named === undefined ? show() : show(named))}
    />
  );
}

function NotAllowed({ title }: { readonly title: string }) {
  return (
    <Notice instead tone="bad" title={title}>
      None may exist, or it may require another role.
    </Notice>
  );
}
