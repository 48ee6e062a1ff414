import type { Explanation } from '../../client/explain/explanation.js';
import { parseTarget } from '../arguments.js';
import { EXIT } from '../exit.js';
import { formatExplanation } from '../explanation/view.js';
import { openSession, type Session } from '../session.js';

interface ExplainOptions {
  readonly json?: boolean;
}

/** `reeve explain LogicalServer/orders` */
export async function explainEntity(target: string, options: ExplainOptions): Promise<number> {
  const ref = parseTarget(target);
  return show(options, ({ reeve }) => reeve.explain(ref));
}

/** `reeve operations explain 3f2a…` */
export async function explainOperation(operation: string, options: ExplainOptions): Promise<number> {
  return show(options, ({ reeve }) => reeve.operations.explain(operation));
}

async function show(
  { json = false }: ExplainOptions,
  explain: (session: Session) => Promise<Explanation>,
): Promise<number> {
  const session = await openSession();
  try {
    const explanation = await explain(session);
    console.log(json ? JSON.stringify(explanation, undefined, 2) : formatExplanation(explanation));
    return EXIT.done;
  } finally {
    await session.close();
  }
}
