import type { z } from 'zod';
import { DeclarationError, type DeclarationProblem } from '../../definition/declaration-error.js';
import { makeShareable } from '../../definition/shareable.js';
import { survivalProblems } from '../../definition/values/survival.js';
import { MOST_ACTIVITIES } from '../../definition/limits.js';
import type { JobPlace } from '../partitions/placement.js';
import type { OperationRoles } from './operation-roles.js';

/**
 * Describes where the progress of a job is kept. `volatile`: nowhere, so it always starts over. `executor`: by its executor, so it goes
 * on after a restart. `transferable`: it also goes on where the job is moved to. I2
 */
export type ProgressKept = 'volatile' | 'executor' | 'transferable';

/** Describes how far a job is. What it needs to go on may stand beside the two numbers. */
export interface JobProgress {
  readonly done: number;
  readonly total: number;
}

/** Describes what a type of operation is, as data. I8 */
export interface OperationShape<Argument extends z.ZodType, Progress extends z.ZodType<JobProgress>> {
  /** Schema of its argument. */
  readonly argument: Argument;
  /**
   * Tells instances of the type on one target apart, so that many may run at once: the name of the index that is built.
   * Without it, one instance runs at a time. I4
   */
  readonly object?: (argument: z.output<Argument>) => string;
  /** Where the job of a partition has to run. I1 */
  readonly on: JobPlace;
  /** Tells whether a job may fail. Without it, what goes wrong is tried again for ever. I5 */
  readonly canFail: boolean;
  /** Tells whether a failed job ends the other jobs at once, or the operation fails when they have all ended. Default `stop`. I5 */
  readonly whenOneFails?: 'stop' | 'finish';
  /** Schema of the progress of a job, and where that is kept. */
  readonly progress: { readonly schema: Progress; readonly kept: ProgressKept };
  /** The other types that may run on the same target at the same time. I4 */
  readonly compatibleWith?: readonly string[];
  /** How many jobs of an instance run at once, unless it is limited otherwise. Default 8, at most 1,000. I1 */
  readonly atOnce?: number;
  /** The effect of a pause on a job that runs: `stops` it, to go on from its progress (default), or `lets it end`. */
  readonly pause?: 'stops' | 'lets it end';
  /** Tells who may do what with its operations; only operators without it. S6.5 */
  readonly roles?: OperationRoles;
}

/** A declared type of distributed operation. */
export interface DistributedOperation<
  Type extends string = string,
  Argument extends z.ZodType = z.ZodType,
  Progress extends z.ZodType<JobProgress> = z.ZodType<JobProgress>,
> extends OperationShape<Argument, Progress> {
  readonly type: Type;
}

/** Any type, as registered. Its `object` is asked only with what its own schema has parsed. */
export type AnyDistributedOperation = Omit<DistributedOperation, 'object' | 'argument' | 'progress'> & {
  readonly argument: z.ZodType;
  readonly object?: (argument: never) => string;
  readonly progress: { readonly schema: z.ZodType; readonly kept: ProgressKept };
};

/** Returns whether so many jobs may run at once. */
export function mayBeAtOnce(jobs: number): boolean {
  return Number.isInteger(jobs) && jobs >= 1 && jobs <= MOST_ACTIVITIES;
}

/** Declares a type of operation over partitions. Its code is given by `implementDistributedOperation`. I8 @throws DeclarationError */
export function defineDistributedOperation<
  const Type extends string,
  Argument extends z.ZodType,
  Progress extends z.ZodType<JobProgress>,
>(type: Type, shape: OperationShape<Argument, Progress>): DistributedOperation<Type, Argument, Progress> {
  const problems: DeclarationProblem[] = [];
  if (!/^[a-z][A-Za-z0-9]*$/.test(type))
    problems.push({
      place: 'type',
      problem: `'${type}' is no id of a type.`,
      remedy: 'Write letters and digits that begin with a small letter, as in buildIndex.',
    });
  if (shape.atOnce !== undefined && !mayBeAtOnce(shape.atOnce)) {
    const remedy = `Write a whole number from 1 to ${MOST_ACTIVITIES}.`;
    problems.push({ place: 'atOnce', problem: `It is ${shape.atOnce}.`, remedy });
  }
  if (shape.compatibleWith?.includes(type))
    problems.push({
      place: 'compatibleWith',
      problem: 'The type names itself.',
      remedy: 'Remove it: `object` decides whether many instances of the type may run.',
    });
  problems.push(
    ...survivalProblems(shape.argument, 'argument', 'made'),
    ...survivalProblems(shape.progress.schema, 'progress.schema', 'kept'),
  );
  if (problems.length > 0) throw new DeclarationError(type, problems);
  makeShareable(shape);
  return { ...shape, type };
}
