import type { Retry, RetryOfError, State } from './state.js';

/** The rule for attempts that end with an error of this code: each part that its own rule gives replaces that of all errors. S3.5 */
export function retryFor(retry: Retry = {}, code: string | undefined): Retry {
  const own = ownRule(retry, code);
  const { errors: _, ...common } = retry;
  return own ? { ...common, ...own } : common;
}

/** The rule that is declared for errors of this code alone. */
export function ownRule({ errors = {} }: Retry = {}, code: string | undefined): RetryOfError | undefined {
  return code !== undefined && Object.hasOwn(errors, code) ? errors[code] : undefined;
}

/** The states to which the end of the attempts may lead. */
export function exhaustedStates({ retry }: Pick<State, 'retry'> = {}): readonly string[] {
  const all = [retry?.exhausted, ...Object.values(retry?.errors ?? {}).map(({ exhausted }) => exhausted)];
  return [...new Set(all.filter((each) => each !== undefined))];
}
