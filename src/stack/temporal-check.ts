import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { OLDEST_TEMPORAL } from './temporal-version.js';

const run = promisify(execFile);
const ANSWERS_WITHIN_MS = 10_000;

/** The version of a build of one's own to which no version was given. */
const UNVERSIONED = '0.0.0-DEV';

/** Thrown when there is nothing at that path. */
export class NotThere extends Error {}

/**
 * Checks that an executable tells a version that is new enough. Gives its path.
 * @throws NotThere when there is none; an `Error` when it does not run or is too old
 */
export async function checkTemporal(path: string): Promise<string> {
  await access(path).catch(() => {
    throw new NotThere(`there is no ${path}`);
  });
  const said = await run(path, ['--version'], { timeout: ANSWERS_WITHIN_MS }).then(
    ({ stdout }) => stdout.trim(),
    (thrown: Error) => {
      throw new Error(`'${path} --version' failed: ${thrown.message.trim()}`);
    },
  );
  const found = /^temporal version ((\d+)\.(\d+)\.\d+\S*)/.exec(said);
  if (!found) throw new Error(`'${path} --version' prints '${said}', which is not the output of the Temporal CLI`);
  const [, version, major, minor] = found;
  if (version !== UNVERSIONED && !isNewEnough(Number(major), Number(minor))) {
    throw new Error(`${path} is ${version}, which is too old: it has to be ${OLDEST_TEMPORAL.join('.')} or newer`);
  }
  return path;
}

function isNewEnough(major: number, minor: number): boolean {
  const [oldestMajor, oldestMinor] = OLDEST_TEMPORAL;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
