import { Command } from 'commander';
import { expect, it } from 'vitest';
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
