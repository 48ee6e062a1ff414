import type { Command } from 'commander';
import { counted } from '../counted.js';
import { colours } from '../colours.js';
import type { Finding } from '../doctor/finding.js';
import { refuseRemote } from '../api/remote-settings.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printText } from '../fold.js';
import { printJsonList } from '../json.js';
import { oneLine } from '../list/table.js';
import { run } from '../run.js';

/** `reeve doctor` */
export function defineDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the environment of Reeve, and show how to fix problems; changes nothing')
    .option('--json', 'the findings, as JSON')
    .addHelpText(
      'after',
      examples(['reeve doctor || exit', 'exit code 1 if there is a problem; a pending answer from outside is none']),
    )
    .action(run(doctor));
}

async function doctor(options: { readonly json?: boolean }): Promise<number> {
  refuseRemote('doctor', 'it checks this machine and its processes');
  const { examine } = await import('../doctor/examine.js');
  const findings = await examine();
  const { exit, summary } = verdict(findings);
  if (options.json) printJsonList(findings);
  else printText([...findings.map(findingText), '', summary].join('\n'));
  return exit;
}

const SYMBOLS = {
  ok: colours.green('✔'),
  problem: colours.red('✖'),
  waiting: colours.yellow('?'),
  skipped: colours.dim('-'),
};
const WIDTH = 20;

/** A finding for people. A command to run begins a line, so that it can be copied. */
export function findingText({ about, status, says, remedy }: Finding): string {
  const said = status === 'skipped' ? colours.dim(oneLine(says)) : oneLine(says);
  const line = `${SYMBOLS[status]} ${about.padEnd(WIDTH)} ${said}`;
  const remedies = remedy?.split(/ (?=Run: )/).map((each) => `  ${' '.repeat(WIDTH)} ${colours.yellow(each)}`) ?? [];
  return [line, ...remedies].join('\n');
}

/** The exit code and the last line. To wait for a person is no problem. */
export function verdict(findings: readonly Pick<Finding, 'status'>[]): {
  readonly exit: number;
  readonly summary: string;
} {
  const count = (meant: Finding['status']) => findings.filter(({ status }) => status === meant).length;
  const problems = count('problem');
  const waits = count('waiting') === 0 ? '' : colours.yellow(' Answers from outside are pending.');
  if (problems === 0) return { exit: EXIT.done, summary: colours.green('Nothing is wrong.') + waits };
  return { exit: EXIT.failed, summary: colours.red(`${counted(problems, 'problem')}.`) + waits };
}
