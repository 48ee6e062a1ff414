import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnswerAddress } from '../../src/definition/index.js';
import { crashPoints, fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { describeSnapshot, explainEntity, stuckEntity } from '../../src/kernel/index.js';
import { agents, Node, node } from '../entities/node.js';
import { seeds } from '../support/seeds.js';

type Write = Parameters<typeof fakeResource<typeof agents>>[1]['write'];

function nodes(write: Write = () => ({}), seed = 1) {
  const addresses: AnswerAddress[] = [];
  const fakes = fakeResource(agents, {
    write: (input, context) => {
      addresses.push(input.done);
      return write(input, context);
    },
    boot: () => ({}),
  });
  return { sim: simulate([node], { resources: [fakes], seed }), addresses };
}

const deploy = (sim: Simulation) => sim.create(Node, 'n', 'deploy', { image: 'debian' });
const disk = { output: { disk: 'sda' } };
const eventsOf = (sim: Simulation, event: string) =>
  sim.records.flatMap((each) => (each.kind === 'event' && each.event === event ? each : []));

describe('a state that waits for an answer from outside (S1.5, A2)', () => {
  it('is declared in the docs as it runs here', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const block = (page: string, before: string) => read(page).split(`${before}:\n\n\`\`\`ts\n`)[1]!.split('```')[0]!;
    const shown = block('docs/guides/answers.md', '`waiting`') + block('docs/guides/retry.md', 'or of `giveUp`');
    const runs = read('test/entities/node.ts')
      .split('\n')
      .map((line) => line.trim());
    const lines = shown
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== '// ...');
    expect(lines.filter((line) => !runs.includes(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(14);
  });

  it.each(seeds(5))('keeps the operation until all is done that the answer sets off, with seed %i', async (seed) => {
    const { sim, addresses } = nodes(undefined, seed);
    const deployed = await deploy(sim);
    await sim.advance('30m');
    const snapshot = sim.read(Node, 'n');
    expect(snapshot).toMatchObject({ state: 'WaitCallback', awaiting: [deployed.requestId] });
    expect(explainEntity(Node, snapshot)).toMatchObject([
      { kind: 'timer', timer: 'deadline', event: 'timedOut' },
      { kind: 'callback', event: 'written' },
    ]);
    expect(stuckEntity(Node, snapshot)).toBeUndefined();
    expect(describeSnapshot(Node, snapshot)).toContain('Waits for an answer or for time.');
    await sim.answerRound(addresses.at(-1)!, disk);
    expect(await sim.result(deployed)).toMatchObject({ outcome: 'success' });
    await sim.settle();
    expect(sim.read(Node, 'n').state).toBe('Active');
    expect(eventsOf(sim, 'written')).toMatchObject([{ operation: deployed.requestId }]);
  });

  it('fails the operation by its deadline where nobody answers, and refuses what comes after it', async () => {
    const { sim, addresses } = nodes();
    const deployed = await deploy(sim);
    expect(await sim.result(deployed)).toMatchObject({ outcome: 'failed', errors: [{ code: 'agent_silent' }] });
    expect(sim.read(Node, 'n').state).toBe('Failed');
    await expect(sim.answerRound(addresses.at(-1)!, disk)).rejects.toMatchObject({ code: 'callback_closed' });
  });

  it('takes an answer that comes before the state is entered for the same operation (joining.2)', async () => {
    const { sim } = nodes((input, { answerAt }) => {
      answerAt(input.done, disk);
      return {};
    });
    const deployed = await deploy(sim);
    expect(await sim.result(deployed)).toMatchObject({ outcome: 'success' });
    await sim.settle();
    expect(sim.read(Node, 'n').state).toBe('Active');
    expect(eventsOf(sim, 'written').map(({ operation }) => operation)).toEqual([deployed.requestId]);
    expect(sim.records.filter(({ kind }) => kind === 'operation')).toHaveLength(1);
  });

  it('refuses an address for an event that is no answer', async () => {
    const asks = {
      ...node,
      actions: {
        ...node.actions,
        write: async (app: { answerBy: (...given: never[]) => unknown }) =>
          app.answerBy(...(['look', { within: '1h' }] as never[])),
      },
    };
    const sim = simulate([asks as never], {
      resources: [fakeResource(agents, { write: () => ({}), boot: () => ({}) })],
    });
    const deployed = await deploy(sim);
    expect(await sim.result(deployed)).toMatchObject({ outcome: 'failed', errors: [{ code: 'no_answer_event' }] });
  });

  it('is the same wherever a worker dies', async () => {
    const write: Write = (input, { answerAt }) => {
      answerAt(input.done, disk, 5_000);
      return {};
    };
    const resources = () => [fakeResource(agents, { write, boot: () => ({}) })];
    const scenario = async (sim: Simulation) => {
      const deployed = await deploy(sim);
      expect((await sim.result(deployed)).outcome).toBe('success');
      await sim.settle();
      expect(sim.read(Node, 'n').state).toBe('Active');
    };
    const walk = await crashPoints([node], { resources, scenario });
    expect(walk.runs).toBeGreaterThan(10);
    expect(walk.differences).toEqual([]);
  });
});
