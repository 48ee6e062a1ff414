/** The answer that a declaration gives for an event in a state where it is not valid. S2.2 */
export interface DeclaredRejection {
  /** Stable, for programs: lower case with underscores. */
  readonly code: string;
  /** Shows what is the case, for people. The answer adds what is valid instead. */
  readonly message?: string;
}

/** The event's work is under way; the answer names the operation that does it. */
export function alreadyInProgress(message?: string): DeclaredRejection {
  return { code: 'already_in_progress', ...(message !== undefined && { message }) };
}

/** The event's work has been done. */
export function alreadyDone(message?: string): DeclaredRejection {
  return { code: 'already_done', ...(message !== undefined && { message }) };
}

/** Any other declared rejection, with a code of its own. */
export function rejection(code: string, message?: string): DeclaredRejection {
  return { code, ...(message !== undefined && { message }) };
}
