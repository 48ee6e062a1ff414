import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';

/** Each command that does something, by its whole name. */
function commandsBelow(command: Command, name: string): readonly (readonly [name: string, command: Command])[] {
  const inner = command.commands.filter((candidate) => !candidate.name().startsWith('__'));
  if (inner.length === 0) return [[name, command]];
  return inner.flatMap((candidate) => commandsBelow(candidate, `${name} ${candidate.name()}`));
}

describe('help', () => {
  it.each(commandsBelow(createProgram(), 'reeve'))('of %s says what it does and shows how', (name, command) => {
    let shown = '';
    command.configureOutput({ writeOut: (text) => (shown += text) });
    command.outputHelp();
    expect(shown).toContain(`Usage: ${name}`);
    expect(shown).toMatch(/\nExamples?:\n {2}\S/);
    expect(command.description()).not.toBe('');
  });
});
