import { describeSetting, SETTINGS } from '../../src/project/settings.js';
import { VARIABLES } from '../../src/project/variables.js';
import { code, made, prose, table, type Section } from './page.js';

const SOURCE = 'src/project/variables.ts';
/** Variables that the clients of Temporal and other packages read, so that Reeve's source need not name them. */
const OF_OTHERS = /^(?:TEMPORAL_(?:ADDRESS|NAMESPACE|API_KEY|TLS.*)|NO_COLOR)$/;
/** Set by AWS, a variable of earlier versions, and the beginning of several names. */
const NOT_SET = ['AWS_EXECUTION_ENV', 'REEVE_HOME', 'REEVE_JWT_'];

/** The page of environment variables, and of the settings in package.json. */
export function variablePages(): Section {
  const text = [
    '# Variables',
    made(SOURCE),
    'These environment variables set up processes. Entities and their actions never read the environment: a replay has to give the same.',
    ...Object.entries(VARIABLES).flatMap(([about, variables]) => [
      `## ${about}`,
      table(
        ['variable', 'read by', '', 'default'],
        Object.entries(variables).map(([name, { of, sets, default: usual = '' }]) => [
          code(name),
          of === 'all' ? 'all' : of.join(', '),
          prose(sets),
          prose(usual),
        ]),
      ),
    ]),
    '## Settings in package.json',
    'The member `reeve` of package.json tells where the parts of a project are. Paths begin at the folder of that file.',
    table(
      ['setting', ''],
      SETTINGS.map((name) => [code(name), prose(describeSetting(name))]),
    ),
  ].join('\n\n');
  return {
    title: 'Variables',
    about: 'Every environment variable with its default, and the settings in package.json.',
    start: 'variables.md',
    pages: [{ path: 'variables.md', text }],
  };
}

/** Each variable that the source reads and the table does not have, and each that nothing reads. */
export function strayVariables(files: ReadonlyMap<string, string>, groups = VARIABLES): readonly string[] {
  const names = new Set(Object.values(groups).flatMap(Object.keys));
  const read = new Map<string, string>();
  for (const [file, text] of files) {
    if (file === SOURCE) continue;
    for (const [, quoted, member] of text.matchAll(/'((?:[A-Z]+_)+[A-Z]*)'\]|\benv\.((?:[A-Z]+_)+[A-Z]+)\b/g)) {
      read.set((quoted ?? member)!, file);
    }
    for (const [, name = ''] of text.matchAll(/'((?:REEVE|TEMPORAL|OTEL)_[A-Z_]+)'/g)) read.set(name, file);
  }
  const strays = [...read].filter(([name]) => !names.has(name) && !NOT_SET.includes(name));
  const unread = [...names].filter((name) => !read.has(name) && !OF_OTHERS.test(name));
  return [
    ...strays.map(([name, file]) => `${file}: the variable ${name} has no entry: add it to ${SOURCE}.`),
    ...unread.map((name) => `${SOURCE}: nothing reads ${name}: remove its entry.`),
  ];
}
