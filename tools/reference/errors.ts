import { ERROR_GROUPS, type ErrorEntry } from '../../src/protocol/error-codes/index.js';
import { anchor, made, table, type Page, type Section } from './page.js';

const SOURCE = 'src/protocol/error-codes';

/** A page for each error code, and one that lists them. */
export function errorPages(): Section {
  const all = Object.entries(ERROR_GROUPS);
  const pages = all.flatMap(([group, codes]) =>
    Object.entries(codes).map(([code, entry]) => errorPage(code, entry, group)),
  );
  return {
    title: 'Errors',
    about: 'Every error code: what it means, how it comes about, and what to do.',
    start: 'errors/index.md',
    pages: [listPage(all), ...pages],
  };
}

function listPage(groups: readonly (readonly [string, Readonly<Record<string, ErrorEntry>>])[]): Page {
  const text = [
    '# Errors',
    made(SOURCE),
    'An error has a stable `code` for programs and a message for people. Match on the code.',
    'Over HTTP, an error is a problem document (RFC 9457) with `code`, and its `type` is the address of a page below. With `--json`, ' +
      'the command line prints `code` and `message` on standard error. In the store, the column `error_code` has it.',
    'Entities, resources and actions declare codes of their own beside these. Look for those in their declaration. A code like `http_502` of the ' +
      'command line says that something before the management service has answered, such as a proxy.',
    ...groups.flatMap(([group, codes]) => [
      `## ${group}`,
      table(
        ['code', 'status', 'meaning'],
        Object.entries(codes).map(([code, entry]) => [
          `[\`${code}\`](${code}.md)`,
          statusOf(entry, group),
          entry.meaning,
        ]),
      ),
    ]),
  ].join('\n\n');
  return { path: 'errors/index.md', text };
}

function errorPage(code: string, entry: ErrorEntry, group: string): Page {
  const { meaning, cause, remedy } = entry;
  const status = statusOf(entry, group);
  const text = [
    `# ${code}`,
    made(SOURCE),
    meaning,
    `**Cause.** ${cause}`,
    `**Remedy.** ${remedy}`,
    table(
      ['', ''],
      [['Where', `[${group}](index.md#${anchor(group)})`], ...(status === '' ? [] : [['HTTP status', status]])],
    ),
  ].join('\n\n');
  return { path: `errors/${code}.md`, text };
}

/** The groups whose codes are answers over HTTP; others have a status only where it is declared. */
const ANSWERS = ['Rejected events', 'Requests over HTTP'];

function statusOf({ status }: ErrorEntry, group: string): string {
  return String(status ?? (ANSWERS.includes(group) ? 409 : ''));
}
