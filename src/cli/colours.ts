import pc from 'picocolors';
import type { WriteStream } from 'node:tty';

export type Colours = ReturnType<typeof pc.createColors>;

/** Colours for a terminal; none where the output goes elsewhere, or `NO_COLOR` asks for none. */
function coloursFor(stream: WriteStream): Colours {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  return pc.createColors(!NO_COLOR && (Boolean(FORCE_COLOR) || (stream.isTTY && TERM !== 'dumb')));
}

/** For standard output. */
export const colours = coloursFor(process.stdout);
/** For standard error. */
export const errorColours = coloursFor(process.stderr);
