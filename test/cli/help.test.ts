import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';

/** Each command that does something, by its whole name. */
function commandsBelow(command: Command, name: string): readonly (readonly [name: string, command: Command])[] {
  const inner = command.commands.filter((candidate) => !candidate.name().startsWith('__'));
  if (inner.length === 0) return [[name, command]];
  return inner.flatMap((candidate) => commandsBelow(candidate, `${name} ${candidate.name()}`));
}

const program = await createProgram();

describe('help', () => {
  it.each(commandsBelow(program, 'reeve'))('of %s says what it does and shows how', (name, command) => {
    let shown = '';
    command.configureOutput({ writeOut: (text) => (shown += text) });
    command.outputHelp();
    expect(shown).toContain(`Usage: ${name}`);
    expect(shown).toMatch(/\nExamples?:\n {2}\S/);
    expect(command.description()).not.toBe('');
  });
});

describe('the commands that are loaded', () => {
  const loaded = async (...words: string[]) => (await createProgram(words)).commands.map((each) => each.name());

  it('are those that are named, so that none waits for what others need (S6.3)', async () => {
    expect(await loaded('types')).toEqual(['types']);
    expect(await loaded('--task-queue', 'get', 'types', '--json')).toEqual(['get', 'types']);
  });

  it('are all where one is unknown or an alias, for help, and to complete words (S6.3)', async () => {
    const all = program.commands.map((each) => each.name());
    for (const words of [
      ['nosuch'],
      ['list'],
      [],
      ['types', '--help'],
      ['help', 'types'],
      ['__complete', 'types', ''],
    ]) {
      expect(await loaded(...words), words.join(' ')).toEqual(all);
    }
  });
});
