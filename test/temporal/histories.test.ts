import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readHistories, replayHistories } from '../../src/temporal/histories.js';
import { Project } from '../../src/project/project.js';
import { controlPlane } from '../../workflows/definitions.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const RECORDED = path('../histories');
let bundle: { readonly codePath: string };

beforeAll(async () => {
  bundle = { codePath: await (await Project.find(path('.'))).builtBundle() };
});

describe('the recorded histories of the shipped entities (S4.1a, Q2)', () => {
  it('replay on the code that is built now; if you mean to change that, npm run replay -- --record makes them anew', async () => {
    const problems: string[] = [];
    const types = new Set<string>();
    for await (const { workflowId, error } of replayHistories(bundle, readHistories([RECORDED]))) {
      types.add(workflowId.slice(0, workflowId.indexOf('/')));
      if (error) problems.push(`${workflowId}: ${error.message}`);
    }
    expect(problems).toEqual([]);
    const missing = controlPlane.map(({ name }) => name).filter((name) => !types.has(name));
    // Nobody has built tables on the server on which these were recorded.
    expect(missing).toEqual(['PartitionedTable']);
  });

  it('do not replay where the code does something else', async () => {
    const changed: string[] = [];
    async function* altered() {
      for await (const { workflowId, history } of readHistories([RECORDED])) {
        const calls = history.events?.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []) ?? [];
        if (calls.length === 0) continue;
        calls[0]!.activityType = { name: 'databases.somethingElse' };
        changed.push(workflowId);
        yield { workflowId, history };
        return;
      }
    }
    for await (const { error } of replayHistories(bundle, altered())) expect(error?.message).toMatch(/somethingElse/);
    expect(changed).toHaveLength(1);
  });

  it('are read from files and folders, and what is none is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reeve-histories-'));
    try {
      await cp(RECORDED, folder, { recursive: true });
      const file = join(folder, 'zz.json');
      await writeFile(file, '{"events":[]}');
      const read = async () => {
        for await (const each of readHistories([folder])) expect(each.workflowId).toMatch(/\w/);
      };
      await expect(read()).rejects.toThrow(`${file} holds no history of a workflow`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
