import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { fold } from './fold.js';
import { isForPrograms, takeFormat, type FormatOptions } from './format.js';
import { inVocabulary } from './vocabulary.js';

/** How long `--watch` waits before it looks again. */
const WATCH_EVERY_MS = 2_000;
const CLEAR = '\u001B[2J\u001B[3J\u001B[H';

interface OptionsOfAll extends FormatOptions {
  /** Repeats the command until it is stopped, or fails. */
  readonly watch?: boolean;
}

/** Makes a command's action from a function that gives the exit code. Errors go to standard error. */
export function run<Args extends readonly unknown[]>(command: (...args: Args) => Promise<number>) {
  return async (...given: Args): Promise<void> => {
    const [args, options] = withOptionsOfAll(given);
    try {
      do {
        if (options.watch) clearBeforeNextPrint();
        process.exitCode = await command(...args);
        if (options.watch) await delay(WATCH_EVERY_MS);
      } while (options.watch);
    } catch (thrown) {
      const { ownFailure } = await import('./failure.js');
      // The code that knows the errors of Temporal and PostgreSQL takes half a second to load, unless one of them was thrown.
      const failure = ownFailure(thrown) ?? (await import('./any-failure.js')).failureOf(thrown);
      const { exitCode, forPeople, forPrograms } = failure;
      console.error(
        isForPrograms() ? JSON.stringify(inVocabulary(forPrograms)) : fold(forPeople, process.stderr.columns),
      );
      process.exitCode = exitCode;
    }
  };
}

/**
 * An option that a command and the one above it both have, such as `--json`, is read by the one above: both count. The options are
 * those of the command that Commander passes last, or else the last object.
 */
function withOptionsOfAll<Args extends readonly unknown[]>(args: Args): readonly [Args, OptionsOfAll] {
  const command = args.at(-1);
  const isCommand = command instanceof Command;
  const at = isCommand ? args.length - 2 : args.length - 1;
  const given = (isCommand ? command.optsWithGlobals() : args[at]) as OptionsOfAll | undefined;
  const options = takeFormat(typeof given === 'object' && given !== null ? given : {});
  return [(args.length === 0 ? args : args.with(at, options)) as readonly unknown[] as Args, options];
}

/** The present text stays until there is something new to show. */
function clearBeforeNextPrint(stream = process.stdout): void {
  if (!stream.isTTY) return;
  const write = stream.write.bind(stream);
  stream.write = ((text: string) => {
    stream.write = write;
    return stream.write(CLEAR + text);
  }) as typeof stream.write;
}
