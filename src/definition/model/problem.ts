import type { DeclarationProblem } from '../declaration-error.js';

/** One move of an entity: an action that an event or its state starts, or (with no action) the end of the attempts. */
export interface ModelStep {
  readonly from: string;
  readonly event?: string;
  readonly action?: string;
  readonly to: string;
}

/** Something that is wrong with declarations together: each by itself may be right. */
export interface ModelProblem extends DeclarationProblem {
  /** The way of an entity from the initial state to where the problem appears; empty where it appears at once or everywhere. */
  readonly path: readonly ModelStep[];
}

/** A path in one line: `Absent -(create / begin)-> Creating -(attempts used up)-> Failed`. */
export function describePath(path: readonly ModelStep[]): string {
  const steps = path.map(({ event, action, to }) => {
    const label = action === undefined ? 'attempts used up' : event === undefined ? action : `${event} / ${action}`;
    return ` -(${label})-> ${to}`;
  });
  return [path[0]?.from, ...steps].join('');
}
