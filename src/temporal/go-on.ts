import { makeContinueAsNewFunc, type ContinueAsNewOptions } from '@temporalio/workflow';

export interface NextRun extends Pick<ContinueAsNewOptions, 'searchAttributes'> {
  /**
   * The build that takes the next run: `newest` is the one that new workflows get, by the ramp of a rollout, and `same` the one of
   * this run. Without Worker Versioning, any worker takes it. Default `newest`. Q2
   */
  readonly build?: 'newest' | 'same';
}

/** Goes on in a new run of the same workflow, which begins with this input. */
export function goOn<T>(input: T, { build = 'newest', ...options }: NextRun = {}): Promise<never> {
  return makeContinueAsNewFunc<(input: T) => Promise<never>>({
    ...options,
    ...(build === 'newest' && { initialVersioningBehavior: 'AUTO_UPGRADE' }),
  })(input);
}
