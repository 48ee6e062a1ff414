import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { call, parallel, plant, treeProgram, TreeShell, type TreeDriver } from '../../src/components/index.js';
import { resource } from './resource.js';

/** More than may be under way at once. */
const LEAVES = 1_500;
const MOST = 1_000;

/** A driver whose calls are answered when a test says so. */
class Calls {
  readonly made: string[] = [];
  runLength: ReturnType<TreeDriver['runLength']> = 'short';
  readonly #answers = new Map<string, (answered: boolean) => void>();

  get underWay(): number {
    return this.#answers.size;
  }

  /** Answers some of the calls that are under way. */
  async answer(count: number): Promise<void> {
    for (const [key, resolve] of [...this.#answers].slice(0, count)) {
      this.#answers.delete(key);
      resolve(true);
    }
    await setImmediate();
  }

  readonly driver: TreeDriver = {
    now: () => 0,
    until: async (predicate) => {
      while (!predicate()) await setImmediate();
      return true;
    },
    quiet: async () => void (await setImmediate()),
    moment: () => 0,
    call: async ({ key }) => {
      this.made.push(key);
      const answered = await new Promise<boolean>((resolve) => this.#answers.set(key, resolve));
      return answered ? {} : undefined;
    },
    cancel: (key) => {
      this.#answers.get(key)?.(false);
      this.#answers.delete(key);
    },
    record: () => undefined,
    show: () => undefined,
    runLength: () => this.runLength,
    mayEndRun: () => true,
    // Nobody is beside this tree.
    tell: async () => 'absent',
    detach: async () => ({}),
    tellOwner: async () => 'absent',
  };
}

async function wideTree() {
  const program = treeProgram({ resources: [resource] });
  const leaves = Array.from({ length: LEAVES }, (_, leaf) => [
    `leaf${leaf}`,
    call(resource.remove, { file: `${leaf}` }),
  ]);
  const description = parallel(Object.fromEntries(leaves), { asynchCreateChild: true });
  const calls = new Calls();
  const tree = plant(program.kinds, { run: 'deployment/wide', at: 0, description });
  const shell = new TreeShell(program, calls.driver, tree);
  shell.tell({ kind: 'deploy' });
  const ended = shell.run();
  await setImmediate();
  return { calls, shell, ended };
}

// Temporal fails the task of a workflow that has more than 2,000 activities under way, and would do so for ever: a tree of 1,000 leaves
// that was ended while all of them started did nothing any more.
describe('the calls of a tree (W1)', () => {
  it('are at most 1,000 at once; the others are made in their order, each once', async () => {
    const { calls, ended } = await wideTree();
    expect(calls.underWay).toBe(MOST);
    await calls.answer(200);
    expect(calls.made).toHaveLength(MOST + 200);
    expect(calls.underWay).toBe(MOST);
    while (calls.underWay > 0) await calls.answer(MOST);
    expect(await ended).toMatchObject({ type: 'normal' });
    expect(new Set(calls.made).size).toBe(LEAVES);
    expect(calls.made).toHaveLength(LEAVES);
  });

  it('are not made when their component has ended before', async () => {
    const { calls, shell, ended } = await wideTree();
    shell.tell({ kind: 'terminate', path: '', end: { type: 'normal', description: 'enough' } });
    while (calls.underWay > 0) await calls.answer(MOST);
    expect(await ended).toMatchObject({ type: 'normal', description: 'enough' });
    expect(calls.made).toHaveLength(MOST);
  });

  it('go on in a long run while there are many, and end in a very long one', async () => {
    const { calls, shell, ended } = await wideTree();
    calls.runLength = 'long';
    await calls.answer(1_200);
    expect(calls.made).toHaveLength(LEAVES);
    await calls.answer(LEAVES - 1_200 - 150);
    shell.tell({ kind: 'terminate', path: '', end: { type: 'normal', description: 'enough' } });
    while (calls.underWay > 0) await calls.answer(MOST);
    expect(await ended).toMatchObject({ type: 'normal' });

    const other = await wideTree();
    other.calls.runLength = 'very long';
    while (other.calls.underWay > 0) await other.calls.answer(100);
    expect(await other.ended).toBe('rollover');
    expect(other.calls.made).toHaveLength(MOST);
  });
});
