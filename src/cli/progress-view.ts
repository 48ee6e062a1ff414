import { asDeclared } from '../definition/duration.js';
import { logUpdateStderr } from 'log-update';
import type { Api } from './api/api.js';
import type { OperationRepresentation } from './api/operation.js';
import { errorColours as pc } from './colours.js';
import { namesForPeople, type NamesForPeople } from './names-for-people.js';
import { followProgress, type FollowedOperation, type ProgressNode, type Halt } from './progress.js';
import { stuckOnesLines } from './explanation/stuck-words.js';
import { describeNode, treeLines } from './tree-lines.js';

/** Shows an operation while it runs: a live tree on a terminal, a line for each change elsewhere. */
export async function showProgress(
  api: Api,
  followed: FollowedOperation,
  live = process.stderr.isTTY,
): Promise<OperationRepresentation> {
  const names = await namesForPeople(api);
  const view = live ? new LiveTree(names) : new PlainLines(names);
  for await (const progress of followProgress(api, followed)) {
    view.show(progress.root, progress.kind === 'running' ? haltLines(progress.halt) : []);
    if (progress.kind === 'ended') {
      view.end();
      return progress.operation;
    }
  }
  throw new Error('An operation was followed and never ended.');
}

/** Says that an operation does not end soon, or not by itself, and what to do. */
function haltLines({ hungMs, stuck }: Halt): readonly string[] {
  const hung =
    hungMs === undefined ? [] : [pc.yellow(`hung: it runs for longer than its budget, ${asDeclared(hungMs)}`)];
  return [...hung, ...stuckOnesLines(stuck, Date.now(), pc)];
}

interface View {
  show(root: ProgressNode, halt: readonly string[]): void;
  end(): void;
}

/** The tree of entities, drawn anew in place. */
class LiveTree implements View {
  readonly #names: NamesForPeople;

  constructor(names: NamesForPeople) {
    this.#names = names;
  }

  show(root: ProgressNode, halt: readonly string[]): void {
    logUpdateStderr([...treeLines(root, this.#names, pc), ...(halt.length > 0 ? ['', ...halt] : [])].join('\n'));
  }

  end(): void {
    logUpdateStderr.done();
  }
}

/** A line for each change of an entity. */
class PlainLines implements View {
  readonly #shown = new Map<string, string>();
  readonly #names: NamesForPeople;

  constructor(names: NamesForPeople) {
    this.#names = names;
  }

  /** The words that were said of a halt. They are not said again only because it lasts longer. */
  #halt = '';

  show(root: ProgressNode, halt: readonly string[]): void {
    this.#showNode(root);
    const said = halt.join('\n').replace(/ stuck for [^:]*:/g, ' stuck:');
    if (said === this.#halt) return;
    this.#halt = said;
    for (const line of halt) process.stderr.write(`${line}\n`);
  }

  #showNode(node: ProgressNode): void {
    const { name } = node;
    const text = describeNode(node, this.#names, pc);
    if (node.entity && this.#shown.get(name) !== text) {
      this.#shown.set(name, text);
      process.stderr.write(`${new Date().toISOString().slice(11, 23)}  ${name.padEnd(28)}  ${text}\n`);
    }
    for (const successor of node.successors) this.#showNode(successor);
  }

  end(): void {}
}
