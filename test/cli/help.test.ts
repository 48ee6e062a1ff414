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

describe('the help of a command', () => {
  const helpOf = async (columns: number, ...words: string[]) => {
    const before = process.stdout.columns;
    process.stdout.columns = columns;
    try {
      const asked = await createProgram(words);
      const command = words.reduce((at, word) => at.commands.find((each) => each.name() === word) ?? at, asked);
      let shown = '';
      command.configureOutput({ writeOut: (text) => (shown += text) });
      command.outputHelp();
      return shown;
    } finally {
      process.stdout.columns = before;
    }
  };
  // Commands in examples, and names as long as that, are not cut: they can be copied.
  const tooWide = (text: string, columns: number) =>
    text.split('\n').filter((line) => line.length > columns && !/^ {2}reeve /.test(line));

  it.each([80, 120, 200])('fits a terminal of %i columns (S6.3)', async (columns) => {
    for (const words of [['--help'], ['entities', '--help'], ['distributed', 'start', '--help'], ['create', '--help']])
      expect(tooWide(await helpOf(columns, ...words), columns), words.join(' ')).toEqual([]);
  });

  it('lists what an entity of the type takes when it is created, and an event when it is raised (S6.3)', async () => {
    const created = await helpOf(80, 'create', 'LogicalDatabase', '--help');
    expect(created).toMatch(/LogicalDatabase, create, --params:\n {2}dataCluster +string, default "main"\n/);
    expect(created).toContain('"S0" | "S1" | "S2" | "S3", default "S1"');
    const raised = await helpOf(80, 'raise', 'LogicalServer/demo', 'changeSettings', '--help');
    expect(raised).toMatch(
      /LogicalServer, changeSettings, --params:\n {2}Changes .*\n {2}movesNeedApproval {2}boolean, required\n/,
    );
    expect(raised).not.toContain('failover, --params');
    expect(raised).not.toContain('LogicalServer/demo --event');
    const ended = await helpOf(80, 'raise', 'LogicalServer/demo', 'delete', '--help');
    expect(ended).toContain("'reeve explain LogicalServer/demo --event delete' shows what that would end");
    expect(await helpOf(80, 'create', 'Nothing', '--help')).not.toContain('--params:');
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
