import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnyEntity } from '../../../src/definition/index.js';
import { asList } from '../../../src/definition/names.js';
import { Rejected, ResourceError } from '../../../src/protocol/errors.js';
import { fakeResource, simulate, type Simulation } from '../../../src/simulation/index.js';
import { node } from './example/actions.js';
import { agent, bmc, conductor } from './example/contract.js';
import { Node } from './example/definition.js';

interface Table {
  readonly names: Readonly<Record<string, string>>;
  readonly api: readonly string[];
  readonly verbs: readonly string[];
  /** The states in which the conductor works. */
  readonly working: readonly string[];
  /** State, verb, next state. */
  readonly moves: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
const table = JSON.parse(readFileSync(new URL('table.json', import.meta.url), 'utf8')) as Table;
const STATES = Object.keys(table.moves);
const isWorking = (state: string) => table.working.includes(state);
const KEY = 'n1';

interface Move {
  readonly from: string;
  readonly verb: string;
  readonly to: string;
}

/** The shortest way from the initial state by the moves of the table. */
function wayTo(state: string): readonly Move[] {
  const ways = new Map<string, readonly Move[]>([['enroll', []]]);
  // The loop also visits the states that are added while it runs.
  for (const [from, way] of ways) {
    for (const [verb, to] of Object.entries(table.moves[from]!))
      if (!ways.has(to)) ways.set(to, [...way, { from, verb, to }]);
  }
  return ways.get(state)!;
}

/** A node in a simulation, and what its providers do. */
class Trial {
  /** Lets the agent call back. */
  callBack = (): void => expect.unreachable('the agent has not been asked');
  #isBroken = false;
  readonly sim: Simulation = simulate([node], {
    resources: [
      fakeResource(bmc, {
        verify: () => this.#works({ vendor: 'acme' }),
        setPower: () => ({}),
        isOn: () => ({ on: true }),
      }),
      fakeResource(conductor, { run: () => this.#works({}) }),
      fakeResource(agent, {
        run: ({ callBack }, context) => {
          this.callBack = () => context.answerAt(callBack, { output: {} });
          return {};
        },
      }),
    ],
  });

  /** Brings the node into a state. Where the conductor works in it, its first call goes on. */
  async reach(state: string): Promise<void> {
    await this.sim.construct(Node, KEY, { address: '10.0.0.1' });
    const way = wayTo(state);
    for (const [index, move] of way.entries()) if (!isWorking(move.from)) await this.go(move, way[index + 1]);
    expect(this.state).toBe(state);
  }

  /** Makes a move, and where it leads into work, the one in which that ends; without one, the work goes on. */
  async go({ verb, to }: Move, end?: Move): Promise<void> {
    if (isWorking(to) && !end) this.sim.inject({ at: { entity: `Node/${KEY}` }, fault: 'lose-answer' });
    this.#isBroken = end?.verb === 'fail';
    if (verb === 'resume') this.callBack();
    else await this.sim.raiseAny(Node, KEY, verb, { params: paramsOf(verb, end?.verb) });
    await this.sim.advance('1s');
    this.#isBroken = false;
  }

  get state(): string {
    return this.sim.read(Node, KEY).state;
  }

  /** The states into which the node has gone since it was in one for the last time. */
  after(state: string): string | undefined {
    const moved = this.sim.records.filter((each) => each.kind === 'transition' && each.startState === state);
    return moved.map((each) => (each as { readonly endState: string }).endState).at(-1);
  }

  #works<T>(output: T): T {
    if (this.#isBroken) throw new ResourceError('hardware_broken', 'The disk is broken.');
    return output;
  }
}

const AT_ONCE = ['node_locked', 'already_in_progress', 'not_valid'];
const WITH_STEPS = [
  'inspect',
  'provide',
  'clean',
  'adopt',
  'deploy',
  'rebuild',
  'delete',
  'rescue',
  'unrescue',
  'service',
];

/** The parameters with which the work of a verb ends in some way. */
function paramsOf(verb: string, end = 'fail'): object | undefined {
  if (!WITH_STEPS.includes(verb)) return undefined;
  const by = { wait: 'agent', hold: 'hold' }[end] ?? 'conductor';
  return {
    steps: [{ by, name: 'step' }],
    ...((verb === 'deploy' || verb === 'adopt') && { image: 'debian' }),
  };
}

describe('a bare-metal node, by the table of OpenStack Ironic (S2.2, S2.3, S3.1)', () => {
  it('has its 30 states by their names, and its 93 moves', () => {
    const { gone: _, ...states } = Node.states;
    const names = Object.entries(states).map(([name, { displayName = name }]) => [name, displayName]);
    expect(Object.fromEntries(names)).toEqual(
      Object.fromEntries(STATES.map((name) => [name, table.names[name] ?? name])),
    );
    expect([STATES.length, table.verbs.length]).toEqual([30, 18]);
    expect(STATES.flatMap((state) => Object.keys(table.moves[state]!))).toHaveLength(93);
  });

  it.each(STATES.filter(isWorking))(
    'works in %s, rejects each verb at once, and leads where it says',
    async (state) => {
      const trial = new Trial();
      await trial.reach(state);
      const before = trial.sim.read(Node, KEY);
      expect(before.running).toBeDefined();
      for (const verb of table.api) {
        const refused = await trial.sim
          .raiseAny(Node, KEY, verb, { params: paramsOf(verb) })
          .catch((thrown: unknown) => thrown);
        expect(refused, verb).toBeInstanceOf(Rejected);
        const { code, operation } = (refused as Rejected).rejection;
        // A verb that no end of the work could make valid is not valid; all others are rejected since the conductor works.
        const isClear = verb === 'delete' && state === 'deploying';
        expect(isClear ? ['node_locked'] : AT_ONCE, verb).toContain(code);
        expect(operation, verb).toBe(before.operation?.id);
      }
      const { state: still, version, waiting } = trial.sim.read(Node, KEY);
      expect({ still, version, waiting }).toEqual({ still: state, version: before.version, waiting: [] });

      const actions = Object.values((Node as AnyEntity).actions);
      const action = actions.find(({ on, in: states }) => on === undefined && asList(states).includes(state));
      const targets = new Set(asList(action?.to));
      expect(targets).toEqual(new Set(Object.values(table.moves[state]!)));
    },
  );

  const ends = STATES.filter(isWorking).flatMap((from) =>
    Object.entries(table.moves[from]!).map(([verb, to]): [string, string, Move] => [from, verb, { from, verb, to }]),
  );
  it.each(ends)('goes from %s by %s', async (from, verb, end) => {
    const trial = new Trial();
    const into = Object.entries(table.moves)
      .flatMap(([rests, moves]) => Object.entries(moves).map(([by, to]): Move => ({ from: rests, verb: by, to })))
      // The conductor goes on to 'manageable' only where that was asked.
      .filter((move) => move.to === from && !isWorking(move.from) && WITH_STEPS.concat('manage').includes(move.verb))
      .find((move) => verb !== 'manage' || move.verb === 'clean')!;
    await trial.reach(into.from);
    await trial.go(into, end);
    expect(trial.after(from)).toBe(end.to);
  });

  it.each(STATES.filter((state) => !isWorking(state)))(
    'rests in %s, and goes or rejects by the table',
    async (state) => {
      for (const verb of table.verbs) {
        const trial = new Trial();
        await trial.reach(state);
        const before = trial.sim.read(Node, KEY);
        const to = table.moves[state]![verb];
        if (to !== undefined) {
          await trial.go({ from: state, verb, to });
          expect(trial.after(state), verb).toBe(to);
          continue;
        }
        const refused = await trial.sim
          .raiseAny(Node, KEY, verb, { params: paramsOf(verb) })
          .catch((thrown: unknown) => thrown);
        expect(refused, verb).toBeInstanceOf(Rejected);
        const code =
          verb === 'resume'
            ? 'not_public'
            : (Node.events[verb as 'manage'].otherwise as Record<string, { code: string }> | undefined)?.[state]?.code;
        expect((refused as Rejected).rejection.code, verb).toBe(code ?? 'not_valid');
        expect(trial.sim.read(Node, KEY), verb).toEqual(before);
      }
    },
  );

  it('follows a deployment until the agent has called back (S1.5, A2)', async () => {
    const trial = new Trial();
    await trial.reach('available');
    const deployed = await trial.sim.raise(Node, KEY, 'deploy', { image: 'debian' });
    await trial.sim.advance('20m');
    expect(trial.state).toBe('wait_call_back');
    expect(trial.sim.read(Node, KEY).awaiting).toEqual([deployed.requestId]);
    trial.callBack();
    expect(await trial.sim.result(deployed)).toMatchObject({ outcome: 'success' });
    expect(trial.state).toBe('active');
  });

  it('fails where the agent does not call back in time (S4.5)', async () => {
    const trial = new Trial();
    await trial.reach('available');
    const deployed = await trial.sim.raise(Node, KEY, 'deploy', { image: 'debian' });
    await trial.sim.advance('31m');
    expect(trial.state).toBe('deploy_failed');
    expect(await trial.sim.result(deployed)).toMatchObject({ outcome: 'failed' });
  });

  it('lets nothing be done with a node in maintenance, and does not ask for its power (S2.2, S4.5)', async () => {
    const trial = new Trial();
    await trial.reach('manageable');
    await trial.sim.result(await trial.sim.raise(Node, KEY, 'setMaintenance', { reason: 'a new disk' }));
    const refused = await trial.sim.raise(Node, KEY, 'provide', {}).catch((thrown: unknown) => thrown);
    expect((refused as Rejected).rejection).toMatchObject({ code: 'node_in_maintenance' });
    const asked = () => trial.sim.calls.filter(({ call }) => call === 'bmc.isOn').length;
    const before = asked();
    await trial.sim.advance('5h');
    expect(asked()).toBe(before);
    await trial.sim.result(await trial.sim.raise(Node, KEY, 'clearMaintenance'));
    expect(asked()).toBe(before);
    await trial.sim.advance('1h');
    expect(asked()).toBe(before + 1);
  });
});
