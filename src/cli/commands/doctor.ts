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
    .addHelpText('after', examples(['reeve doctor || exit', 'exit code 1 if there is a problem']))
    .action(run(doctor));
}

async function doctor(options: { readonly json?: boolean }): Promise<number> {
  refuseRemote('doctor', 'it checks this machine and its processes');
  const { examine } = await import('../doctor/examine.js');
  const findings = await examine();
  const problems = findings.filter(({ status }) => status === 'problem').length;
  if (options.json) printJsonList(findings);
  else printText([...findings.map(format), '', summary(problems)].join('\n'));
  return problems === 0 ? EXIT.done : EXIT.failed;
}

const SYMBOLS = { ok: colours.green('✔'), problem: colours.red('✖'), skipped: colours.dim('-') };
const WIDTH = 20;

function format({ about, status, says, remedy }: Finding): string {
  const said = status === 'skipped' ? colours.dim(oneLine(says)) : oneLine(says);
  const line = `${SYMBOLS[status]} ${about.padEnd(WIDTH)} ${said}`;
  return remedy === undefined ? line : `${line}\n  ${' '.repeat(WIDTH)} ${colours.yellow(remedy)}`;
}

function summary(problems: number): string {
  if (problems === 0) return colours.green('Nothing is wrong.');
  return colours.red(`${counted(problems, 'problem')}.`);
}
