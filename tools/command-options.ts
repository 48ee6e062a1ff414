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
  if (process.argv.includes('--help')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs({ options, allowPositionals });
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${help}`);
    process.exit(2);
  }
}
