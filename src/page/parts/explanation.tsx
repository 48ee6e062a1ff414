import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useReading } from '../api/reading.js';
import type { ExplainedNode, Explanation, StuckOne } from '../api/shapes.js';
import { callLine, queueLine, taskLines } from '../../cli/explanation/service-words.js';
import { failureLines, hasFailed, unknownWaitLines, waitLines } from '../../cli/explanation/wait-words.js';
import type { WaitsDrawing } from '../views/waits/waits-drawing.js';
import { StateBadge } from './badge.js';
import { EntityLink } from './links.js';
import { Notice, Read } from './notice.js';
import { Since } from './time.js';
import { UNREAD } from './unread-words.js';

/** Shows what something waits for, as a tree, read again whenever it changes. S5.4 */
export function ExplanationView({ path, tick }: { readonly path: string; readonly tick: unknown }) {
  const reading = useReading<Explanation>(`${path}/explanation`, tick, 3_000);
  return (
    <Read reading={reading.value}>
      {(explanation) => {
        const { at, entities, starved, stuck } = explanation;
        return (
          <>
            {starved.map((queue) => (
              <Notice
                key={queue.taskQueue + queue.work}
                tone="bad"
                title="Tasks are waiting, and no worker polls for them."
              >
                {queueLine(queue, at)}
              </Notice>
            ))}
            <Drawing explanation={explanation} />
            {entities.length === 0 && starved.length === 0 ? (
              <p class="faint">Nothing.</p>
            ) : (
              <ul class="tree">
                {entities.map((node) => (
                  <Node key={node.entity} node={node} at={at} stuck={stuck} />
                ))}
              </ul>
            )}
          </>
        );
      }}
    </Read>
  );
}

const drawing = signal<typeof WaitsDrawing | undefined>(undefined);

/** The drawing of the waits, whose code is loaded when it is shown for the first time. Where it cannot be, the list says the same. */
function Drawing({ explanation }: { readonly explanation: Explanation }) {
  useEffect(() => {
    void import('../views/waits/waits-drawing.js').then(
      (loaded) => (drawing.value = loaded.WaitsDrawing),
      () => undefined,
    );
  }, []);
  const Loaded = drawing.value;
  return Loaded ? <Loaded explanation={explanation} /> : null;
}

interface NodeProps {
  readonly node: ExplainedNode;
  readonly at: number;
  readonly stuck: readonly StuckOne[];
}

function Node({ node, at, stuck }: NodeProps) {
  const mine = stuck.find(({ who }) => who === node.entity);
  return (
    <li>
      <div class="node">
        <EntityLink id={node.entity} />
        {node.kind === 'entity' && <NodeState node={node} />}
        {node.kind === 'elsewhere' && (
          <span class="faint">{node.cycle ? 'listed above: a deadlock' : 'see above'}</span>
        )}
        {node.kind === 'unread' && <span class="count bad">{UNREAD[node.reason]}</span>}
      </div>
      {mine && (
        <p class="line bad">
          stuck: {mine.message}. {mine.whatToDo}
        </p>
      )}
      {node.kind === 'entity' &&
        failureLines(node, at).map((line) => (
          <p key={line} class="line warn">
            {line}
          </p>
        ))}
      {node.kind === 'entity' &&
        node.waits.map((wait, index) => (
          <p key={index} class={`line ${hasFailed(wait) ? 'warn' : ''}`}>
            {waitLines(wait, at).join('\n')}
          </p>
        ))}
      {node.kind === 'entity' &&
        unknownWaitLines(node, at).map((line) => (
          <p key={line} class="line warn">
            {line}
          </p>
        ))}
      {node.kind !== 'elsewhere' &&
        node.calls.map((call, index) => (
          <p key={index} class="line">
            {callLine(call, at)}
          </p>
        ))}
      {node.kind !== 'elsewhere' && node.task && <p class="line bad">{taskLines(node.task, at).join('\n')}</p>}
      {node.kind === 'entity' && node.settled && !mine && node.waits.length === 0 && (
        <p class="line faint">has settled: it waits for nothing</p>
      )}
      {node.kind === 'entity' && node.below.length > 0 && (
        <ul>
          {node.below.map((below) => (
            <Node key={below.entity} node={below} at={at} stuck={stuck} />
          ))}
        </ul>
      )}
    </li>
  );
}

function NodeState({ node }: { readonly node: Extract<ExplainedNode, { kind: 'entity' }> }) {
  const [type = ''] = node.entity.split('/');
  return (
    <>
      <StateBadge type={type} state={node.state} health={node.health} settled={node.settled} />
      <span class="faint">
        for <Since at={node.since} />
      </span>
    </>
  );
}
