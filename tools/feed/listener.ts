import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { listen } from '../../src/client/listen.js';
import { LINE, WAITS } from './line.js';

/** The settings that a listener is told on its command line. */
export interface ListenerSettings {
  readonly service: string;
  readonly name: string;
  /** The file in which it keeps what it has heard, a line for each change, with the position last. */
  readonly file: string;
  readonly types?: readonly string[];
}

/* A listener that is killed all the time. It keeps each change and its position in one line, and goes on after the last whole one. */
const settings = JSON.parse(process.argv[2]!) as ListenerSettings;
process.once('disconnect', () => process.exit(1));
await listen({ ...settings, after: positionIn(settings.file) }, (change) => {
  const { life, version, position } = change;
  const what = change.kind === 'transition' ? (change.action_name ?? '-') : WAITS;
  appendFileSync(settings.file, `${life} ${version} ${what} ${position}\n`);
});

/** The position of the last whole line. What was torn by a kill is cut off. */
function positionIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
  return LINE.exec(whole.trimEnd().split('\n').at(-1)!)?.[4];
}
