/** The one JSON document of a command that is asked for JSON. */
export function printJson(document: unknown): void {
  console.log(JSON.stringify(document, undefined, 2));
}

/** A list as the one document: what is `next` begins the next page, where there is one. */
export function printJsonList(items: readonly unknown[], next?: string): void {
  printJson({ items, ...(next !== undefined && { next }) });
}
