import { useSignal } from '@preact/signals';
import { ActionDialog, type Action } from '../../actions/action-dialog.js';
import type { Schema } from '../../actions/schema.js';
import { Problem } from '../../api/problem.js';
import type { ComponentExplanation, DeploymentRepresentation } from '../../api/shapes.js';
import { useWatch } from '../../live/live.js';
import { shellWord } from '../../../definition/shell-word.js';
import { Commands, Copy } from '../../parts/commands.js';
import { InTemporal } from '../../parts/links.js';
import { Loading, Notice, ProblemNotice } from '../../parts/notice.js';
import { Ago, Since } from '../../parts/time.js';
import { linkTo } from '../../router.js';
import { rightsWith } from '../../session/session.js';
import { PhaseBadge } from './phase-badge.js';

/** One deployment: its tree of components, each with its phase and what it does or waits for. W1 */
export function DeploymentView({ name }: { readonly name: string }) {
  const { data, problem } = useWatch(`deployment/${name}`).value ?? {};
  // The data that is told of a deployment is one.
  const deployment = data as DeploymentRepresentation | undefined;
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo(['deployments'])}>Deployments</a>
      </nav>
      <div class="title">
        <h1>{name}</h1>
        {deployment && <EndBadge {...deployment} />}
      </div>
      {problem && <ProblemNotice problem={new Problem(problem)} />}
      {!deployment && !problem && <Loading />}
      {deployment && <Deployment deployment={deployment} />}
    </>
  );
}

function EndBadge({
  phase,
  end,
}: Pick<DeploymentRepresentation, 'phase'> & { readonly end?: DeploymentRepresentation['end'] | undefined }) {
  return <PhaseBadge phase={phase} end={end?.type} undeployed={end?.undeployed} />;
}

function Deployment({ deployment }: { readonly deployment: DeploymentRepresentation }) {
  const { name, component, phase, phase_time: since, end, tree, stale, tenant, subject } = deployment;
  const path = `/api/deployments/${encodeURIComponent(name)}`;
  const ended = end !== null || phase === 'lost';
  return (
    <>
      <p class="standing">
        A {component}
        {subject !== null && <>, deployed by {subject}</>}
        {tenant !== null && <> for the tenant {tenant}</>}.{' '}
        {since !== null && (
          <>
            In this phase for <Since at={since} />.{' '}
          </>
        )}
        <InTemporal address={deployment['@reeve.execution']} />{' '}
        <Copy text={incidentOf(deployment)} what={name} label="Copy as incident" />
      </p>
      {phase === 'lost' && (
        <Notice tone="bad" title="It is lost.">
          Its workflow was terminated before the tree had ended, so nothing was cleaned up.
        </Notice>
      )}
      {stale && !ended && (
        <Notice tone="warn" title="No worker answers for it.">
          This is how it was <Ago at={deployment.reported_time} />.
        </Notice>
      )}
      {end !== null && end.type !== 'normal' && (
        <Notice tone="bad" title={`It has ended: ${end.type}.`}>
          {end.description}
          {end.component !== '' && <> (at {end.component})</>}
        </Notice>
      )}
      {!ended && rightsWith(component)?.operate && <Calls name={name} path={path} />}
      <section class="card" aria-labelledby="tree-title">
        <h2 id="tree-title">Components</h2>
        <ul class="tree">
          <Component of={tree} />
        </ul>
      </section>
      <Commands call={{ method: 'GET', path, reeve: `reeve deployments get ${shellWord(name)}` }} />
    </>
  );
}

function Component({ of }: { readonly of: ComponentExplanation }) {
  const { path, name, kind, phase, since, doing, end, children } = of;
  return (
    <li>
      <div class="node">
        <strong {...(path !== '' && { title: path })}>{name}</strong>
        <span class="faint">{kind}</span>
        <EndBadge phase={phase} end={end} />
        {since !== undefined && (
          <span class="faint">
            for <Since at={since} />
          </span>
        )}
      </div>
      {doing.map((line) => (
        <p key={line} class={`line ${end && end.type !== 'normal' ? 'bad' : ''}`}>
          {line}
        </p>
      ))}
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Component key={child.path} of={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

const END: Schema = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      description: 'The path of a component, like running/copy (default: the whole deployment).',
    },
    type: {
      type: 'string',
      enum: ['normal', 'abnormal'],
      default: 'normal',
      description: 'The type of its end record.',
    },
    description: { type: 'string', description: 'The reason, for other people.' },
  },
};

/** Offers what an operator can do about a deployment that runs. W4 */
function Calls({ name, path }: { readonly name: string; readonly path: string }) {
  const chosen = useSignal<Action | undefined>(undefined);
  const end: Action = {
    title: `End ${name}`,
    description: 'It cleans up first. A component that is needed ends those that need it.',
    schema: END,
    confirm: name,
    button: 'End it',
    call: (given) => ({
      ...{ method: 'POST', path: `${path}/terminate`, json: given },
      reeve: `reeve deployments terminate ${shellWord(name)}${endOptions(given)}`,
    }),
  };
  const ping: Action = {
    title: `Check all components of ${name}`,
    description: 'This checks their liveness. A component that fails the check ends abnormally.',
    button: 'Ask',
    call: () => ({ method: 'POST', path: `${path}/ping`, reeve: `reeve deployments ping ${shellWord(name)}` }),
  };
  return (
    <p class="steering">
      <button type="button" onClick={() => (chosen.value = ping)}>
        Check liveness
      </button>
      <button type="button" class="danger" onClick={() => (chosen.value = end)}>
        End
      </button>
      {chosen.value && (
        <ActionDialog
          key={chosen.value.button}
          action={chosen.value}
          onClose={() => (chosen.value = undefined)}
          onTaken={() => (chosen.value = undefined)}
        />
      )}
    </p>
  );
}

function endOptions({ path, type, description }: Readonly<Record<string, unknown>>): string {
  return [
    ...(path ? [` ${shellWord(String(path))}`] : []),
    ...(type ? [` --type ${shellWord(String(type))}`] : []),
    ...(description ? [` --description ${shellWord(String(description))}`] : []),
  ].join('');
}

function incidentOf({ name, component, phase, end, ...rest }: DeploymentRepresentation): string {
  return [
    `${name}, a ${component}: ${phase}`,
    ...(end === null ? [] : [`ended ${end.type}: ${end.description} ${end.component}`.trim()]),
    location.href,
    ...(rest['@reeve.execution'] === undefined ? [] : [rest['@reeve.execution']]),
  ].join('\n');
}
