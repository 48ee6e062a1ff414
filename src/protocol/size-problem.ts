import { utf8Length } from './utf8-length.js';

/** No character takes more bytes in UTF-8, and none that JSON leaves as it is. */
const MOST_FOR_ONE = 3;

/** How much too large a value is to be sent or kept: `2,930 KB of JSON (maximum 256 KB)`; nothing where it is not. S1.5a */
export function sizeProblem(value: unknown, mostBytes: number): string | undefined {
  const json = (JSON.stringify(value) as string | undefined) ?? '';
  if (json.length * MOST_FOR_ONE <= mostBytes) return undefined;
  const bytes = utf8Length(json);
  return bytes <= mostBytes ? undefined : `${kilobytes(bytes)} of JSON (maximum ${kilobytes(mostBytes)})`;
}

export function jsonBytes(value: unknown): number {
  return utf8Length((JSON.stringify(value) as string | undefined) ?? '');
}

export function kilobytes(bytes: number): string {
  return `${String(Math.ceil(bytes / 1024)).replaceAll(/\B(?=(\d{3})+$)/g, ',')} KB`;
}
