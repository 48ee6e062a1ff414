import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, as the tool wants it
import config from '../../.dependency-cruiser.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-laws-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

/** The rules that are broken when one file imports another. */
async function broken(from: string, to: string): Promise<readonly string[]> {
  const base = await mkdtemp(join(folder, 'case-'));
  for (const [file, content] of [
    [to, 'export const x = 1;'],
    [
      from,
      `import { x } from '${'../'.repeat(from.split('/').length - 1)}${to.replace(/\.ts$/, '.js')}'; export const y = x;`,
    ],
  ] as const) {
    await mkdir(dirname(join(base, file)), { recursive: true });
    await writeFile(join(base, file), content);
  }
  const { output } = await cruise([from, to], {
    baseDir: base,
    ruleSet: { forbidden: config.forbidden as never },
    validate: true,
    tsPreCompilationDeps: true,
  });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

describe('the direction of imports (L1)', () => {
  it.each([
    ['src/definition/a.ts', 'src/kernel/index.ts', 'definition-is-the-base'],
    ['src/protocol/a.ts', 'src/kernel/index.ts', 'protocol-is-the-base'],
    ['src/kernel/a.ts', 'src/temporal/b.ts', 'kernel-on-the-base'],
    ['src/kernel/rules/a.ts', 'src/kernel/ledger/b.ts', 'kernel-rules'],
    ['src/kernel/actions/a.ts', 'src/kernel/turns/b.ts', 'kernel-actions'],
    ['src/client/a.ts', 'src/kernel/rules/b.ts', 'kernel-by-its-index'],
    ['workers/a.ts', 'tools/b.ts', 'production-knows-no-tools'],
    ['src/operations/a.ts', 'src/client/b.ts', 'operations-on-the-base'],
    ['src/temporal/a.ts', 'src/client/b.ts', 'temporal-on-the-core'],
    ['src/simulation/a.ts', 'src/temporal/b.ts', 'simulation-on-the-core'],
    ['src/cli/a.ts', 'workflows/b.ts', 'library-knows-no-application'],
    ['workflows/thing/actions.ts', 'activities/thing/provider.ts', 'workflows-are-declarations-and-actions'],
    ['activities/thing/contract.ts', 'activities/thing/provider.ts', 'contracts-are-data'],
    ['activities/thing/provider.ts', 'src/client/b.ts', 'activities-are-providers'],
    ['examples/handlers/a.ts', 'src/client/b.ts', 'examples-use-the-package'],
  ])('refuses that %s imports %s', async (from, to, rule) => {
    expect(await broken(from, to)).toEqual([rule]);
  });

  it.each([
    ['src/kernel/a.ts', 'src/definition/b.ts'],
    ['src/kernel/turns/a.ts', 'src/kernel/rules/b.ts'],
    ['src/client/a.ts', 'src/kernel/index.ts'],
    ['src/cli/a.ts', 'src/stack/b.ts'],
    ['workflows/thing/actions.ts', 'activities/thing/contract.ts'],
    ['workers/a.ts', 'activities/b.ts'],
  ])('allows that %s imports %s', async (from, to) => {
    expect(await broken(from, to)).toEqual([]);
  });
});
