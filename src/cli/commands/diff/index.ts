import type { Command } from 'commander';
import { compareModels, isOpen } from '../../../definition/evolution/compare.js';
import { codePlaces } from '../../../definition/evolution/code-places.js';
import { differenceDiagram } from '../../../definition/evolution/difference-diagram.js';
import type { Model } from '../../../definition/evolution/model.js';
import { Project } from '../../../project/project.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson, printJsonAsIs } from '../../json.js';
import { run } from '../../run.js';
import { UsageError } from '../../usage-error.js';
import { declaredModel } from '../model.js';
import { findLive, type Live } from './live.js';
import { readModel } from './model-file.js';
import { sarifOf } from './sarif.js';
import { codeLines, differenceLines } from './words.js';

interface Options {
  readonly live?: boolean;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly diagram?: string;
}

/** `reeve diff OLD [NEW]` Q2 */
export function defineDiff(program: Command): void {
  program
    .command('diff')
    .description('compare two models, or a model with the declarations, and show what the changes break')
    .argument('<old>', 'a file that reeve model wrote')
    .argument('[new]', 'another one (default: the declarations of the project)')
    .option(
      '--live',
      'count the live entities that each change affects, and try the migrations on all of them; changes nothing',
    )
    .option('--json', 'the changes, as JSON')
    .option('--sarif', 'the changes as SARIF 2.1.0, for pull request checks')
    .option('--diagram <type>', 'draw the difference of a type as a Mermaid state diagram')
    .addHelpText(
      'after',
      examples(
        ['reeve diff model.json', 'exit code 1 if a change is not safe, and no migration or rename covers it'],
        ['reeve diff model.json --live', 'the same, with the effect on live entities'],
        ['reeve diff old.json new.json --diagram Order > order.mmd', 'for https://mermaid.live'],
      ),
    )
    .action(run(diff));
}

async function diff(oldFile: string, newFile: string | undefined, options: Options): Promise<number> {
  const old = await readModel(oldFile);
  const entities = newFile === undefined ? (await (await Project.find()).declared()).entities : undefined;
  const next = newFile === undefined ? await declaredModel() : await readModel(newFile);
  if (options.diagram !== undefined) {
    console.log(drawing(old, next, options.diagram));
    return EXIT.done;
  }
  const changes = compareModels(old, next);
  const code = codePlaces(next);
  const live = options.live ? await findLive(changes, { old, next }, entities) : undefined;
  if (options.sarif) printJsonAsIs(sarifOf(changes, newFile ?? oldFile));
  else if (options.json) printJson({ ...asJson(changes, live), comparedByText: code });
  else console.log([...differenceLines(changes, live), ...codeLines(code)].join('\n'));
  const failed = live?.tried?.some((each) => each.failed > 0) ?? false;
  return changes.some(isOpen) || failed ? EXIT.failed : EXIT.done;
}

/** @throws UsageError where one of the models has no such type */
function drawing(old: Model, next: Model, type: string): string {
  const [before, after] = [old, next].map(({ entities }) => entities.find(({ name }) => name === type));
  if (before && after) return differenceDiagram(before, after);
  const known = next.entities.map(({ name }) => name).join(', ');
  throw new UsageError(`There is no type '${type}' in both models. The types in both are: ${known}.`);
}

function asJson(changes: ReturnType<typeof compareModels>, live: Live | undefined) {
  const items = changes.map((change) => {
    const touched = live?.touched.get(change);
    return { ...change, open: isOpen(change), ...(touched && { live: touched }) };
  });
  return { items, ...(live && { source: live.source }), ...(live?.tried && { migrations: live.tried }) };
}
