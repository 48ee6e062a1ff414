import { colours as pc } from './colours.js';

/** Prints for people how something gets on, a line each time that it has changed. */
export function progressLine(): (line: string) => void {
  let shown = '';
  return (line) => {
    if (line !== shown) console.error(pc.dim(`  ${line}`));
    shown = line;
  };
}
