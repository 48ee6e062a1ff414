import { commandOptions, refuseOptions } from './command-options.js';

/** Options that are whole numbers: `kills: [30, 0]` is 30 unless it is said, and at least 0. */
type Defaults<Name extends string> = Readonly<Record<Name, readonly [value: number, least: number]>>;

/**
 * Reads options of a command that are whole numbers. Where its help is asked for, or an option is not right, it prints the help and
 * ends the process: with 0 or with 2.
 */
export function wholeOptions<Name extends string>(
  help: string,
  defaults: Defaults<Name>,
): Readonly<Record<Name, number>> {
  const names = Object.keys(defaults) as Name[];
  const texts = names.map((name) => [name, { type: 'string', default: `${defaults[name][0]}` }] as const);
  const given = commandOptions(help, Object.fromEntries(texts)).values;
  try {
    const read = (name: Name) => whole(`--${name}`, String(given[name]), defaults[name][1]);
    return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, number>;
  } catch (thrown) {
    refuseOptions(help, thrown);
  }
}

function whole(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new TypeError(`${name} is '${text}'. Write a whole number from ${least}.`);
  return number;
}
