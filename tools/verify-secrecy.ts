import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pc from 'picocolors';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { scan, type Found } from './secrecy/scan.js';
import { KINDS, trial, type Needles } from './secrecy/trial.js';
import { wholeOptions } from './whole-options.js';

/*
 * `npm run verify-secrecy`: plants needles in parameters, properties, outputs, answers, signals, messages between entities and errors,
 * and looks for them, and for the tokens of answers from outside, in every file that Temporal, PostgreSQL and the workers write. Q5
 */
const HELP = `npm run verify-secrecy -- [--seconds 60] [--control 15]

Lets entities with secrets live for so many seconds with encryption on, while workers are killed with SIGKILL and keys
are rotated and destroyed. Then it stops everything, and looks for the secrets in all files of Temporal, of PostgreSQL, and of the logs.
After that it does the same for --control seconds with encryption off, where it has to find them.

Exit codes: 0 nothing was found, and the control found all; 1 otherwise; 2 the command was not right.`;

/** The places that are scanned, by what writes them. */
const PLACES = ['temporal', 'postgres', 'log'] as const;
/** The store is a readable copy, errors' texts included: these are looked for elsewhere. */
const READABLE: Readonly<Record<string, readonly string[]>> = { postgres: ['error'] };

process.exit(await main());

async function main(): Promise<number> {
  const options = wholeOptions(HELP, { seconds: [60, 10], control: [15, 5] });
  const needles = Object.fromEntries(
    KINDS.map((kind) => [kind, `${kind}-${randomBytes(12).toString('hex')}`]),
  ) as unknown as Needles;
  // The provider makes it of what it was given.
  const planted: Needles = { ...needles, output: needles.parameter.replace('parameter', 'output') };
  const hidden = await look(options.seconds, planted, true);
  const control = await look(options.control, planted, false);
  const missed = PLACES.slice(0, 2).flatMap((place) =>
    KINDS.filter((kind) => !control.hits.some((hit) => hit.place === place && hit.needle === planted[kind])).map(
      (kind) => `${place} without encryption: '${kind}' was not found, so the scan proves nothing about it`,
    ),
  );
  const leaks = hidden.hits
    .filter(({ place, needle }) => !(READABLE[place] ?? []).some((kind) => needle.startsWith(kind)))
    .map(({ place, needle, file }) => `${place}: '${needle.slice(0, 30)}' stands in ${file}`);
  const tokens = control.hits
    .filter(({ token }) => token)
    .map(({ place, file }) => `${place}: a token stands in ${file}`);
  const problems = [...hidden.problems, ...control.problems, ...leaks, ...tokens, ...missed];
  for (const problem of problems) console.log(pc.red(problem));
  console.log(
    `${hidden.events} events under encryption, ${hidden.kills} workers killed, ${hidden.rotated} keys rotated and ${hidden.destroyed} destroyed: ` +
      `${leaks.length} places with a secret; without encryption ${control.hits.length} places; ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
}

interface Hit {
  readonly place: string;
  readonly file: string;
  readonly needle: string;
  readonly token: boolean;
}

async function look(seconds: number, needles: Needles, encrypted: boolean) {
  await mkdir(dataDirectoryFrom(), { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(dataDirectoryFrom(), 'secrecy-'));
  const report = (line: string) => console.error(pc.dim(`  ${encrypted ? 'encrypted' : 'in the clear'}: ${line}`));
  try {
    const told = await trial(home, seconds, needles, encrypted, report);
    const secrets = [...Object.values(needles), ...told.tokens];
    const hits: Hit[] = [];
    for (const place of PLACES) {
      const found: readonly Found[] = await scan(join(home, place), secrets);
      for (const { file, needles: here } of found)
        for (const needle of here) hits.push({ place, file, needle, token: told.tokens.includes(needle) });
    }
    report(`${told.events} events, ${hits.length} places with a planted text, those where it may be read included`);
    return { ...told, hits };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
