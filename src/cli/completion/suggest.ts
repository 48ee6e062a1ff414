import type { Command, Option } from 'commander';
import type { Suggestion } from './suggestion.js';
import { valuesOf } from './values.js';

/** The place to which the words have led: a command with the arguments that it already has, or the value of an option. */
interface Place {
  readonly command: Command;
  readonly given: readonly string[];
  readonly option?: Option;
}

/** Lists all that can complete the last of the words that follow `reeve`. */
export async function suggest(program: Command, words: readonly string[]): Promise<readonly Suggestion[]> {
  const current = words.at(-1) ?? '';
  const place = follow(program, words.slice(0, -1));
  const found = place.option ? await ofOption(place.option, place.given) : await ofCommand(place, current);
  return found.filter(({ value }) => value.startsWith(current));
}

function follow(program: Command, words: readonly string[]): Place {
  let command = program;
  let given: readonly string[] = [];
  let option: Option | undefined;
  for (const word of words) {
    if (option) option = undefined;
    else if (word.startsWith('-')) {
      const named = optionsOf(command).find(({ long, short }) => word === long || word === short);
      option = named?.required ? named : undefined;
    } else {
      const inner = command.commands.find((candidate) => [candidate.name(), ...candidate.aliases()].includes(word));
      if (inner) [command, given] = [inner, []];
      else given = [...given, word];
    }
  }
  return { command, given, ...(option && { option }) };
}

/** The options of a command: its own, and those that every command takes. */
function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...(command.parent ? optionsOf(command.parent) : [])];
}

async function ofOption(option: Option, given: readonly string[]): Promise<readonly Suggestion[]> {
  if (option.argChoices) return option.argChoices.map((value) => ({ value }));
  return valuesOf(option.attributeName(), given);
}

async function ofCommand({ command, given }: Place, current: string): Promise<readonly Suggestion[]> {
  if (current.startsWith('-')) {
    const shown = optionsOf(command).filter(({ hidden }) => !hidden);
    return [
      ...shown.map(({ long, description }) => ({ value: long ?? '', about: description })),
      { value: '--help', about: 'show help' },
    ];
  }
  const inner = command.commands.filter((candidate) => !candidate.name().startsWith('__'));
  const commands = inner.map((candidate) => ({ value: candidate.name(), about: candidate.description() }));
  const argument = command.registeredArguments[given.length];
  if (!argument) return commands;
  if (argument.argChoices) return argument.argChoices.map((value) => ({ value }));
  return [...commands, ...(await valuesOf(argument.name(), given, current))];
}
