import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, type ApplicationOptions } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import type { Store } from '../../src/store/index.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import { controlPlaneModule } from '../../workflows/definitions.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { hindrances, openBrowser, openPage, type GuardedPage } from '../support/browser.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { event, operation, START } from '../store/records.js';
import { useServer } from '../store/server.js';
import { until } from '../support/until.js';

/*
 * The page in a real browser, on the reference control plane. Each test fails on whatever must never happen: an error of the
 * console, a violation of the content policy, a request to elsewhere.
 */

const built = (folder: string) => fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url));
const server = useServer();
let store: Store;
let plane: TestControlPlane;
let service: RunningService;
let browser: Browser;
const services: RunningService[] = [];

beforeAll(async () => {
  const opened = openBrowser();
  store = openControlPlaneStore(await server.database());
  await store.migrate();
  plane = await startTestControlPlane({ records: store.writer });
  service = await serve();
  browser = await opened;
});
afterAll(async () => {
  await browser.close();
  for (const each of services) await each.stop();
  await plane.close();
  await store.close();
});

async function serve(options: Partial<ApplicationOptions> = {}): Promise<RunningService> {
  const application = createApplication({
    ...{ reeve: plane.reeve, modules: [controlPlaneModule], store: serviceStore(store) },
    ...{ log: pino({ level: 'silent' }), page: built('page'), diagrams: built('diagrams') },
    ...options,
  });
  const started = await startService(application, { graceMs: 100 });
  services.push(started);
  return started;
}

const open = (expected: readonly number[] = [], url = service.url): Promise<GuardedPage> =>
  openPage(browser, url, { expected });

/** The places of elements at one moment: what is above them may change its height between two questions. */
function placesOf(page: Page, ...selectors: readonly string[]) {
  const place = '(selector) => document.querySelector(selector).getBoundingClientRect().toJSON()';
  return page.evaluate<readonly { readonly y: number; readonly height: number }[]>(
    `${JSON.stringify(selectors)}.map(${place})`,
  );
}

/** The diagram can be read at first, with the state of the entity in it, and grows and shrinks. */
async function seesTheDiagram(page: Page): Promise<void> {
  const svg = page.locator('svg.diagram');
  const scale = async () => {
    const [, , width] = (await svg.getAttribute('viewBox'))!.split(' ').map(Number);
    return (await svg.boundingBox())!.width / width!;
  };
  const atFirst = await scale();
  expect(atFirst).toBeGreaterThanOrEqual(0.99);
  const [frame, state] = await placesOf(page, '.diagram-frame', '.present');
  expect(state!.y).toBeGreaterThan(frame!.y);
  expect(state!.y + state!.height).toBeLessThan(frame!.y + frame!.height);
  await page.getByRole('button', { name: 'Show all of the diagram' }).click();
  expect(await scale()).toBeLessThan(atFirst);
  await page.locator('.diagram-frame').press('+');
  await page.getByRole('button', { name: 'Larger' }).click();
  await page.getByRole('button', { name: /^Here/ }).click();
  expect(await scale()).toBeCloseTo(atFirst, 1);
  // On a phone, the buttons would cover a state.
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 800 });
  const [narrow, tools] = await placesOf(page, '.diagram-frame', '.diagram-tools');
  expect(tools!.y).toBeGreaterThanOrEqual(narrow!.y + narrow!.height);
  await page.setViewportSize({ width, height });
}

describe('the web page (S6.3)', () => {
  it('creates a server, follows it live, says what is wrong at the field, and deletes it', async () => {
    const { page, wrong } = await open([400, 404]);
    await page.goto(`${service.url}/`);
    await page.getByText('Nothing needs you.').waitFor();
    expect(await hindrances(page)).toEqual([]);

    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('link', { name: 'New LogicalServer' }).click();
    const dialog = page.getByRole('dialog', { name: 'New LogicalServer' });
    await dialog.getByText('Format: matches ^[a-z_]').waitFor();
    // Nothing is sent while a field is empty that has to be filled in.
    await dialog.getByRole('button', { name: 'create' }).click();
    await dialog.locator('.field.wrong', { hasText: 'This has to be given.' }).waitFor();
    await until(async () => expect(await page.evaluate('document.activeElement.name')).toBe('key'));
    await dialog.getByLabel('key').fill('orders');
    await until(async () => expect(await dialog.locator('.field.wrong').count()).toBe(0));
    await dialog.getByLabel('administrator').fill('Not A Role');
    await dialog.getByRole('button', { name: 'create' }).click();
    const field = dialog.getByLabel('administrator');
    await dialog.locator('.field.wrong .issue').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByLabel('key').getAttribute('aria-invalid')).toBe('false');
    expect(await hindrances(page)).toEqual([]);
    await field.fill('ann');
    await dialog.getByRole('button', { name: 'create' }).click();

    // It comes to its view, and is followed there without being asked for again.
    await page.getByRole('heading', { name: 'LogicalServer/orders' }).waitFor();
    await page.locator('.title .badge', { hasText: /^Ready$/ }).waitFor();
    await page.locator('[data-state=Ready].present').waitFor();
    await page.locator('.history').getByText('resourcesReady').waitFor();
    await page.locator('.asked .badge', { hasText: 'success' }).waitFor();
    // An event that can never come again is not there.
    expect(
      await page
        .locator('.events')
        .getByText(/\bcreate\b/)
        .count(),
    ).toBe(0);
    await seesTheDiagram(page);
    expect(await hindrances(page)).toEqual([]);

    // Parameters that can be given in two ways are asked for in the one that was chosen.
    await page.getByRole('button', { name: 'setFirewallRule', exact: true }).click();
    const rule = page.getByRole('dialog', { name: 'setFirewallRule LogicalServer/orders' });
    await rule.getByRole('button', { name: 'name, cidr' }).click();
    await rule.getByLabel('name').fill('office');
    await rule.getByLabel('cidr').fill('10.1.0.0/16');
    await rule.getByRole('button', { name: 'setFirewallRule' }).click();
    await page.getByText('10.1.255.255').waitFor();
    await page.locator('.title .badge', { hasText: /^Ready$/ }).waitFor();

    // An event is raised at its arrow as well.
    await page.getByRole('button', { name: 'Raise delete' }).press('Enter');
    const deletion = page.getByRole('dialog', { name: 'delete LogicalServer/orders' });
    const confirm = deletion.getByRole('button', { name: 'delete' });
    expect(await confirm.isDisabled()).toBe(true);
    // It says what the declaration reaches: its successors, and no type of which it has none.
    const reached = deletion.locator('.notice details');
    const record = reached.filter({ hasText: '1 × DnsRecord' });
    await record.getByText('ends', { exact: true }).waitFor();
    expect(await deletion.locator('.notice').textContent()).not.toContain('creates');
    await record.getByRole('link', { name: 'DnsRecord/orders' }).waitFor();
    await reached.filter({ hasText: 'LogicalDatabase' }).waitFor({ state: 'detached' });
    await until(async () =>
      expect(await page.evaluate('document.activeElement.closest(".field") !== null')).toBe(true),
    );
    expect(await deletion.locator('.commands').textContent()).toContain('npx reeve raise LogicalServer/orders delete');
    await deletion.getByLabel(/To continue, type/).fill('orders');
    await confirm.click();
    await page.locator('.title .badge', { hasText: 'deleted' }).waitFor();
    await page.locator('.asked .badge', { hasText: 'success' }).first().waitFor();
    expect(wrong).toEqual([]);
  });

  it('shows each operation as a tree in time, and finds it', async () => {
    const { page, wrong } = await open([404]);
    await page.goto(`${service.url}/#/operations`);
    await page.getByRole('link', { name: 'create LogicalServer/orders' }).first().click();
    await page.getByRole('heading', { name: 'create LogicalServer/orders' }).waitFor();
    await page.locator('.waterfall').getByRole('link', { name: 'SqlApplication/orders' }).first().waitFor();
    expect(await page.locator('.waterfall .tick').count()).toBeGreaterThan(5);
    expect(await hindrances(page)).toEqual([]);

    // The inputs and outputs are read when somebody asks for them.
    const server = page.locator('.waterfall li', { hasText: 'LogicalServer/orders' }).first();
    const button = server.getByRole('button', { name: /^Input and result/ });
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await button.click();
    await server.locator('.value-list pre').first().getByText('"administrator": "ann"').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await button.click();
    expect(await server.locator('.values').count()).toBe(0);
    // A call in the tree leads to its own input.
    const caller = page.locator('.waterfall li:has(.call)').first();
    const [called = ''] = (await caller.locator('.call').first().textContent())!.split(' ');
    await caller.locator('.call').first().dispatchEvent('click');
    await caller.locator('.call-values details[open]', { hasText: called }).getByText('Input').first().waitFor();

    // The same as messages between the entities; its code is loaded now.
    await page.getByRole('button', { name: 'As a sequence' }).click();
    await page.locator('.sequence .lane', { hasText: 'Caller' }).waitFor();
    await page.locator('.sequence .step.event', { hasText: 'create' }).first().waitFor();
    await page.locator('.sequence .step.state', { hasText: 'Ready' }).first().waitFor();
    await page.getByText('In words').click();
    const words = page.locator('.sequence-words li');
    await words.getByText('Caller raises create on LogicalServer/orders').waitFor();
    await words.getByText('LogicalServer/orders is in Ready').first().waitFor();
    expect(await hindrances(page)).toEqual([]);

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('LogicalS');
    await page.getByRole('option', { name: 'LogicalServer type' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(wrong).toEqual([]);
  });

  it('shows a provider that fails, what it waits for and why, and that it comes right; renames and deletes a database', async () => {
    const call = 'databases.createInstance troubled';
    plane.failures.set(call, 4);
    const { page, wrong } = await open([404, 410]);
    await page.goto(`${service.url}/#/create/LogicalServer`);
    const dialog = page.getByRole('dialog', { name: 'New LogicalServer' });
    await dialog.getByLabel('key').fill('troubled');
    await dialog.getByRole('button', { name: 'create' }).click();
    await page.getByRole('heading', { name: 'LogicalServer/troubled' }).waitFor();
    // An attempt has failed. The next one waits until the page has shown that, and succeeds.
    await until(async () => expect(plane.failures.get(call)).toBeLessThan(4));
    let seen!: () => void;
    plane.holds.set(call, new Promise((resolve) => (seen = resolve)));
    await page.locator('.tree').getByText('databases.createInstance is down').first().waitFor();
    // A drawing says who waits for whom, down to the one that tries again. Its links are those of the list.
    const drawn = page.locator('.waits');
    await drawn
      .locator('.wait-why', { hasText: /^until .* in Ready$/ })
      .first()
      .waitFor();
    await drawn.locator('.wait-box.warn').first().waitFor();
    expect(await drawn.locator('.wait-box a[tabindex="-1"]').count()).toBeGreaterThan(1);
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the events' }).press('Enter');
    await until(async () => expect(await page.evaluate('document.activeElement.className')).toMatch(/events/));
    // Events that are refused for now say why, all with one reason together.
    await page.locator('.refused', { hasText: /^Not now: setFirewallRule, removeFirewallRule/ }).waitFor();
    // The list of operations can cancel what runs.
    await page.goto(`${service.url}/#/operations?outcome=running`);
    await page.getByRole('button', { name: 'Cancel create LogicalServer/troubled' }).click();
    await page.getByRole('dialog', { name: 'Cancel create LogicalServer/troubled' }).getByText('Back').click();
    await page.goBack();
    plane.failures.delete(call);
    seen();
    await page.locator('.title .badge', { hasText: /^Ready$/ }).waitFor();
    await page.locator('.asked .badge', { hasText: 'success' }).waitFor();

    await page.goto(`${service.url}/#/create/LogicalDatabase`);
    const database = page.getByRole('dialog', { name: 'New LogicalDatabase' });
    await database.getByLabel('key').fill('troubled.sales');
    await database.getByRole('button', { name: 'create' }).click();
    await page.getByRole('heading', { name: 'LogicalDatabase/troubled.sales' }).waitFor();
    await page.locator('.title .badge', { hasText: /^Ready$/ }).waitFor();
    expect(await hindrances(page)).toEqual([]);

    // Its successors say how they are now, with theirs below them.
    const successors = page.locator('.successors > li', { hasText: 'LogicalServer/troubled' });
    await successors.locator('.badge.good', { hasText: 'Ready' }).waitFor();
    await page.getByRole('button', { name: 'With theirs' }).click();
    await successors.locator('li', { hasText: 'Alias/troubled' }).locator('.badge.good').first().waitFor();
    expect(await hindrances(page)).toEqual([]);

    // To delete its server reaches it, though it is no successor of that.
    await page.goto(`${service.url}/#/entities/LogicalServer/troubled`);
    await page.getByRole('button', { name: 'delete', exact: true }).click();
    const deleting = page.getByRole('dialog', { name: 'delete LogicalServer/troubled' });
    await deleting
      .locator('.notice details', { hasText: '1 × LogicalDatabaseends deleteWithServer' })
      .getByRole('link', { name: 'LogicalDatabase/troubled.sales' })
      .waitFor();
    // So does what that ends in turn, together with the others of its type.
    await deleting
      .locator('.notice details', { hasText: '2 × SqlApplicationends delete' })
      .getByRole('link', { name: 'SqlApplication/troubled.sales' })
      .waitFor();
    expect(await hindrances(page)).toEqual([]);
    await deleting.getByRole('button', { name: 'Back' }).click();
    await page.goBack();

    await page.getByRole('button', { name: 'rename', exact: true }).click();
    const renaming = page.getByRole('dialog', { name: 'rename LogicalDatabase/troubled.sales' });
    await renaming.getByLabel('name', { exact: true }).fill('revenue');
    await renaming.getByRole('button', { name: 'rename' }).click();
    const name = page.locator('.facts div', { hasText: /^name/ });
    await name.getByText('revenue').waitFor();

    // A version that is chosen in its history shows it as it was; the address leads there, too.
    await page.locator('.history > li:last-child .version').last().click();
    await page.getByText(/^This is version \d+\.$/).waitFor();
    await name.getByText('sales').waitFor();
    expect(page.url()).toMatch(/\?version=\d+$/);
    expect(await page.locator('.events').count()).toBe(0);
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show the current version' }).click();
    await name.getByText('revenue').waitFor();

    await page.getByRole('button', { name: 'delete', exact: true }).click();
    const deletion = page.getByRole('dialog', { name: 'delete LogicalDatabase/troubled.sales' });
    const server = deletion.locator('.notice details', { hasText: '1 × LogicalServer detachDatabase' });
    await server.getByRole('link', { name: 'LogicalServer/troubled' }).waitFor();
    expect(await server.getByText('ends', { exact: true }).count()).toBe(0);
    await deletion.getByLabel(/To continue, type/).fill('troubled.sales');
    await deletion.getByRole('button', { name: 'delete' }).click();
    await page.locator('.title .badge', { hasText: 'deleted' }).waitFor();

    // A successor that is gone, too, is asked for once, while the others are read again.
    const gone: string[] = [];
    let reads = 0;
    page.on('response', (response) => {
      if (response.status() === 410) gone.push(response.url());
      else if (response.url().endsWith('/LogicalServer/troubled')) reads++;
    });
    await page.getByRole('button', { name: 'With theirs' }).click();
    await until(async () => expect(reads).toBeGreaterThan(2));
    expect(gone.filter((url) => url.endsWith('/SqlApplication/troubled.sales'))).toHaveLength(1);
    expect(wrong).toEqual([]);
  });

  it('shows the events of a canceled operation as canceled, in its steps and in the history (S4.7, S5.1)', async () => {
    await plane.reeve.operations.result(await plane.reeve.create(LogicalServer, 'unwanted', 'create', {}));
    const { life } = (await plane.reeve.read({ type: 'LogicalServer', key: 'unwanted' })).snapshot;
    const about = { entity: { type: 'LogicalServer', key: 'unwanted', life }, operation: 'withdrawn' };
    const settled = { ...about, endedAt: START + 9, endState: 'Ready', endHealth: 'normal', endVersion: 900 } as const;
    const error = { kind: 'retryable', code: 'aborted', message: `'moveOn' was aborted` } as const;
    const name = 'failover LogicalServer/unwanted';
    await store.writer.keep([
      operation('withdrawn', { name, outcome: 'canceled', endedAt: START + 9 }),
      event('withdrawn', { ...settled, event: 'failover', startVersion: 800, error }),
      event('withdrawn/cancel/LogicalServer/unwanted', { ...settled, event: 'cancel', startVersion: 801 }),
    ]);
    await store.writer.keep([
      operation('kept', { name: 'keep LogicalServer/unwanted', outcome: 'success', endedAt: START + 9 }),
      event('kept', { ...settled, operation: 'kept', event: 'keep', startVersion: 810 }),
      event('kept/cancel/LogicalServer/unwanted', {
        ...{ ...about, operation: 'kept', event: 'cancel', startVersion: 811, endedAt: START + 8 },
        error: { kind: 'rejected', code: 'not_valid', message: 'not now' },
      }),
    ]);
    const audited = { roles: ['operator'], entity: about.entity, operation: 'withdrawn', decision: 'allowed' } as const;
    await store.writer.audit([
      { ...audited, id: randomUUID(), at: START + 5, subject: 'ann', action: 'cancel failover' },
      { ...audited, id: randomUUID(), at: START + 5, subject: 'ann', action: 'cancel keep', operation: 'kept' },
      { ...audited, id: randomUUID(), at: START + 4, subject: 'ann', action: 'create create' },
    ]);
    const { page, wrong } = await open([404, 410]);
    await page.goto(`${service.url}/#/operations?outcome=canceled`);
    await page.getByText('Cancel requested by ann').waitFor();
    // A request that was refused is not told as one that is still to be answered, also when the operation has ended.
    await page.goto(`${service.url}/#/operations?outcome=success`);
    const row = page.locator('tr', { hasText: 'keep LogicalServer/unwanted' });
    await row.getByText('Cancel refused, requested by ann', { exact: true }).waitFor();
    await page.goto(`${service.url}/#/audit?text=create`);
    await page.getByRole('cell', { name: 'create LogicalServer/unwanted', exact: true }).waitFor();
    await page.goto(`${service.url}/#/operations/withdrawn`);
    await page.getByText('Cancel requested by ann.').waitFor();
    const step = page.locator('.waterfall li', { hasText: /LogicalServer.unwanted failover/ });
    await step.locator('.count:not(.bad)', { hasText: 'canceled' }).waitFor();
    expect(await step.getAttribute('class')).not.toContain('bad');
    await page.goto(`${service.url}/#/entities/LogicalServer/unwanted`);
    const moved = page.locator('.history > li', { has: page.locator('strong', { hasText: /^failover$/ }) });
    await moved.locator('.event-line .count:not(.bad)', { hasText: 'canceled' }).waitFor();
    expect(wrong).toEqual([]);
  });

  it('shows which error of another entity has led an entity to its error state (S5.4)', async () => {
    plane.failures.set('names.publish stranded', 1_000);
    const { page, wrong } = await open();
    await plane.reeve.createAny(plane.reeve.entity('LogicalServer'), 'stranded', 'create');
    const stranded = async () => (await plane.reeve.read({ type: 'LogicalServer', key: 'stranded' })).snapshot.state;
    await until(async () => expect(await stranded()).toBe('Failed'), 30_000);
    await page.goto(`${service.url}/#/entities/LogicalServer/stranded`);
    const why = page.getByRole('alert').filter({ hasText: 'The operation that led here has failed:' });
    await why.getByText('names.publish is down (provider_down)').waitFor();
    await why.getByRole('link', { name: /^DnsRecord/ }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    // The incident that is copied names it, too.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as incident' }).click();
    await page.getByRole('button', { name: /^Copied/ }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^LogicalServer\/stranded is in Failed .*\nbecause of DnsRecord\/stranded: names\.publish is down \(provider_down\)\n/,
    );
    // The operation shows the error at the step that has failed.
    await why.locator('a.operation').click();
    const step = page.locator('.waterfall li.bad', { hasText: 'DnsRecord' });
    await step
      .getByText(/names.publish is down/)
      .first()
      .waitFor();
    expect(await hindrances(page)).toEqual([]);
    // The first view has the same cause.
    await page.goto(`${service.url}/#/`);
    const need = page.locator('.need', { hasText: 'rests in an error state (provider_down)' });
    await need.getByText('names.publish is down (provider_down)').waitFor();
    await need.getByRole('link', { name: 'LogicalServer/stranded' }).waitFor();
    expect(wrong).toEqual([]);
  });

  it('asks who it is, and shows no button that would be refused as one that works (S6.5)', async () => {
    const keyed = await serve({
      authenticator: {
        async authenticate({ headers }) {
          const [, role] = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '') ?? [];
          if (role === undefined) return undefined;
          return { actor: { subject: role, tenant: '*', roles: [role] }, until: Infinity };
        },
      },
    });
    const created = await fetch(`${keyed.url}/api/control-plane/v1/LogicalServer`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json', prefer: 'wait=50' },
      body: JSON.stringify({ key: 'kept', event: 'create' }),
    });
    expect(created.status).toBe(201);

    const { page, wrong } = await open([401], keyed.url);
    await page.goto(`${keyed.url}/#/entities/LogicalServer/kept`);
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('API key or JSON Web Token').fill('reader');
    expect(await hindrances(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.title .badge', { hasText: 'Ready' }).waitFor();
    await page
      .locator('.refused', { hasText: /Not now: .*setFirewallRule.*requires one of the roles/ })
      .first()
      .waitFor();
    expect(await page.locator('.events button').count()).toBe(0);
    expect(new URL(page.url()).href).not.toContain('reader');
    expect(wrong).toEqual([]);
  });

  it('says that it is not live any more, and goes on when the service is back', async () => {
    const away = await serve();
    const port = Number(new URL(away.url).port);
    const { page, wrong } = await open([], away.url);
    await page.goto(`${away.url}/#/entities/LogicalServer/kept`);
    await page.locator('.title .badge', { hasText: 'Ready' }).waitFor();
    await page.locator('.live.live').waitFor();
    await away.stop();
    await page.locator('.live.away').waitFor();
    expect(await page.locator('.title .badge').textContent()).toBe('Ready');
    const back = createApplication({
      ...{ reeve: plane.reeve, modules: [controlPlaneModule], store: serviceStore(store) },
      ...{ log: pino({ level: 'silent' }), page: built('page'), diagrams: built('diagrams') },
    });
    services.push(await startService(back, { port, graceMs: 100 }));
    await page.locator('.live.live').waitFor();
    // A service that stops says so with 503, or is not there, which the browser says in many ways.
    const stopping = ['net::ERR_', '503 (Service Unavailable)'];
    expect(wrong.filter((each) => !stopping.some((word) => each.includes(word)))).toEqual([]);
  });
});
