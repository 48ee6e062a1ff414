/**
 * JSON as PostgreSQL takes it. It takes neither the character 0 nor halves of surrogate pairs, so these are replaced.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\')) return json;
  // An escaped backslash is matched first, so that the text after it is not taken for an escape.
  return json.replace(/\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));
}
