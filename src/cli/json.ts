import { formatted, formattedAsIs, formattedLine } from './format.js';

/** Prints the one document of a command that is not asked for a table: as JSON, YAML, or the names in it. */
export function printJson(document: unknown): void {
  const text = formatted(document);
  if (text !== '') console.log(text);
}

/** Prints one of several documents, such as a change that is followed: in one line as JSON, or as a document of a YAML stream. */
export function printJsonLine(document: unknown): void {
  console.log(formattedLine(document));
}

/** Prints a document that has a format of its own, such as OpenAPI: none of its members is changed. */
export function printJsonAsIs(document: unknown): void {
  console.log(formattedAsIs(document));
}

/** Prints a list as the one document. `next` begins the next page, where there is one. */
export function printJsonList(items: readonly unknown[], next?: string): void {
  printJson({ items, ...(next !== undefined && { next }) });
}
