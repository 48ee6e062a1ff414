/*
 * Makes the report of `npm run mutation`: the score of each folder, and a file that lists the mutants that no test notices.
 */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const FILE = '.stryker/survivors.txt';

const reporter = {
  onMutationTestReportReady({ files, thresholds }) {
    const mutants = Object.entries(files).flatMap(([file, { mutants, source }]) => {
      const lines = source.split('\n');
      return mutants.map((mutant) => ({ ...mutant, file, line: lines[mutant.location.start.line - 1].trim() }));
    });
    writeFileSync(FILE, mutants.filter(survived).map(describe).join('\n'));

    const folders = new Set(mutants.map(({ file }) => dirname(file)));
    console.log(`\n${'folder'.padEnd(20)}   score   killed  survived`);
    for (const folder of folders)
      console.log(
        row(
          folder,
          mutants.filter(({ file }) => dirname(file) === folder),
        ),
      );
    console.log(row('all', mutants));
    console.log(`\nAt least ${thresholds.break} % have to be killed. The survivors are listed in ${FILE}.`);
  },
};

/** Tells whether a test has noticed the mutant. Running for too long counts. */
const killed = ({ status }) => status === 'Killed' || status === 'Timeout';
const survived = ({ status }) => status === 'Survived' || status === 'NoCoverage';

function row(name, mutants) {
  const [noticed, unnoticed] = [mutants.filter(killed).length, mutants.filter(survived).length];
  const score = ((100 * noticed) / (noticed + unnoticed)).toFixed(1);
  return `${name.padEnd(20)} ${score.padStart(5)} % ${String(noticed).padStart(8)} ${String(unnoticed).padStart(9)}`;
}

function describe({ file, location, line, status, replacement }) {
  const { start, end } = location;
  const until = end.line === start.line ? end.column - 1 : `${end.line}:${end.column - 1}`;
  const reach = status === 'NoCoverage' ? ' (no test comes here)' : '';
  return `${file}:${start.line}:${start.column}-${until}${reach}\n    ${line}\n    becomes ${replacement}\n`;
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', value: reporter }];
