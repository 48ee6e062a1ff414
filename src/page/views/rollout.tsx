import { useReading } from '../api/reading.js';
import type { Rollout } from '../api/shapes.js';
import { Badge } from '../parts/badge.js';
import { shellWord } from '../../definition/shell-word.js';
import { CommandHint, Commands } from '../parts/commands.js';
import { Ago } from '../parts/time.js';
import { me } from '../session/session.js';

const PATH = '/api/rollout';
const EVERY_MS = 10_000;
type Build = Rollout['builds'][number];

/** Which builds of the workflow code run what, and how far a rollout is. Nothing where no worker names its build. */
export function Builds() {
  // Where Temporal does not answer, the view says so already.
  const { data } = useReading<Rollout>(me.value?.rollout ? PATH : undefined, 0, EVERY_MS).value;
  if (!data || data.builds.length === 0) return null;
  const all = data.builds.reduce((sum, { running }) => sum + running, data.unversioned);
  return (
    <section class="card builds" aria-labelledby="builds-title">
      <h2 id="builds-title">Builds of {data.deployment}</h2>
      <ul class="lines">
        {data.builds.map((each) => (
          <BuildLine key={each.build} each={each} all={all} />
        ))}
        {data.unversioned > 0 && (
          <li>
            <span class="grow">on workers without builds</span>
            <span>{counted(data.unversioned)}</span>
          </li>
        )}
      </ul>
      {data.builds
        .filter(({ reversible }) => reversible)
        .map(({ build }) => (
          <CommandHint key={build} says={`To roll ${build} back:`} command={`reeve rollout undo ${shellWord(build)}`} />
        ))}
      <CommandHint says="To check whether your code can continue what runs:" command="reeve replay --open 200" />
      <Commands call={{ method: 'GET', path: PATH, reeve: 'reeve rollout status' }} />
    </section>
  );
}

const WORDS = { rolling: 'its rollout began', done: 'rolled out', rolled_back: 'rolled back', stopped: 'stopped' };

function BuildLine({ each, all }: { readonly each: Build; readonly all: number }) {
  const { build, running, served, rollout } = each;
  const isStranded = running > 0 && !served;
  const isRolling = rollout?.state === 'rolling';
  const isOver = rollout?.state === 'rolled_back' || rollout?.state === 'stopped';
  const by = (isOver ? rollout.ended_by : rollout?.by) ?? null;
  return (
    <li>
      <span class="grow">
        <span class="mono">{build}</span> <Standing each={each} />{' '}
        {rollout && (
          <span class="faint">
            {WORDS[rollout.state]}
            {isOver && rollout.ended_time === null ? ': its rollout began ' : ' '}
            <Ago at={rollout.ended_time ?? rollout.since} />
            {by !== null && ` by ${by}`}
            {rollout.reason !== null && `, because ${rollout.reason}`}
          </span>
        )}
        {isStranded && (
          <span class="message">No worker serves it, so these make no progress. Start workers of this build.</span>
        )}
      </span>
      {isRolling && <progress max={all} value={running} aria-label={`Workflows on ${build}`} />}
      <span>{isRolling ? `${running} of ${counted(all)}` : counted(running)}</span>
    </li>
  );
}

function Standing({ each: { role, percent, running, served } }: { readonly each: Build }) {
  if (running > 0 && !served) return <Badge tone="bad">no worker</Badge>;
  switch (role) {
    case 'current':
      return <Badge tone="good">new executions begin on it</Badge>;
    case 'ramping':
      return <Badge tone="busy">new executions of {percent} % begin on it</Badge>;
    case 'old':
      return running === 0 ? (
        <Badge tone="quiet">drained: its workers can be stopped</Badge>
      ) : (
        <Badge tone="warn">no new execution begins on it</Badge>
      );
    case 'new':
      return <Badge tone="quiet">never rolled out</Badge>;
  }
}

function counted(count: number): string {
  return count === 1 ? '1 workflow' : `${count} workflows`;
}
