import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compilerOptions = {
  ...{ module: 'NodeNext', target: 'ES2022', strict: true, skipLibCheck: true, verbatimModuleSyntax: true },
  ...{ declaration: true, emitDeclarationOnly: true, types: ['node'] },
};

let folder: string;
beforeAll(async () => {
  // Inside the project, so that what Reeve needs is found, and with Reeve as it is installed: files that nothing exports are
  // out of reach.
  folder = await mkdtemp(join(root, 'dist', 'package-'));
  const reeve = join(folder, 'node_modules', 'reeve');
  await mkdir(reeve, { recursive: true });
  await cp(join(root, 'package.json'), join(reeve, 'package.json'));
  await cp(join(root, 'dist', 'src'), join(reeve, 'dist', 'src'), { recursive: true });
  await cp(join(root, 'test', 'types', 'package'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'garden', type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

it('a package can export what it makes with Reeve: the types of all of it can be named in its declarations (S1.1)', async () => {
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder], { cwd: folder });
  const { stdout } = await compiled.catch((failure: { readonly stdout: string }) => failure);
  expect(stdout).toBe('');
});
