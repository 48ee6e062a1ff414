/*
 * `npm run docs:reference`: writes the pages of docs/reference from the code. With `--check` it writes nothing, and ends with 1 where a
 * page is not what the code gives, or where something in the code has no entry.
 */
import { readFile } from 'node:fs/promises';
import { createProgram } from '../src/cli/program.js';
import { commandOptions } from './command-options.js';
import { apiPages } from './reference/api.js';
import { readDeclarations } from './reference/declarations-of-types.js';
import { commandPages } from './reference/commands.js';
import { errorPages } from './reference/errors.js';
import { httpPages } from './reference/http.js';
import { indexPage } from './reference/index-page.js';
import { metricPages } from './reference/metrics.js';
import { openApiDocument } from './reference/openapi.js';
import { optionPages } from './reference/options.js';
import type { Section } from './reference/page.js';
import { searchAttributePages } from './reference/search-attributes.js';
import { wrongCommands } from './reference/shown-commands.js';
import { strayMetrics } from './reference/stray-metrics.js';
import { strayVariables, variablePages } from './reference/variables.js';
import { strayColumns, viewPages } from './reference/views.js';
import { differences, FOLDER, write } from './reference/written.js';
import { sourcesWithCodes, strayCodes } from './reference/written-codes.js';

/** The width of help, in characters. */
const WIDTH = 120;
const HELP = 'usage: npm run docs:reference -- [--check]';
const { check } = commandOptions(HELP, { check: { type: 'boolean', default: false } }).values;

// The width of help does not depend on the terminal.
process.stdout.columns = WIDTH;
const program = await createProgram();
const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as { exports: Record<string, string> };
const declarations = readDeclarations(exports);
const api = apiPages(declarations);
const options = optionPages(declarations);
const sections: readonly Section[] = [
  options,
  api,
  commandPages(program),
  httpPages(await openApiDocument()),
  errorPages(),
  variablePages(),
  viewPages(),
  metricPages(),
  searchAttributePages(),
];
const pages = [indexPage(sections), ...sections.flatMap((section) => section.pages)];
const sources = sourcesWithCodes();
const problems = [
  ...options.problems,
  ...api.problems,
  ...strayCodes(sources),
  ...strayVariables(sources),
  ...strayMetrics(sources),
  ...strayColumns(),
  ...pages.flatMap(({ path, text }) => wrongCommands(path, text, program)),
];
if (check) problems.push(...(await differences(pages)));
else {
  await write(pages);
  console.log(`${pages.length} pages are in ${FOLDER}`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
