import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResourceError } from '../../src/protocol/errors.js';
import { implementResource } from '../../src/temporal/resources.js';
import { startTestService, type TestService } from '../support/service.js';
import { temporalExecutable } from '../support/temporal-executable.js';
import { until } from '../support/until.js';
import { signal } from './signal.js';
import { hosting, Website } from './website.js';

let service: TestService;
let goOn: () => void;
beforeAll(async () => {
  const slow = new Promise<void>((resolve) => (goOn = resolve));
  const deploy = async ({ name }: { readonly name: string }) => {
    if (name.startsWith('slow')) await slow;
    if (name.startsWith('broken')) throw new ResourceError('no_room', 'There is no room.');
    return { url: `https://${name}.example` };
  };
  service = await startTestService({
    alone: true,
    workflows: 'readme/workflows.ts',
    declarations: ['readme/website.ts'],
    entities: [Website],
    resources: [implementResource(hosting, { deploy })],
  });
});
afterAll(() => service.close());

const create = async (key: string) => service.reeve.create(Website, key, 'create');
const created = async (key: string) => service.reeve.operations.result(await create(key));

describe('the page for users of Temporal', () => {
  it('has a signal that runs once, for an actor, and is followed to its end (S2.5, S4.7, S6.5)', async () => {
    const { client } = service.environment;
    await created('blog');
    const take = (request: string, roles: string[]) => signal(client, 'Website/blog', 'takeDown', request, roles);
    await expect(take('ticket-1', ['guest'])).rejects.toThrow(
      "Website/blog stays Live: 'takeDown' on Website/blog requires one of the roles operator, and ada has none of them.",
    );
    expect(await take('ticket-2', ['operator'])).toBe('success');
    expect((await service.reeve.read({ type: 'Website', key: 'blog' })).gone).toBe(true);
  });

  it("has lists by Temporal's own command (S5.2)", async () => {
    await created('settled');
    const running = await create('slow-one');
    const failed = await created('broken-one');
    expect(failed.outcome).toBe('failed');
    const lines = (await queries()).map((line) => line.replaceAll('LogicalServer', 'Website'));
    const expected = [
      ['Website/slow-one'],
      [`op/${running.requestId}`],
      [`op/${failed.id}`],
      ['Website/broken-one'],
      ['Website/slow-one'],
    ];
    expect(lines).toHaveLength(expected.length);
    for (const [index, line] of lines.entries()) {
      const query = line.replace('c5543ccf-ea10-4935-ae7b-9462c9d94331', running.requestId);
      await until(async () => expect(await list(query), query).toEqual(expected[index]));
    }
    goOn();
  });
});

/** The queries of the page, as they are written there. */
async function queries(): Promise<readonly string[]> {
  const page = await readFile(new URL('../../docs/guides/temporal-client.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^temporal workflow list --query '([^']+)'$/gm)].map(([, query]) => query!);
}

async function list(query: string): Promise<readonly string[]> {
  const { address } = service.environment;
  const words = ['workflow', 'list', '--address', address, '--query', query, '--output', 'jsonl'];
  const { stdout } = await promisify(execFile)(await temporalExecutable(), words);
  const found = stdout.split('\n').filter((line) => line !== '');
  return found.map(
    (line) => (JSON.parse(line) as { readonly execution: { readonly workflowId: string } }).execution.workflowId,
  );
}
