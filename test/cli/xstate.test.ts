import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { callReeve } from '../support/reeve-call.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const order = {
  id: 'orderMachine',
  description: `An "order",\nwhich isn't paid`,
  context: { total: 0, lines: ['first'], note: null, 'two words': { a: '\\' } },
  initial: 'open',
  states: {
    open: { entry: 'greet', on: { 'order.pay': [{ target: 'paying', guard: 'is\nfull' }, { actions: 'complain*/' }] } },
    paying: { invoke: { src: 'charge', onDone: 'packing', onError: { target: 'open', actions: 'warn' } } },
    packing: {
      type: 'parallel',
      onDone: 'sent',
      after: { 86400000: 'open' },
      states: {
        goods: { initial: 'missing', states: { missing: { on: { PICK: 'there' } }, there: { type: 'final' } } },
        label: { initial: 'none', states: { none: { on: { PRINT: 'there' } }, there: { type: 'final' } } },
      },
    },
    sent: { type: 'final' },
  },
};

async function folderWith(machine: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-xstate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'order.json'), typeof machine === 'string' ? machine : JSON.stringify(machine));
  return folder;
}

it('reeve import xstate writes entities that compile, and tells what they do not have (S6.3)', async () => {
  const folder = await folderWith(order);
  const { code, stdout, stderr } = await callReeve(['import', 'xstate', 'order.json'], {}, folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^src\/order\/definition\.ts\nsrc\/order\/actions\.ts\nsrc\/order-goods\/definition\.ts\n/);
  expect(stdout).toContain('Order: not as in the machine\n');
  expect(stdout).toContain('  packing: is parallel: goods, label. Each region is an entity');
  expect(stdout).toContain("  export { OrderGoods } from './order-goods/definition.js';\n");
  expect(stdout).toContain("  import { orderActions } from './order/actions.js';\n");
  const definition = await readFile(join(folder, 'src', 'order', 'definition.ts'), 'utf8');
  expect(definition).toContain(`paying: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'open' } }),`);
  expect(definition).toContain(`packing: stable({ deadline: { after: '1d', raise: 'packingTimeout' } }),`);
  expect(definition).toContain(`lines: z.array(z.unknown()).default(['first']),`);
  const actions = await readFile(join(folder, 'src', 'order', 'actions.ts'), 'utf8');
  expect(actions).toContain(`    // TODO: if 'is full' holds:\n    //   return self.goTo('paying');\n`);
  expect(actions).toContain(
    `    // TODO: after an error, do what 'warn', 'greet' did:\n    //   return self.goTo('open');\n`,
  );

  // The lines that the command prints are all that the project needs.
  const lines = (pattern: RegExp) => stdout.split('\n').filter((line) => pattern.test(line));
  await writeFile(join(folder, 'src', 'definitions.ts'), lines(/^ {2}export/).join('\n'));
  const constants = /with (.+) in entityWorkflows/.exec(stdout)![1]!;
  await writeFile(
    join(folder, 'src', 'workflows.ts'),
    [
      `import { entityWorkflows } from 'reeve/workflows';`,
      ...lines(/^ {2}import/),
      `export default entityWorkflows(${constants});`,
    ].join('\n'),
  );
  const reeve = { definitions: 'src/definitions.js', workflows: 'src/workflows.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'orders', type: 'module', reeve }));
  const compilerOptions = {
    ...{ module: 'NodeNext', target: 'ES2022', types: [], skipLibCheck: true },
    ...{ strict: true, noUnusedLocals: true, noUnusedParameters: true },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'reeve'));
  await symlink(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder], { cwd: folder });
  expect((await compiled.catch((failure: { readonly stdout: string }) => failure)).stdout).toBe('');
  expect(await callReeve(['check'], {}, folder)).toMatchObject({ code: 0, stdout: 'no problems in 3 entity types\n' });
});

it('reeve import xstate overwrites a file only with --force (S6.3)', async () => {
  const folder = await folderWith({ states: { a: { on: { GO: 'b' } }, b: {} } });
  const into = ['import', 'xstate', 'order.json', '--type', 'light', '--folder', 'entities'];
  expect(await callReeve(into, {}, folder)).toMatchObject({ code: 0 });
  const file = join(folder, 'entities', 'light', 'actions.ts');
  await writeFile(file, 'mine');
  const again = await callReeve(into, {}, folder);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('entities/light/actions.ts');
  expect(again.stderr).toContain('--force');
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await callReeve([...into, '--force'], {}, folder)).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).toContain('implementActions(Light, {');
});

it.each([
  { is: 'is no JSON', machine: '{ id: 1 }', says: 'JSON.stringify(machine.config)' },
  { is: 'is no machine', machine: { name: 'reeve' }, says: "order.json is no machine of XState: it has no 'states'." },
])('reeve import xstate refuses a file that $is, and writes nothing (S6.3)', async ({ machine, says }) => {
  const folder = await folderWith(machine);
  const { code, stdout, stderr } = await callReeve(['import', 'xstate', 'order.json'], {}, folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replace(/\s+/g, ' ')).toContain(says);
});

it('reeve diagram --xstate prints a machine, which reeve import xstate accepts (S6.3)', async () => {
  const { code, stdout } = await callReeve(['diagram', 'Alias', '--xstate'], {});
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    id: 'Alias',
    initial: 'Absent',
    states: { Creating: { invoke: { src: 'point', onDone: [{ target: 'Ready' }] } } },
  });
  const folder = await folderWith(stdout);
  expect(await callReeve(['import', 'xstate', 'order.json'], {}, folder)).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'src', 'alias', 'definition.ts'), 'utf8')).toContain("defineEntity('Alias', {");
  const unnamed = await callReeve(['diagram', '--xstate'], {});
  expect(unnamed).toMatchObject({ code: 2 });
  expect(unnamed.stderr).toContain('Name one of the entity types: LogicalServer');
});
