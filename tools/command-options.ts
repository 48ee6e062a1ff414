import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Reads the options of a command, and the words that are not options. Where its help is asked for, or an option is not right, it
 * prints the help and ends the process: with 0 or with 2.
 */
export function commandOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  help: string,
  options: Options,
  allowPositionals = false,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: boolean }>> {
  tellHelp(help);
  try {
    return parseArgs({ options, allowPositionals });
  } catch (thrown) {
    refuseOptions(help, thrown);
  }
}

/** Prints the help and ends the process, where it is asked for. */
export function tellHelp(help: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(help);
  process.exit(0);
}

/** Says what is wrong with the options, prints the help and ends the process. */
export function refuseOptions(help: string, thrown: unknown): never {
  console.error(`${(thrown as Error).message}\n\n${help}`);
  process.exit(2);
}
