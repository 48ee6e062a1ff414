/** Prints the one JSON document of a command with `--json`. */
export function printJson(document: unknown): void {
  console.log(JSON.stringify(document, undefined, 2));
}

/** Prints a list as the one document. `next` begins the next page, where there is one. */
export function printJsonList(items: readonly unknown[], next?: string): void {
  printJson({ items, ...(next !== undefined && { next }) });
}
