import { DeclarationError } from '../../definition/declaration-error.js';
import { checkModel } from '../../definition/model/check.js';
import { describePath } from '../../definition/model/problem.js';
import { loadDefinitions } from '../definitions.js';
import { EXIT } from '../exit.js';

/** `reeve check`: what is wrong with the declarations of the project, each by itself and all together. */
export async function check(options: { readonly json?: boolean }): Promise<number> {
  try {
    const entities = await loadDefinitions();
    const problems = checkModel(entities);
    if (options.json) console.log(JSON.stringify(problems, undefined, 2));
    else if (problems.length === 0) console.log(`no problems in ${entities.length} entity types`);
    else {
      for (const { place, problem, remedy, path } of problems) {
        console.log([`${place}: ${problem}`, ...(path.length > 0 ? [describePath(path)] : []), remedy].join('\n    '));
      }
    }
    return problems.length === 0 ? EXIT.done : EXIT.failed;
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown;
    console.log(options.json ? JSON.stringify(thrown.problems, undefined, 2) : thrown.message);
    return EXIT.failed;
  }
}
