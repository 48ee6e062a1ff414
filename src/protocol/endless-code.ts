/**
 * Why the thread of workflow code was ended. `endless`: code kept it busy for too long. `memory`: code has used up its memory.
 */
export type EndlessReason = 'endless' | 'memory';

/** The action that the name of an execution begins with; nothing where no action's code ran. */
function actionOfExecution(execution: string): string | undefined {
  return execution === '' ? undefined : execution.slice(0, execution.indexOf(' '));
}

/** Tells who did it, as a clause: `the code of 'install' of Server/s1 did not end`. */
export function endlessCode(why: EndlessReason, entity: string, execution: string): string {
  const action = actionOfExecution(execution);
  const code = action === undefined ? `the code of ${entity}` : `the code of '${action}' of ${entity}`;
  return why === 'memory' ? `${code} used up the memory` : `${code} did not end`;
}
