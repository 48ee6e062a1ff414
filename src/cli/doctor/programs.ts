import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import { postgresBinaries } from '../../stack/postgres-binaries.js';
import { findInstalledTemporal } from '../../stack/temporal-executable.js';
import { messageOf } from '../../definition/thrown.js';
import { ok, problem, skipped, type Check } from './finding.js';

/** Tells whether a stack would find Temporal's executable, or could make one. */
export const temporalExecutable: Check = {
  about: 'Temporal executable',
  look: async ({ env, configured }) => {
    const about = 'Temporal executable';
    if (configured) return [skipped(about, 'not needed: the configuration names a service')];
    const { path, failures } = await findInstalledTemporal(env);
    if (path !== undefined) return [ok(about, path)];
    const install = `Install the 'temporal' command (https://docs.temporal.io/cli)`;
    if (env['TEMPORAL_EXECUTABLE']) return [problem(about, failures.join('; '), `Correct TEMPORAL_EXECUTABLE.`)];
    if (await hasGo()) return [ok(about, 'none yet: the first start downloads or builds one, which takes minutes')];
    const says = 'none, and no Go to build one with: only a download can help';
    return [problem(about, says, `${install}, or Go, or set TEMPORAL_ADDRESS to a service that runs.`)];
  },
};

/** Tells whether a stack would find PostgreSQL's programs. */
export const postgresPrograms: Check = {
  about: 'PostgreSQL programs',
  look: async ({ env }) => {
    const about = 'PostgreSQL programs';
    const given = Boolean(env['DATABASE_URL']);
    try {
      const { postgres } = await postgresBinaries();
      await access(postgres, constants.X_OK);
      return [ok(about, postgres)];
    } catch (thrown) {
      // Projects without databases of their own do not need the programs then.
      if (given) return [skipped(about, 'none, and DATABASE_URL names a server')];
      return [problem(about, messageOf(thrown), 'Fix that, and run it again.')];
    }
  },
};

function hasGo(): Promise<boolean> {
  return promisify(execFile)('go', ['version']).then(
    () => true,
    () => false,
  );
}
