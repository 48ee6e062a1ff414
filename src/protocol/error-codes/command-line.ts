import type { ErrorEntry } from './entry.js';

/** The codes that the command line itself prints, with `--json`. Its exit code is in the reference of commands. */
export const COMMAND_LINE_ERRORS = {
  failed: {
    meaning: 'The command failed for a reason that was not foreseen.',
    cause: 'The message has the error as it was thrown.',
    remedy: 'Run `reeve doctor`. Report the message if it does not help.',
    hint: "Run 'reeve doctor' to see what is missing or wrong.",
  },
  missing_package: {
    status: 404,
    meaning: 'A package that Reeve does not install is missing.',
    cause: 'The command, or the page `/docs`, needs an optional peer dependency.',
    remedy: 'Run the `npm install` of the message.',
  },
  unreachable: {
    status: 503,
    meaning: 'The management service, Temporal or PostgreSQL cannot be reached.',
    cause: 'It is down, or its address is wrong: `REEVE_API`, `TEMPORAL_ADDRESS` or `DATABASE_URL`.',
    remedy: 'Start it, or correct the address. `reeve doctor` names what does not answer.',
  },
  usage: {
    meaning: 'The command line is wrong.',
    cause: 'An option or argument is missing, unknown, or has a wrong value.',
    remedy: 'Correct what the message names. `--help` after a command lists its options.',
  },
  wrong_declaration: {
    meaning: 'A declaration has mistakes.',
    cause: 'It was checked as a whole when it was loaded.',
    remedy: 'Correct each place that the message lists. It has a remedy for each.',
  },
  wrong_project: {
    meaning: 'The `reeve` part of package.json is wrong.',
    cause: 'A member is missing or unknown, or the module that it names does not exist or exports something else.',
    remedy: 'Correct each place that the message lists.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
