import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { StoreAuditTrail } from '../../src/service/store-audit-trail.js';
import { openStore } from '../../src/store/index.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { approvals, Order } from '../entities/order.js';
import { useServer } from '../store/server.js';
import { hindrances, openBrowser, openPage } from '../support/browser.js';
import { startTestService } from '../support/service.js';

const server = useServer();
const built = (folder: string) => fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url));

it('leads from the first view to the question and its answer in three steps (S6.3)', async () => {
  const callbacks = {
    url: 'https://callbacks.example/api',
    keys: new CallbackKeys(Buffer.alloc(32, 1).toString('base64')),
  };
  const store = openStore({ url: await server.database(), dimensions: [] });
  onTestFinished(() => store.close());
  await store.migrate();
  const temporal = await startTestService({
    ...{ workflows: 'entities/secrecy-workflows.ts', declarations: ['entities/order.ts', 'entities/invoice.ts'] },
    ...{ entities: [Order], records: store.writer, callbacks },
    resources: [implementResource(approvals, { ask: async () => undefined, book: async () => ({}) })],
  });
  onTestFinished(() => temporal.close());
  const audit = new StoreAuditTrail(store.writer, pino({ level: 'silent' }));
  onTestFinished(() => audit.close());
  const application = createApplication({
    audit,
    ...{ reeve: temporal.reeve, store: serviceStore(store), callbacks, log: pino({ level: 'silent' }) },
    modules: [{ name: 'shop', version: 1, entities: [Order], resources: [approvals] }],
    ...{ page: built('page'), diagrams: built('diagrams'), settings: { lookMs: [20, 200] } },
  });
  const service = await startService(application, { graceMs: 100 });
  onTestFinished(() => service.stop());
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const place = async (key: string) => {
    const placed = await fetch(`${service.url}/api/shop/v1/Order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key, event: 'place', parameters: { amount: 48_151_623 } }),
    });
    expect(placed.status).toBe(202);
  };
  await place('a');

  // The build lays out no diagrams of the types of tests.
  const { page, wrong } = await openPage(browser, service.url, { expected: [404] });
  await page.goto(`${service.url}/`);
  await page.getByRole('link', { name: 'Answer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Answer approvals.ask of Order/a' });
  await dialog.getByText('"amount": 48151623').waitFor();
  expect(await hindrances(page)).toEqual([]);
  await page.keyboard.type('ann');
  await page.keyboard.press('Enter');
  await page.locator('.title .badge', { hasText: 'Approved' }).waitFor();
  // Anyone who comes back is not asked again.
  expect(page.url()).not.toContain('answer');
  // The history names who has answered, and so do the steps of the operation.
  const answered = page.getByText(/^approvals\.ask answered by developer at /);
  await page.locator('.history').locator(answered).waitFor();
  expect(await hindrances(page)).toEqual([]);
  await page.locator('.history a[href*=operations]').first().click();
  await page.locator('.waterfall').locator(answered).waitFor();
  // A step names who has raised its event.
  await page
    .locator('.waterfall .way-of')
    .getByText(/, by developer\b/)
    .waitFor();
  expect(await hindrances(page)).toEqual([]);

  // A long key is wrapped on a phone, beside its button.
  const key = 'an_order_of_the_last_quarter_that_is_a_single_word';
  await place(key);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${service.url}/#/`);
  const link = page.getByRole('link', { name: `Order/${key}` });
  await link.waitFor();
  const [left, right] = [await link.boundingBox(), await page.getByRole('link', { name: 'Answer' }).boundingBox()];
  expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(wrong).toEqual([]);
});
