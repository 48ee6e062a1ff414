import pino from 'pino';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { openStore, type Store } from '../../src/store/index.js';
import { Box, Room } from '../entities/box.js';
import { Spinner } from '../entities/spinner.js';
import { useServer } from '../store/server.js';
import { openBrowser, openPage } from '../support/browser.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';

const server = useServer();
let store: Store;
let service: TestService;
let served: RunningService;
let browser: Browser;

beforeAll(async () => {
  const opened = openBrowser();
  store = openStore({ url: await server.database(), dimensions: [] });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/spinner-workflows.ts',
    declarations: ['entities/box.ts', 'entities/spinner.ts'],
    entities: [Box, Room, Spinner],
    resources: [new Shelf().resource],
    records: store.writer,
  });
  const built = (folder: string) => fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url));
  const application = createApplication({
    ...{
      reeve: service.reeve,
      modules: [{ name: 'mill', version: 1, entities: [Spinner] }],
      store: serviceStore(store),
    },
    ...{ log: pino({ level: 'silent' }), page: built('page'), diagrams: built('diagrams') },
    ...{ settings: { lookMs: [20, 200] } },
  });
  served = await startService(application, { graceMs: 100 });
  browser = await opened;
});
afterAll(async () => {
  await browser?.close();
  await served?.stop();
  await service?.close();
  await store?.close();
});

it('the page of an entity whose code did not end names the action and the remedy (S1.5a, S6.3)', async () => {
  const { reeve } = service;
  await reeve.operations.result(await reeve.create(Spinner, 'wheel', 'create'));
  const { outcome } = await reeve.operations.result(await reeve.raise(Spinner, 'wheel', 'spin', { kind: 'loop' }));
  expect(outcome).toBe('failed');
  const { page, wrong } = await openPage(browser, served.url, { expected: [404] });
  await page.goto(`${served.url}/#/entities/Spinner/wheel`);
  const said = page.getByText("The code of 'turn' did not end").first();
  await said.waitFor();
  const text = await page.getByRole('main').innerText();
  expect(text).toContain('endless_code');
  expect(text).toContain('Look for a loop without an end');
  const picture = process.env['REEVE_PICTURES'];
  if (picture !== undefined) await page.screenshot({ path: `${picture}/endless-code.png`, fullPage: true });
  expect(wrong).toEqual([]);
});
