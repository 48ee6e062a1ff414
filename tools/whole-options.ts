import { parseArgs } from 'node:util';

/** Options that are whole numbers: `kills: [30, 0]` is 30 unless it is said, and at least 0. */
type Defaults<Name extends string> = Readonly<Record<Name, readonly [value: number, least: number]>>;

/**
 * Reads options of a command that are whole numbers, and prints the help where it is asked for. Gives the exit code instead where
 * nothing is to be done.
 */
export function wholeOptions<Name extends string>(
  help: string,
  defaults: Defaults<Name>,
): Readonly<Record<Name, number>> | number {
  const names = Object.keys(defaults) as Name[];
  try {
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries(
          names.map((name) => [name, { type: 'string', default: `${defaults[name][0]}` }] as const),
        ),
        help: { type: 'boolean', default: false },
      },
    });
    const given = values as Readonly<Record<string, unknown>>;
    if (given['help'] === true) {
      console.log(help);
      return 0;
    }
    const read = (name: Name) => whole(`--${name}`, String(given[name]), defaults[name][1]);
    return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, number>;
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${help}`);
    return 2;
  }
}

function whole(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new TypeError(`${name} is '${text}'. Write a whole number from ${least}.`);
  return number;
}
