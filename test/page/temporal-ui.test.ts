import pino from 'pino';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import type { Authenticator } from '../../src/service/authentication/authenticator.js';
import { codecServerFrom } from '../../src/service/codec-server.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { choosePort } from '../../src/stack/ports.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { approvals, Order } from '../entities/order.js';
import { openBrowser } from '../support/browser.js';
import { keyFile } from '../secrecy/key-file.js';
import { startTestService, type TestService } from '../support/service.js';

const AMOUNT = 48_151_623;
/** Anyone who has this token is an operator. */
const authenticator: Authenticator = {
  authenticate: async ({ headers }) =>
    headers.get('authorization') === 'Bearer operator'
      ? { actor: { subject: 'ann', tenant: '*', roles: ['operator'] }, until: Infinity }
      : undefined,
};
let ui: string;
let temporal: TestService;
let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  const opened = openBrowser();
  const [port, uiPort] = [await choosePort(), await choosePort()];
  ui = `http://127.0.0.1:${uiPort}`;
  const payloads = { keys: await keyFile() };
  temporal = await startTestService({
    workflows: 'entities/secrecy-workflows.ts',
    declarations: ['entities/order.ts', 'entities/invoice.ts'],
    ...{ entities: [Order], payloads, ui: { port: uiPort, codec: `http://127.0.0.1:${port}/codec` } },
    // Nobody answers.
    resources: [implementResource(approvals, { ask: async () => undefined, book: async () => ({}) })],
    callbacks: { url: 'https://callbacks.example/api', keys: new CallbackKeys(Buffer.alloc(32, 1).toString('base64')) },
  });
  const codec = codecServerFrom({ REEVE_CODEC_ORIGINS: ui }, payloads, 'default')!;
  const application = createApplication({
    ...{ reeve: temporal.reeve, modules: [{ name: 'shop', version: 1, entities: [Order] }], authenticator, codec },
    log: pino({ level: 'silent' }),
  });
  service = await startService(application, { port, graceMs: 100 });
  browser = await opened;
  await temporal.reeve.create(Order, 'a', 'place', { amount: AMOUNT });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await temporal.close();
});

/** The history as Temporal's UI shows it to somebody with a token, or without one. */
async function look(token: string | undefined) {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 1600 } })).newPage();
  page.setDefaultTimeout(60_000);
  if (token !== undefined) {
    await page.route('**/codec/*', (route) => {
      const headers = { ...route.request().headers(), authorization: `Bearer ${token}` };
      return route.request().method() === 'POST' ? route.continue({ headers }) : route.continue();
    });
  }
  const answered = page.waitForResponse(
    (each) => new URL(each.url()).pathname === '/codec/decode' && each.request().method() === 'POST',
  );
  const { runId } = await temporal.client.workflow.getHandle('Order/a').describe();
  await page.goto(`${ui}/namespaces/default/workflows/Order%2Fa/${runId}/history`);
  return { page, status: (await answered).status() };
}

it("Temporal's UI shows clear text to who may decrypt, and ciphertext to others (Q5)", async () => {
  const [may, others] = [await look('operator'), await look(undefined)];
  expect([may.status, others.status]).toEqual([200, 401]);
  await may.page.getByText(String(AMOUNT)).first().waitFor({ state: 'attached' });
  // It shows what it has got, with the encoding in base64.
  const encoding = Buffer.from('binary/encrypted').toString('base64');
  await others.page.getByText(encoding).first().waitFor({ state: 'attached' });
  expect(await others.page.content()).not.toContain(String(AMOUNT));
});
