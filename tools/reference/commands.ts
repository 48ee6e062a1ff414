import type { Argument, Command, Option } from 'commander';
import { anchor, code, made, prose, table, type Page, type Section } from './page.js';

const SOURCE = 'src/cli';
const NO_GROUP = 'Help:';

/** A page for each command of the command line, and one that lists them. */
export function commandPages(program: Command): Section {
  const commands = visibleCommands(program);
  return {
    title: 'Commands',
    about: 'Every command of `reeve` with its arguments, options, exit codes and examples.',
    start: 'commands/index.md',
    pages: [listPage(program, commands), ...commands.map(commandPage)],
  };
}

function listPage(program: Command, commands: readonly Command[]): Page {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const group = command.helpGroup() || NO_GROUP;
    groups.set(group, [...(groups.get(group) ?? []), command]);
  }
  const text = [
    '# Commands',
    made(SOURCE),
    `${prose(program.description())} \`reeve COMMAND --help\` prints what these pages have.`,
    ...[...groups].flatMap(([group, members]) => [
      `## ${group.replace(/(?: \(.*\))?:$/, '')}`,
      table(
        ['command', ''],
        members.flatMap((command) => [
          [`[\`reeve ${command.name()}\`](${command.name()}.md)`, brief(command)],
          ...visibleCommands(command).map((each) => [
            `[\`${nameOf(each)}\`](${command.name()}.md#${anchor(nameOf(each))})`,
            brief(each),
          ]),
        ]),
      ),
    ]),
    '## Options of every command',
    optionTable(visibleOptions(program)),
    '## Rules',
    ...afterHelp(program)
      .split(/\n\s*\n/)
      .map((paragraph) => prose(paragraph.replaceAll(/\s+/g, ' ').trim())),
  ].join('\n\n');
  return { path: 'commands/index.md', text };
}

function commandPage(command: Command): Page {
  const text = [
    `# reeve ${command.name()}`,
    made(SOURCE),
    ...partsOf(command),
    ...visibleCommands(command).flatMap((each) => [`## ${nameOf(each)}`, ...partsOf(each)]),
  ].join('\n\n');
  return { path: `commands/${command.name()}.md`, text };
}

function partsOf(command: Command): readonly string[] {
  const args = command.registeredArguments.map(argumentRow);
  const options = visibleOptions(command);
  const after = afterHelp(command).trim();
  return [
    ...paragraphs(command.description()),
    fenced(`${nameOf(command)} ${command.usage()}`),
    ...(args.length === 0 ? [] : [tableOf(['argument', '', 'default'], args)]),
    ...(options.length === 0 ? [] : [optionTable(options)]),
    ...(after === '' ? [] : [fenced(after)]),
  ];
}

function argumentRow(argument: Argument): readonly string[] {
  const { defaultValue, argChoices } = argument;
  return [
    code(argument.name()),
    prose(argument.description) + choices(argChoices),
    defaultValue === undefined ? '' : code(String(defaultValue)),
  ];
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map(({ flags, description, defaultValue, defaultValueDescription, argChoices }) => [
    code(flags),
    prose(description) + choices(argChoices),
    defaultValueDescription ?? (defaultValue === undefined || defaultValue === false ? '' : code(String(defaultValue))),
  ]);
  return tableOf(['option', '', 'default'], rows);
}

/** A table without its last column where that is empty. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.some((row) => row.at(-1) !== '')) return table(head, rows);
  return table(
    head.slice(0, -1),
    rows.map((row) => row.slice(0, -1)),
  );
}

function choices(given: readonly string[] | undefined): string {
  return given ? `: ${given.map(code).join(', ')}` : '';
}

/** `reeve operations list` */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function visibleCommands(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
}

/** Its options; those that every command has are on the page that lists them. */
function visibleOptions(command: Command): readonly Option[] {
  const all = command.createHelp().visibleOptions(command);
  return command.parent ? all.filter(({ long }) => long !== '--help') : all;
}

/** The text that its help has after all options: examples, mostly. */
function afterHelp(command: Command): string {
  let shown = '';
  command.configureOutput({ writeOut: (text) => (shown += text) });
  command.outputHelp();
  return shown.slice(command.helpInformation().length);
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

/** The first paragraph of a description. */
function brief(command: Command): string {
  return prose(command.description().split('\n')[0]!);
}

function paragraphs(text: string): readonly string[] {
  return text
    .split(/\n\s*\n?/)
    .map((each) => prose(each.trim()))
    .map((each) => each.charAt(0).toUpperCase() + each.slice(1) + (/[.:]$/.test(each) ? '' : '.'));
}
