/** Writes a text as it stands in an OData filter. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
