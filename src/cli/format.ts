import { Option, type Command } from 'commander';
import { entityId } from '../protocol/names.js';
import { isRecord } from './api/json-value.js';
import { inVocabulary } from './vocabulary.js';
import { yamlOf } from './yaml.js';

/*
 * In which form a command prints. One command runs at a time, so that what it was asked for is kept here.
 */

export const FORMATS = ['table', 'wide', 'name', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

let current: Format = 'table';

/** Options of every command that prints a document. */
export interface FormatOptions {
  readonly json?: boolean;
  readonly format?: Format;
}

/** Adds `-o` to each command that has `--json`, which is short for one of its values. */
export function addFormatOption(command: Command): void {
  for (const inner of command.commands) addFormatOption(inner);
  if (!command.options.some(({ long }) => long === '--json')) return;
  command.addOption(
    new Option(
      '-o, --format <format>',
      'the form of the output; wide cuts nothing off, name prints names or ids only',
    ).choices(FORMATS),
  );
}

/** Sets the form. Gives the options as the command reads them: what is not a table begins with the document of `--json`. */
export function takeFormat<Options extends FormatOptions>(options: Options): Options {
  current = options.format ?? (options.json ? 'json' : 'table');
  return options.format === undefined ? options : { ...options, json: !isTable(options.format) };
}

/** Tells whether errors are documents too. */
export function isForPrograms(): boolean {
  return current === 'json' || current === 'yaml';
}

/** The width of a table in characters; nothing where it may be as wide as it is. */
export function tableWidth(): number | undefined {
  return current === 'wide' ? undefined : process.stdout.columns;
}

/** A document of the commands in the present form. */
export function formatted(told: unknown): string {
  return formattedAsIs(inVocabulary(told));
}

/** A document of another format, such as OpenAPI, in the present form. */
export function formattedAsIs(document: unknown): string {
  if (current === 'yaml') return yamlOf(document).trimEnd();
  if (current === 'name') return itemsOf(document).map(nameOf).join('\n');
  return JSON.stringify(document, undefined, 2);
}

/** The same as one of several documents, each in its lines. */
export function formattedLine(told: unknown): string {
  if (current === 'yaml') return `---\n${formatted(told)}`;
  return current === 'name' ? formatted(told) : JSON.stringify(inVocabulary(told));
}

function isTable(format: Format): boolean {
  return format === 'table' || format === 'wide';
}

function itemsOf(document: unknown): readonly unknown[] {
  return isRecord(document) && Array.isArray(document['items']) ? document['items'] : [document];
}

/** The name that other commands take for a thing, from the document about it. */
function nameOf(item: unknown): string {
  const { type, key, entity_type: ofType, entity_key: ofKey, ...more } = isRecord(item) ? item : {};
  if (typeof type === 'string' && typeof key === 'string') return entityId({ type, key });
  if (typeof ofType === 'string' && typeof ofKey === 'string') return entityId({ type: ofType, key: ofKey });
  const named = ['event_id', 'request_id', 'name', 'id', 'error_id'].map((member) => more[member]).find(isName);
  return named === undefined ? JSON.stringify(item) : String(named);
}

function isName(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
