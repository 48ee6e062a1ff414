import { shellWord } from '../../../definition/shell-word.js';

/** Points to the command that shows how far an event reaches. */
export function reachHint(entity: string, event: string): string {
  return `'reeve explain ${shellWord(entity)} --event ${event}' shows what that would end, at all levels. Nothing is raised.`;
}
