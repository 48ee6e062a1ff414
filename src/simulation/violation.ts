/** A simulation has found something that must never happen. The message holds the seed and the end of the trace. */
export class InvariantViolated extends Error {
  override readonly name = 'InvariantViolated';
  readonly invariant: string;
  readonly problem: string;
  readonly seed: number;
  readonly step: number;
  readonly trace: readonly string[];

  constructor(found: {
    readonly invariant: string;
    readonly problem: string;
    readonly seed: number;
    readonly step: number;
    readonly trace: readonly string[];
  }) {
    const { invariant, problem, seed, step, trace } = found;
    super(`${invariant}: ${problem}\nSeed ${seed}, step ${step}. What came before:\n${trace.slice(-40).join('\n')}`);
    this.invariant = invariant;
    this.problem = problem;
    this.seed = seed;
    this.step = step;
    this.trace = trace;
  }
}
