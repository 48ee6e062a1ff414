import {
  addressed,
  runDeployment,
  treeToRun,
  type DeploymentDriver,
  type DeploymentHandlers,
  type DeploymentInput,
  type Detachment,
  type Result,
  type TreeCall,
  type TreeMessage,
  type TreeProgram,
} from '../components/index.js';
import { CallFailed } from '../definition/action-errors.js';
import type { CallAnswer } from '../kernel/index.js';
import type { DeploymentMessage } from '../protocol/deployment.js';
import type { LivingRef } from '../protocol/refs.js';
import type { DeploymentWord } from '../protocol/state-deployment.js';
import type { Asker } from './asker.js';
import type { Instance, Program } from './instance.js';

/** The workflow code of a deployment, as it runs on Temporal. W1 */
export function deploymentProgram(program: TreeProgram): Program {
  return async (instance, argument) => {
    const input = argument as DeploymentInput;
    const begun = treeToRun(program, input, instance.clock.now());
    if (begun.kind === 'refused') return { kind: 'refused', code: 'invalid_description', message: begun.message };
    const end = await runDeployment(program, new SimulatedTreeDriver(instance, program), begun.tree, input);
    if (end.kind === 'ended') return { kind: 'closed', result: end.end };
    return { kind: 'rollover', argument: end.next };
  };
}

/** The driver in memory. */
class SimulatedTreeDriver implements DeploymentDriver {
  readonly #instance: Instance;
  readonly #program: TreeProgram;

  constructor(instance: Instance, program: TreeProgram) {
    this.#instance = instance;
    this.#program = program;
  }

  serve({ tree, message }: DeploymentHandlers): void {
    // An input that comes in a simulation is always a message.
    this.#instance.serve({ reading: tree, message: (content) => message(content as DeploymentMessage) });
  }

  now(): number {
    return this.#instance.clock.now();
  }

  until(predicate: () => boolean, timeoutMs?: number): Promise<boolean> {
    return this.#instance.until(predicate, timeoutMs);
  }

  quiet(): Promise<void> {
    return this.#instance.quiet();
  }

  moment(): number {
    return this.#instance.clock.moment;
  }

  async call({ activity, input, key }: TreeCall): Promise<Result | undefined> {
    const call = this.#program.calls.get(activity);
    if (!call) return failure('unknown_call', `No resource with the call '${activity}' is known to the deployments.`);
    const asker: Asker = { entry: 0, attempt: 1 };
    const inline = call.shape.answer === 'inline';
    const argument = { asker, call: activity, input, idempotencyKey: key, inline };
    try {
      const { output } = (await this.#instance.command('call', argument)) as CallAnswer;
      return output === undefined ? {} : { output: output as never };
    } catch (thrown) {
      if (thrown instanceof CallFailed) return failure(thrown.code, thrown.message);
      return undefined;
    }
  }

  cancel(key: string): void {
    this.#instance.cancelCalls([key]);
  }

  async tell(message: TreeMessage): Promise<'delivered' | 'absent'> {
    const { run, said } = addressed(message);
    return (await this.#instance.command('tell deployment', { id: run, message: said })) as 'delivered' | 'absent';
  }

  async detach({ key, tree }: Detachment): Promise<Result> {
    const launcher = key !== undefined && { launcher: { run: this.#instance.id, key } };
    const input: DeploymentInput = { kind: 'detached', tree, ...launcher };
    const started = await this.#instance.command('deploy', { id: tree.run, input });
    return started === 'created' ? {} : failure('exists', `There is a deployment at ${tree.run} already.`);
  }

  record(): void {
    // The simulation looks at the tree itself.
  }

  show(): void {
    // The simulation looks at the tree itself.
  }

  runLength(): 'short' | 'very long' {
    return this.#instance.rollOver ? 'very long' : 'short';
  }

  mayEndRun(): boolean {
    return this.#instance.handlersFinished();
  }

  async tellOwner({ type, key, life }: LivingRef, word: DeploymentWord): Promise<'delivered' | 'absent'> {
    const message = { kind: 'deployment', toLife: life, ...word };
    return (await this.#instance.command('send', { to: { type, key }, message })) as 'delivered' | 'absent';
  }
}

function failure(code: string, message: string): Result {
  return { error: { code, message } };
}
