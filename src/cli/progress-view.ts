import { logUpdateStderr } from 'log-update';
import type { Api } from './api/api.js';
import type { EntityRepresentation } from './api/entity.js';
import type { OperationRepresentation } from './api/operation.js';
import { errorColours as pc, type Colours } from './colours.js';
import { namesForPeople, type NamesForPeople } from './names-for-people.js';
import { followProgress, type FollowedOperation, type ProgressNode } from './progress.js';

/** Shows an operation while it runs: a live tree on a terminal, a line for each change elsewhere. */
export async function showProgress(
  api: Api,
  followed: FollowedOperation,
  live = process.stderr.isTTY,
): Promise<OperationRepresentation> {
  const names = await namesForPeople(api);
  const view = live ? new LiveTree(names) : new PlainLines(names);
  for await (const progress of followProgress(api, followed)) {
    view.show(progress.root);
    if (progress.kind === 'ended') {
      view.end();
      return progress.operation;
    }
  }
  throw new Error('An operation was followed and never ended.');
}

interface View {
  show(root: ProgressNode): void;
  end(): void;
}

/** The tree of entities, drawn anew in place. */
class LiveTree implements View {
  readonly #names: NamesForPeople;

  constructor(names: NamesForPeople) {
    this.#names = names;
  }

  show(root: ProgressNode): void {
    logUpdateStderr(this.#lines(root, '', '').join('\n'));
  }

  end(): void {
    logUpdateStderr.done();
  }

  #lines(node: ProgressNode, first: string, rest: string): readonly string[] {
    const { name } = node;
    const padded = pc.dim(first) + name + ' '.repeat(Math.max(1, 34 - first.length - name.length));
    const below = node.successors.flatMap((successor, index) => {
      const last = index === node.successors.length - 1;
      return this.#lines(successor, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`);
    });
    return [`${symbol(node)} ${padded}${describeNode(node, this.#names)}`, ...below];
  }
}

/** A line for each change of an entity. */
class PlainLines implements View {
  readonly #shown = new Map<string, string>();
  readonly #names: NamesForPeople;

  constructor(names: NamesForPeople) {
    this.#names = names;
  }

  show(node: ProgressNode): void {
    const { name } = node;
    const text = describeNode(node, this.#names);
    if (node.entity && this.#shown.get(name) !== text) {
      this.#shown.set(name, text);
      process.stderr.write(`${new Date().toISOString().slice(11, 23)}  ${name.padEnd(28)}  ${text}\n`);
    }
    for (const successor of node.successors) this.show(successor);
  }

  end(): void {}
}

function symbol({ entity, gone }: ProgressNode): string {
  if (!entity) return pc.dim('·');
  if (gone) return pc.dim('✔');
  if (!entity.settled && !entity.exhausted) return entity.last_error ? pc.yellow('↻') : pc.cyan('●');
  return entity.last_error || entity.exhausted ? pc.red('✖') : pc.green('✔');
}

function describeNode({ entity }: ProgressNode, names: NamesForPeople): string {
  return entity ? describeState(names.entity(entity), pc) : pc.dim('not there yet');
}

/** In which state an entity is, what it does there, and what went wrong. */
export function describeState(entity: EntityRepresentation, { red, dim, yellow }: Colours): string {
  const { state, health, exhausted, last_error: lastError } = entity;
  const parts = [health === 'error' || exhausted ? red(state) : state];
  const does = doingWords(entity);
  if (does !== undefined) parts.push(exhausted ? red(does) : dim(does));
  if (lastError) parts.push(yellow(`${lastError.code}: ${lastError.message}`));
  return parts.join('  ');
}

function doingWords(entity: EntityRepresentation): string | undefined {
  const { attempts, running, exhausted, settled, stale, next_attempt_time: next, reserved_by: reserved } = entity;
  const attempt = entity.attempt ?? 0;
  const tries = attempts === null ? `attempt ${attempt}` : `attempt ${attempt} of ${attempts}`;
  if (running) return attempt > 1 ? `${running.action}, ${tries}` : running.action;
  if (next !== null && attempt > 0) return `waits after ${tries}`;
  if (exhausted) return `gave up after ${tries}, an operator has to act`;
  if (settled || stale || next !== null) return undefined;
  return reserved ? `is reserved by ${reserved.entity}` : 'waits for its successors';
}
