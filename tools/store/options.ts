import { commandOptions } from '../command-options.js';

/** The options of `npm run store:fill` and `npm run store:measure`. */
export interface StoreOptions {
  readonly entities: number;
  readonly transitions: number;
  /** The database to use; by default one on a server of its own in the data directory. */
  readonly url?: string;
}

export const USAGE = `usage: npm run store:fill -- [--entities N] [--transitions N] [--url URL]
       npm run store:measure -- [--url URL]

  --entities N      write N entities (default 100000)
  --transitions N   write N transitions, with their events and operations (default 1000000)
  --url URL         use this database; by default one of its own, which lies in REEVE_DATA_DIR/store-measure`;

/** Reads the options. @throws TypeError that says what is wrong */
export function readOptions(): StoreOptions {
  const text = { type: 'string' } as const;
  const { values } = commandOptions(USAGE, { entities: text, transitions: text, url: text });
  return {
    entities: wholeNumber('--entities', values.entities ?? '100000'),
    transitions: wholeNumber('--transitions', values.transitions ?? '1000000'),
    ...(values.url !== undefined && { url: values.url }),
  };
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new TypeError(`${name} is '${text}'. Write a whole number of at least 1.`);
  return number;
}
