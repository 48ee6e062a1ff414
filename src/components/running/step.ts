/*
 * One step of a running tree: an input, and all that follows from it. W1
 *
 * step.1. The tree after a step, and its effects, depend on the tree before it and the input alone. So a tree that has been written
 *     down and read again goes on in the same way.
 * step.2. What is due at the same time is taken in the order of (due, path).
 * step.3. A step does a limited number of things. What is left is due at once.
 */
import { deploy, launch } from '../tree/create.js';
import { setAttribute } from '../tree/change.js';
import { Draft } from '../tree/draft.js';
import type { Effect } from '../tree/effect.js';
import { deliver, listen } from '../tree/events.js';
import type { Input } from '../tree/input.js';
import type { Kinds } from '../tree/kind.js';
import { componentAt, ReferenceFailed } from '../tree/resolve.js';
import type { Tree } from '../tree/tree.js';
import { answered, asked, returned } from './asks.js';
import { handOver } from './hand-over.js';
import { perform } from './tasks.js';

/** How many things one step does at most. */
const LIMIT = 20_000;

/** Describes what an input has led to: the next tree, and what is to be done. */
export interface Step {
  readonly tree: Tree;
  readonly effects: readonly Effect[];
}

/** Takes an input. */
export function step(kinds: Kinds, tree: Tree, input: Input): Step {
  const draft = new Draft(kinds, tree);
  const effects = advance(draft, input);
  return { tree: draft.tree, effects };
}

/** Takes an input, of the many that a running tree takes one after the other. Gives its effects. */
export function advance(draft: Draft, input: Input): readonly Effect[] {
  draft.now = Math.max(draft.now, input.at);
  take(draft, input);
  for (let done = 0; draft.agenda.length > 0 && done < LIMIT; done++) perform(draft, draft.agenda.shift()!);
  handOver(draft);
  return draft.takeEffects();
}

function take(draft: Draft, input: Input): void {
  switch (input.kind) {
    case 'deploy':
      deploy(draft, draft.root);
      return launch(draft, draft.root);
    case 'due':
      return takeDue(draft);
    case 'answer':
      return answered(draft, input.key, input.result);
    case 'asked':
      return asked(draft, input.handler, input.place, input.ask);
    case 'returned':
      return returned(draft, input.handler, input.result);
    case 'ping':
      return draft.push({ do: 'ping', id: draft.root });
    case 'terminate': {
      const id = at(draft, input.path);
      if (id !== undefined) draft.push({ do: 'end', id, end: { ...input.end, component: input.path } });
      return;
    }
    case 'event': {
      const id = at(draft, input.path);
      if (id !== undefined) deliver(draft, input.event, input.passed ?? [], [{ id }]);
      return;
    }
    case 'register': {
      const id = at(draft, input.path);
      if (id !== undefined) listen(draft, id, input.listener);
      return;
    }
    case 'set': {
      const id = at(draft, input.path);
      if (id !== undefined) setAttribute(draft, { id }, input.name, input.value);
    }
  }
}

/** The component at this path, if there is one now. */
function at(draft: Draft, path: string): number | undefined {
  try {
    const found = componentAt(draft, draft.root, `/${draft.run}${path === '' ? '' : '/'}${path}`);
    return 'id' in found ? found.id : undefined;
  } catch (thrown) {
    if (!(thrown instanceof ReferenceFailed)) throw thrown;
    return undefined;
  }
}

/** step.2 */
function takeDue(draft: Draft): void {
  const due = draft.all
    .filter((component) => component.due !== undefined && component.due <= draft.now)
    .map(({ id, due: time }) => ({ id, time: time!, path: draft.path(id) }));
  due.sort((a, b) => a.time - b.time || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.id - b.id));
  for (const { id } of due) draft.push({ do: 'due', id });
}
