import { spawn } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { recordedProcesses } from '../../src/stack/process-record.js';
import { temporaryFolder } from './folder.js';

it('npm start ends with all that it has started when only its own process gets SIGINT', async () => {
  const home = await temporaryFolder();
  const env = { ...process.env, REEVE_DATA_DIR: home, NO_COLOR: '1' };
  const start = spawn(process.execPath, ['infra/bootstrap.mjs', 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [start.stdout, start.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve) => start.once('exit', resolve));
  onTestFinished(async () => {
    start.kill('SIGTERM');
    await ended;
  });
  const wait = { timeout: 120_000, interval: 50 };
  await vi.waitFor(() => expect(said).toContain('Ctrl-C stops everything'), wait);
  expect(await recordedProcesses(home)).not.toEqual([]);
  start.kill('SIGINT');
  expect(await ended, said).toBe(0);
  const running = (await recordedProcesses(home)).filter(({ stand }) => stand !== 'ended');
  expect(running).toEqual([]);
});
