import { Option, type Command } from 'commander';
import { wholeNumberTo } from '../whole-number.js';

/** Options of the commands that list rows of the store. */
export interface ListOptions {
  readonly where?: string;
  readonly sort?: string;
  readonly dimension: readonly string[];
  readonly top: number;
  readonly skipToken?: string;
  readonly utc?: boolean;
  readonly json?: boolean;
}

const TOP = 50;
const MOST = 1_000;
/** More rows than anyone waits for. */
const ALL = 10_000_000;

/** Adds the options that all lists have. Without `pages`, there is one page, in one order. */
export function withListOptions(command: Command, { dimensions = true, pages = true, top = TOP } = {}): Command {
  if (dimensions) {
    const dimension = new Option(
      '--dimension <name=value>',
      'only rows with this value of a dimension, like region=eu; repeatable',
    );
    command.addOption(dimension.argParser(append).default([], 'all'));
  }
  command.option('--where <filter>', `an OData filter, like "version gt 3"`);
  if (pages) command.option('--sort <columns>', 'sort by these columns, like "version desc"');
  command.addOption(new Option('--top <rows>', 'the maximum number of rows').argParser(wholeNumber).default(top));
  if (pages) {
    command
      .addOption(new Option('--all', 'all rows').implies({ top: ALL }))
      .option('--skip-token <token>', 'show the next page; its token is printed with the page before it');
  }
  return command
    .option('--watch', 'show them again every 2 s, until you stop it')
    .option('--utc', 'times in UTC')
    .option('--json', 'all columns, as JSON');
}

function append(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Parses a number of rows. @throws InvalidArgumentError */
export const wholeNumber = wholeNumberTo(MOST);
