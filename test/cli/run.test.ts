import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { withListOptions } from '../../src/cli/list/options.js';
import { run } from '../../src/cli/run.js';

it('a command gets an option that the command above it has, too (S6.3)', async () => {
  const got: object[] = [];
  const noting = run(async (...args: readonly unknown[]) => {
    got.push(args[0] as object);
    return 0;
  });
  const above = new Command('rollout').option('--json').option('--rate <n>', 'as many', '20').action(noting);
  above.command('status').option('--json').option('--rate <n>', 'as many', '20').action(noting);
  await new Command('reeve').addCommand(above).parseAsync(['rollout', 'status', '--json', '--rate', '5'], {
    from: 'user',
  });
  expect(got).toEqual([{ json: true, rate: '5' }]);
});

it('--watch repeats a command until it is stopped, or fails (S6.3)', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.useFakeTimers();
  let times = 0;
  const watching = run(async (_options: { readonly watch: boolean }) => {
    if (++times === 3) throw new Error('It is gone.');
    return 0;
  })({ watch: true });
  await vi.advanceTimersByTimeAsync(4_000);
  await watching;
  vi.useRealTimers();
  const remedy = "Run 'reeve doctor' to see what is missing or wrong.";
  expect([times, said.mock.calls, process.exitCode]).toEqual([3, [[`It is gone.\n  ${remedy}`]], 1]);
  said.mockRestore();
  process.exitCode = 0;
});

it('--all is as many rows as there are (S6.3)', async () => {
  const top = async (...words: string[]) => {
    let got = 0;
    const command = withListOptions(new Command('list')).action((options: { readonly top: number }) => {
      got = options.top;
    });
    await command.parseAsync(words, { from: 'user' });
    return got;
  };
  expect([await top(), await top('--top', '7'), await top('--all')]).toEqual([50, 7, 10_000_000]);
});
