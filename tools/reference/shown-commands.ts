import type { Command } from 'commander';

/** Each command or option of `reeve` that a text shows and the command line does not have. */
export function wrongCommands(place: string, text: string, program: Command): readonly string[] {
  return [...text.matchAll(/[`']reeve ([^`']+)[`']/g)].flatMap(([, words]) => {
    const problem = problemOf((words ?? '').split(/\s+/), program);
    return problem === undefined ? [] : [`${place}: 'reeve ${words}' ${problem}.`];
  });
}

function problemOf(words: readonly string[], program: Command): string | undefined {
  let command = program;
  for (const word of words) {
    if (/^-/.test(word)) {
      const flag = word.replace(/=.*/, '');
      const isKnown = [...command.options, ...program.options].some(
        ({ long, short }) => flag === long || flag === short,
      );
      if (!isKnown && flag !== '--help') return `has no option ${flag}`;
    }
    const inner = command.commands.find((each) => each.name() === word);
    if (inner) command = inner;
    // Words in capitals stand for something, and so do names of entities.
    else if (command.commands.length > 0 && /^[a-z][a-z-]+$/.test(word)) return `has no command '${word}'`;
  }
  return undefined;
}
