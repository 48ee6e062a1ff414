import { DeclarationError } from '../definition/declaration-error.js';
import { MissingPackage } from '../packages/optional-package.js';
import type { ErrorCode } from '../protocol/error-codes/index.js';
import { ProjectError } from '../project/project-error.js';
import { Problem } from './api/problem.js';
import { UsageError } from './usage-error.js';
import { EXIT } from './exit.js';
import { messageOf } from '../definition/thrown.js';
import { formatProblem, hintLines } from './output.js';
import { repeatable } from './to-repeat.js';
import { Unreachable } from './unreachable.js';

/** Why a command did not do what it was asked for. */
export interface Failure {
  readonly exitCode: number;
  readonly forPeople: string;
  /** For programs: it has at least `code` and `message`. */
  readonly forPrograms: object;
}

/** The statuses when something cannot be reached, is too busy, or takes too long: the same may go well later. */
const UNREACHABLE = new Set([429, 502, 503, 504]);

/** The failure in an error that the command line itself has found, or was told by the management service; nothing for others. */
export function ownFailure(thrown: unknown): Failure | undefined {
  if (thrown instanceof Problem) {
    const problem = repeatable(thrown);
    const { status, code, message, details } = problem;
    const forPrograms = { code, message, ...details };
    return { exitCode: exitCodeOf(status), forPeople: formatProblem(problem), forPrograms };
  }
  const message = messageOf(thrown);
  if (thrown instanceof UsageError) return plain(EXIT.rejected, 'usage', message);
  if (thrown instanceof ProjectError) {
    const forPrograms = { code: 'wrong_project', message, mistakes: thrown.mistakes };
    return { exitCode: EXIT.rejected, forPeople: message, forPrograms };
  }
  if (thrown instanceof MissingPackage) return plain(EXIT.rejected, 'missing_package', message);
  if (thrown instanceof DeclarationError) return plain(EXIT.rejected, 'wrong_declaration', message);
  if (thrown instanceof Unreachable) return plain(EXIT.unreachable, 'unreachable', message);
  return undefined;
}

function exitCodeOf(status: number): number {
  if (UNREACHABLE.has(status)) return EXIT.unreachable;
  return status >= 500 ? EXIT.failed : EXIT.rejected;
}

export function plain(exitCode: number, code: ErrorCode, message: string): Failure {
  return { exitCode, forPeople: [message, ...hintLines(code)].join('\n'), forPrograms: { code, message } };
}
