import { vi } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import type { Output } from './reeve-command.js';

/** Calls a command within this process, one at a time: hundreds of them take seconds. */
export async function callReeve(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Output> {
  const printed = { stdout: '', stderr: '' };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text: unknown) => void (printed.stdout += `${String(text)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text: unknown) => void (printed.stderr += `${String(text)}\n`)),
  ];
  const { REEVE_API: _, REEVE_API_KEY: __, ...others } = process.env;
  const before = process.env;
  process.env = { ...others, ...env };
  try {
    const program = await createProgram(words);
    await program.parseAsync([...words], { from: 'user' });
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.exitCode = 0;
    process.env = before;
    for (const spy of spies) spy.mockRestore();
  }
}
