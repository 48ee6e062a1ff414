import { messageOf } from '../definition/thrown.js';
import type { ProcessIdentity } from './processes.js';

/** How a running stack is reached. */
export interface StackDescription {
  readonly pid: number;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly uiUrl?: string | undefined;
    /** Is true if the stack has started it. If not, the configuration names it. */
    readonly embedded: boolean;
    /** Is true if it asks for credentials. These are in the configuration and not here. */
    readonly secured: boolean;
  };
  readonly databaseUrl: string;
  /** The management service, while it runs and asks for no credentials. */
  readonly serviceUrl?: string;
}

const KINDS = {
  'a text': (value: unknown) => typeof value === 'string',
  'a number': (value: unknown) => Number.isInteger(value),
  'true or false': (value: unknown) => typeof value === 'boolean',
  'an address': (value: unknown) => typeof value === 'string' && URL.canParse(value),
} as const;

/** The members that the file has in any case. They are checked by hand, since zod alone takes a command half of its time. */
const MEMBERS: Readonly<Record<string, keyof typeof KINDS>> = {
  pid: 'a number',
  started: 'a text',
  'temporal.address': 'a text',
  'temporal.namespace': 'a text',
  'temporal.embedded': 'true or false',
  'temporal.secured': 'true or false',
  databaseUrl: 'an address',
};

/** The description in the text of a file. @throws Error that names the file, what is wrong and what to do */
export function parseStackDescription(file: string, text: string): StackDescription & ProcessIdentity {
  const damaged = (problem: string) =>
    new Error(
      `The file ${file} is damaged: ${problem}. Delete it, and restart the stack with 'npx reeve up', which writes it.`,
    );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    throw damaged(`it is not JSON: ${messageOf(thrown)}`);
  }
  for (const [path, kind] of Object.entries(MEMBERS)) {
    const value = path.split('.').reduce((at: unknown, name) => Reflect.get(Object(at) as object, name), parsed);
    if (value === undefined) throw damaged(`${path} is missing`);
    if (!KINDS[kind](value)) throw damaged(`${path} is ${JSON.stringify(value)} and not ${kind}`);
  }
  return parsed as StackDescription & ProcessIdentity;
}
