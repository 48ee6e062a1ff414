import type { Command } from 'commander';
import { counted } from '../counted.js';
import { DeclarationError } from '../../definition/declaration-error.js';
import { checkModel } from '../../definition/model/check.js';
import { describePath, type ModelProblem } from '../../definition/model/problem.js';
import { longWaitAdvice } from '../../definition/model/long-waits.js';
import { compareParts } from '../../project/parts.js';
import { Project } from '../../project/project.js';
import { loadDefinitions, loadResources } from '../definitions.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonList } from '../json.js';
import { run } from '../run.js';

/** `reeve check`: what is wrong with the declarations of the project, each by itself and all together. */
export function defineCheck(program: Command): void {
  program
    .command('check')
    .description(
      'check all declarations as a whole for states that never settle, endless waits, events that nothing raises, and subscriptions that never fire',
    )
    .option('--json', 'the problems and the advice, as JSON')
    .addHelpText(
      'after',
      examples(['reeve check && npm publish', 'exit code 1 if there is a problem; advice does not count']),
    )
    .action(run(check));
}

async function check(options: { readonly json?: boolean }): Promise<number> {
  try {
    const entities = await loadDefinitions();
    await compareParts(await Project.find());
    const problems = checkModel(entities);
    const advice = longWaitAdvice(await loadResources());
    if (options.json) {
      const severe = problems.map((each) => ({ severity: 'problem', ...each }));
      printJsonList([...severe, ...advice.map((each) => ({ severity: 'advice', ...each }))]);
    } else {
      if (problems.length === 0) console.log(`no problems in ${counted(entities.length, 'entity type')}`);
      for (const each of problems) print(each);
      for (const each of advice) print({ ...each, place: `advice: ${each.place}` });
    }
    return problems.length === 0 ? EXIT.done : EXIT.failed;
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown;
    if (options.json) printJsonList(thrown.problems.map(({ place, problem, remedy }) => ({ place, problem, remedy })));
    else console.log(thrown.message);
    return EXIT.failed;
  }
}

function print({ place, problem, remedy, path }: ModelProblem): void {
  console.log([`${place}: ${problem}`, ...(path.length > 0 ? [describePath(path)] : []), remedy].join('\n    '));
}
