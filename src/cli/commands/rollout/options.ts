import { UsageError } from '../../usage-error.js';

export interface UndoOptions {
  readonly rate: string;
  readonly json?: boolean;
}

export interface RolloutCommandOptions extends UndoOptions {
  readonly cohorts: string;
  readonly soak: string;
  readonly maxFailing: string;
  readonly maxFailed: string;
  readonly withoutStore?: boolean;
  readonly wait: boolean;
  readonly rollback: boolean;
}

/** @throws UsageError */
export function numberOf(option: string, text: string, least: number): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= least) return number;
  throw new UsageError(`--${option} takes a number${least > 0 ? ' above 0' : ' of at least 0'}, not '${text}'.`);
}
