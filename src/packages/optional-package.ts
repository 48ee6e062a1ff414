import { ownPackage } from './own-package.js';

/** The packages that Reeve does not install, since most programs do without them. */
export interface OptionalPackage {
  readonly name: string;
  /** Its use, as a sentence: "Reeve runs workers with it". */
  readonly use: string;
  /** Options of `npm install` for it. */
  readonly flags?: string;
  /** Another remedy, as a sentence. */
  readonly otherwise?: string;
}

/** A package is needed that is not installed. The message has the command that installs it. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
}

/**
 * Loads a package that Reeve does not install.
 * @param load finds or loads it, or a module of it
 * @throws MissingPackage when it is not installed
 */
export function optionalPackage<T>(wanted: OptionalPackage, load: () => T): T {
  try {
    return load();
  } catch (thrown) {
    if (!isMissing(thrown, wanted.name)) throw thrown;
    throw new MissingPackage(missing(wanted), { cause: thrown });
  }
}

function missing({ name, use, flags, otherwise }: OptionalPackage): string {
  const version = ownPackage().peerDependencies[name];
  const command = ['npm install', flags, version === undefined ? name : `${name}@${version}`].filter(Boolean).join(' ');
  return `The package '${name}' is not installed: ${use}. Install it by '${command}'${otherwise ? `. ${otherwise}` : ''}.`;
}

/** A package that is there, but lacks one of its own, is another error. */
function isMissing(thrown: unknown, name: string): boolean {
  const { code, message } = thrown as NodeJS.ErrnoException;
  return /^(ERR_)?MODULE_NOT_FOUND$/.test(code ?? '') && message.includes(`'${name}`);
}
