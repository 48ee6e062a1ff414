import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  addressed,
  component,
  run,
  runDeployment,
  treeProgram,
  treeToRun,
  type DeploymentDriver,
  type DeploymentHandlers,
  type DeploymentInput,
  type End,
  type Result,
} from '../../src/components/index.js';
import { resource } from './resource.js';
import { done, failed } from './trial.js';

const Slow = component('Slow', {
  start: async (self) => void (await self.call(resource.run, { line: 'x' })),
  work: async (self) => void (await self.call(resource.stop, { line: 'x' })),
});
const program = treeProgram({ components: [Slow], resources: [resource] });

/** Deployments beside each other, each a shell of its own, as workflows are. */
class Yard {
  readonly ends = new Map<string, End>();
  /** Those that go on in a new run as soon as they may. */
  readonly long = new Set<string>();
  readonly runs: string[] = [];
  readonly #handlers = new Map<string, DeploymentHandlers>();
  readonly #calls: { readonly activity: string; readonly answer: (result: Result) => void }[] = [];

  start(id: string, input: DeploymentInput): void {
    const begun = treeToRun(program, input, 0);
    if (begun.kind === 'refused') throw new Error(begun.message);
    this.runs.push(id);
    void runDeployment(program, this.#driver(id), begun.tree, input).then((end) => {
      this.#handlers.delete(id);
      this.long.delete(id);
      if (end.kind === 'rollover') this.start(id, JSON.parse(JSON.stringify(end.next)) as DeploymentInput);
      else this.ends.set(id, end.end);
    });
  }

  async answer(activity: string, result: Result): Promise<void> {
    await this.calm();
    const index = this.#calls.findIndex((call) => call.activity === activity);
    this.#calls.splice(index, 1)[0]!.answer(result);
    await this.calm();
  }

  message(id: string, message: Parameters<DeploymentHandlers['message']>[0]): void {
    this.#handlers.get(id)?.message(message);
  }

  async calm(): Promise<void> {
    for (let turns = 0; turns < 40; turns++) await setImmediate();
  }

  #driver(id: string): DeploymentDriver {
    return {
      serve: (handlers) => void this.#handlers.set(id, handlers),
      now: () => 0,
      until: async (predicate) => {
        while (!predicate()) await setImmediate();
        return true;
      },
      quiet: async () => void (await setImmediate()),
      moment: () => 0,
      call: ({ activity }) => new Promise((answer) => this.#calls.push({ activity, answer })),
      cancel: () => undefined,
      record: () => undefined,
      show: () => undefined,
      runLength: () => (this.long.has(id) ? 'long' : 'short'),
      mayEndRun: () => true,
      tell: async (message) => {
        const { run: to, said } = addressed(message);
        this.message(to, said);
        return 'delivered';
      },
      detach: async ({ key, tree }) => {
        this.start(tree.run, { kind: 'detached', tree, ...(key !== undefined && { launcher: { run: id, key } }) });
        return {};
      },
      tellOwner: async () => 'absent',
    };
  }
}

const LAUNCHER = 'deployment/launcher';
const LAUNCHED = 'deployment/slow';

function launch(...long: readonly string[]): Yard {
  const yard = new Yard();
  for (const each of long) yard.long.add(each);
  const description = run({ action: Slow(), asName: 'slow' });
  yard.start(LAUNCHER, { kind: 'deploy', name: 'launcher', description });
  return yard;
}

describe('a run on its own (W4)', () => {
  it('ends when what it runs is up', async () => {
    const yard = launch();
    await yard.calm();
    expect(yard.ends.get(LAUNCHER)).toBeUndefined();
    await yard.answer('files.run', done());
    expect(yard.ends.get(LAUNCHER)).toMatchObject({ type: 'normal' });
    expect(yard.ends.get(LAUNCHED)).toBeUndefined();
  });

  it('fails when what it runs has failed to come up', async () => {
    const yard = launch();
    await yard.answer('files.run', failed('no_room'));
    const description = expect.stringMatching(/^its action did not start: .*no_room/);
    expect(yard.ends.get(LAUNCHER)).toMatchObject({ type: 'abnormal', description });
  });

  it('hears of that in a later run, from a later run', async () => {
    const yard = launch(LAUNCHER, LAUNCHED);
    await yard.answer('files.run', done());
    expect(yard.runs.toSorted()).toEqual([LAUNCHER, LAUNCHER, LAUNCHED, LAUNCHED]);
    expect(yard.ends.get(LAUNCHER)).toMatchObject({ type: 'normal' });
  });

  it('needs not be there any more', async () => {
    const yard = launch();
    await yard.calm();
    const end = { type: 'normal', description: 'enough' };
    yard.message(LAUNCHER, { kind: 'terminate', path: '', end });
    await yard.answer('files.run', done());
    expect(yard.ends.get(LAUNCHER)).toMatchObject(end);
    await yard.answer('files.stop', done());
    expect(yard.ends.size).toBe(1);
  });
});
