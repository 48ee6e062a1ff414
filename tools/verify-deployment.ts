import { DefaultLogger, Runtime } from '@temporalio/worker';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { tryFleet } from './deployment/fleet/trial.js';
import { tryImages } from './deployment/images/trial.js';
import { tryLambdaProject } from './deployment/lambda/project-trial.js';
import { tryLambda } from './deployment/lambda/trial.js';
import { tryManifests } from './deployment/manifests/trial.js';
import type { Part } from './deployment/part.js';
import { tryTls } from './deployment/tls/trial.js';
import { BUILDING, CHECKING } from './deployment/tools.js';

const PARTS: readonly Part[] = [
  {
    name: 'manifests',
    title: 'Dockerfile, template and manifests pass their checkers',
    needs: CHECKING,
    run: tryManifests,
  },
  { name: 'tls', title: 'worker, service and command line use TLS and an API key', needs: [], run: tryTls },
  {
    name: 'fleet',
    title: 'two services and four workers hold 1,000 entities while each is killed',
    needs: [],
    run: tryFleet,
  },
  {
    name: 'lambda',
    title: 'workers in AWS Lambda provision servers while each third invocation is cut off',
    needs: [],
    run: (home, report) => tryLambda({ home, report, servers: 8, seed: 1 }),
  },
  {
    name: 'project',
    title: 'a project of init --with lambda, while each fifth invocation is cut off and entities are lost',
    needs: [],
    run: tryLambdaProject,
  },
  {
    name: 'images',
    title: 'the images run as not root with a read-only root, drain and are killed',
    needs: BUILDING,
    run: tryImages,
  },
];

const HELP = `npm run verify-deployment [-- PART...]

Tries how Reeve is deployed, as far as a machine without a cloud allows. Parts, all unless some are named:

${PARTS.map(({ name, title }) => `  ${name.padEnd(10)} ${title}`).join('\n')}

A part for which a tool is missing is not tried; what is missing and how to get it is said.
Exit codes: 0 all is well; 1 something is wrong; 2 the command was not valid; 3 a part was not tried.`;

Runtime.install({ logger: new DefaultLogger('ERROR') });
process.exit(await main());

async function main(): Promise<number> {
  const known = new Map(PARTS.map((part) => [part.name, part]));
  let named: readonly string[];
  try {
    const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    named = positionals;
    const unknown = named.filter((name) => !known.has(name));
    if (unknown.length > 0) throw new TypeError(`There is no part ${unknown.join(', ')}.`);
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  const parts = named.length > 0 ? named.map((name) => known.get(name)!) : PARTS;
  let [wrong, untried] = [0, 0];
  for (const part of parts) {
    console.log(pc.bold(`${part.name}: ${part.title}`));
    const end = await tryPart(part);
    if (end === 'wrong') wrong++;
    if (end === 'not tried') untried++;
  }
  console.log(
    `${parts.length - wrong - untried} of ${parts.length} parts are well, ${wrong} are not, ${untried} were not tried`,
  );
  if (wrong > 0) return 1;
  return untried > 0 ? 3 : 0;
}

async function tryPart({ name, needs, run }: Part): Promise<'well' | 'wrong' | 'not tried'> {
  const there = await Promise.all(needs.map((tool) => tool.isThere()));
  const missing = needs.filter((_, index) => !there[index]);
  if (missing.length > 0) {
    console.log(pc.yellow('  not tried, since this machine lacks:'));
    for (const tool of missing) console.log(pc.yellow(`  - ${tool.name}: ${tool.remedy}`));
    return 'not tried';
  }
  const home = await mkdtemp(join(tmpdir(), `reeve-${name}-`));
  await mkdir(join(home, 'log'), { recursive: true });
  const since = Date.now();
  let problems: readonly string[];
  try {
    problems = await run(home, (line) => console.log(pc.dim(`  ${line}`)));
  } catch (thrown) {
    problems = [thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)];
  }
  for (const problem of problems) console.log(pc.red(`  ${problem}`));
  const seconds = ((Date.now() - since) / 1_000).toFixed(0);
  if (problems.length > 0) {
    console.log(pc.red(`  FAIL after ${seconds} s; the logs are in ${home}/log`));
    return 'wrong';
  }
  await rm(home, { recursive: true, force: true });
  console.log(pc.green(`  ok after ${seconds} s`));
  return 'well';
}
