import { logUpdateStderr } from 'log-update';
import type { AnyEntity } from '../definition/entity.js';
import { followProgress, type ProgressNode } from '../client/progress.js';
import type { ReeveClient, Taken } from '../client/client.js';
import type { OperationResult } from '../operations/status.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { errorColours as pc, type Colours } from './colours.js';

/** Shows an operation while it runs: a live tree on a terminal, a line for each change elsewhere. */
export async function showProgress(
  reeve: ReeveClient,
  taken: Taken,
  live = process.stderr.isTTY,
): Promise<OperationResult> {
  const view = live ? new LiveTree(reeve) : new PlainLines(reeve);
  for await (const progress of followProgress(reeve, taken)) {
    view.show(progress.root);
    if (progress.kind === 'ended') {
      view.end();
      return progress.result;
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
  readonly #reeve: ReeveClient;

  constructor(reeve: ReeveClient) {
    this.#reeve = reeve;
  }

  show(root: ProgressNode): void {
    logUpdateStderr(this.#lines(root, '', '').join('\n'));
  }

  end(): void {
    logUpdateStderr.done();
  }

  #lines(node: ProgressNode, first: string, rest: string): readonly string[] {
    const name = entityId(node.entity);
    const padded = pc.dim(first) + name + ' '.repeat(Math.max(1, 34 - first.length - name.length));
    const below = node.successors.flatMap((successor, index) => {
      const last = index === node.successors.length - 1;
      return this.#lines(successor, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`);
    });
    return [`${symbol(this.#reeve, node)} ${padded}${describeNode(this.#reeve, node)}`, ...below];
  }
}

/** A line for each change of an entity. */
class PlainLines implements View {
  readonly #reeve: ReeveClient;
  readonly #shown = new Map<string, string>();

  constructor(reeve: ReeveClient) {
    this.#reeve = reeve;
  }

  show(node: ProgressNode): void {
    const id = entityId(node.entity);
    const text = describeNode(this.#reeve, node);
    if (node.snapshot && this.#shown.get(id) !== text) {
      this.#shown.set(id, text);
      process.stderr.write(`${new Date().toISOString().slice(11, 23)}  ${id.padEnd(28)}  ${text}\n`);
    }
    for (const successor of node.successors) this.show(successor);
  }

  end(): void {}
}

function symbol(reeve: ReeveClient, { entity, snapshot, gone }: ProgressNode): string {
  if (!snapshot) return pc.dim('·');
  if (gone) return pc.dim('✔');
  const moves = snapshot.running !== undefined || snapshot.nextAttemptAt !== undefined;
  const waits = reeve.entity(entity.type).states[snapshot.state]?.waiting === true;
  if (moves || waits) return snapshot.lastError ? pc.yellow('↻') : pc.cyan('●');
  return snapshot.lastError || snapshot.exhausted ? pc.red('✖') : pc.green('✔');
}

function describeNode(reeve: ReeveClient, { entity, snapshot }: ProgressNode): string {
  if (!snapshot) return pc.dim('not there yet');
  return describeState(reeve.entity(entity.type), snapshot, pc);
}

/** In which state an entity is, what it does there, and what went wrong. */
export function describeState(entity: AnyEntity, snapshot: Snapshot, { red, dim, yellow }: Colours): string {
  const state = entity.states[snapshot.state];
  const limit = state?.retry?.attempts;
  const attempts = limit === undefined ? `${snapshot.attempt}` : `${snapshot.attempt} of ${limit}`;
  const parts = [state?.health === 'error' || snapshot.exhausted ? red(snapshot.state) : snapshot.state];
  if (snapshot.running)
    parts.push(dim(snapshot.attempt > 1 ? `${snapshot.running.action}, attempt ${attempts}` : snapshot.running.action));
  else if (snapshot.nextAttemptAt !== undefined && snapshot.attempt > 0)
    parts.push(dim(`waits after attempt ${attempts}`));
  else if (snapshot.exhausted) parts.push(red(`gave up after attempt ${attempts}, an operator has to act`));
  else if (state?.waiting) parts.push(dim('waits for its successors'));
  if (snapshot.lastError) parts.push(yellow(`${snapshot.lastError.code}: ${snapshot.lastError.message}`));
  return parts.join('  ');
}
