import { expect, it, onTestFinished, vi } from 'vitest';
import { whoAsks } from '../../src/cli/commands/rollout/who-asks.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import { useServer } from '../store/server.js';

const server = useServer();

it('the audit trail tells who rolled a build out, and who rolled it back (Q2, S6.5)', async () => {
  const url = await server.database();
  const store = openControlPlaneStore(url);
  onTestFinished(() => store.close());
  await store.migrate();
  vi.stubEnv('DATABASE_URL', url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { by, noted } = whoAsks('b1');
  expect(by).toMatch(/^.+@.+$/);
  await noted('rollout');
  await noted('rollout undo', 'it is slow');
  const rows = await store.reader.selectFrom('audit_trail').selectAll().orderBy('time').execute();
  expect(rows).toMatchObject([
    { subject: by, action: 'rollout', decision: 'allowed', reason: 'Build b1.' },
    { subject: by, action: 'rollout undo', reason: 'Build b1: it is slow.' },
  ]);
  // A rollback goes on where there is no store.
  vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await noted('rollout undo');
  expect(said).toHaveBeenCalledWith(expect.stringContaining("This 'rollout undo' is missing in the audit trail"));
});
