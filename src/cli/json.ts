import { formatted } from './format.js';

/** Prints the one document of a command that is not asked for a table: as JSON, YAML, or the names in it. */
export function printJson(document: unknown): void {
  const text = formatted(document);
  if (text !== '') console.log(text);
}

/** Prints a list as the one document. `next` begins the next page, where there is one. */
export function printJsonList(items: readonly unknown[], next?: string): void {
  printJson({ items, ...(next !== undefined && { next }) });
}
