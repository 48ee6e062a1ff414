import { shellWord } from '../../../definition/shell-word.js';
import type { WatchedEntity } from '../../api/shapes.js';

/** A command that helps with an entity whose workflow task fails. */
export interface FailingHint {
  readonly says: string;
  readonly command: string;
}

/** The ways out of a task that fails: find the cause on your own machine, or roll the build back. Both need a shell. Q2 */
export function failingHints(
  { id, stuck }: Pick<WatchedEntity, 'id' | 'stuck'>,
  build: string | undefined,
): readonly FailingHint[] {
  if (stuck?.reason !== 'task_fails') return [];
  const history = `temporal workflow show -w ${shellWord(id)} -o json > history.json`;
  return [
    { says: 'Replay it on your code:', command: `${history} && npx reeve replay history.json` },
    build === undefined
      ? { says: 'See the builds, to roll one back:', command: 'reeve rollout status' }
      : { says: `Roll ${build} back:`, command: `reeve rollout undo ${shellWord(build)}` },
  ];
}
