import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../../src/distributed/index.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { BuildRouting, readStatus, type BuildStatus } from '../../src/rollout/index.js';
import type { Authenticator } from '../../src/service/authentication/authenticator.js';
import type { RunningService } from '../../src/service/server.js';
import { hindrances, openBrowser, openPage, type GuardedPage } from '../support/browser.js';
import { startYard, type Yard } from '../support/yard.js';
import { until } from '../support/until.js';
import { useServer } from '../store/server.js';

/*
 * The page in a real browser, on what the reference control plane does not do: entities whose attempts are used up, operations over
 * partitions, deployments, tenants, and a service whose workers are away.
 */

const server = useServer();
let yard: Yard;
let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  const opened = openBrowser();
  yard = await startYard(await server.database(), 8);
  service = await yard.serve();
  browser = await opened;
});
afterAll(async () => {
  await browser.close();
  await yard.close();
});

/** Anyone who signs in as `owner@acme` has this role for this tenant. */
const tokens: Authenticator = {
  async authenticate({ headers }) {
    const [, role, tenant] = /^Bearer (\w+)@(\w+|\*)$/.exec(headers.get('authorization') ?? '') ?? [];
    if (role === undefined || tenant === undefined) return undefined;
    return { actor: { subject: `${role} of ${tenant}`, tenant, roles: [role] }, until: Infinity };
  },
};

/** The build lays out no diagrams of the types of tests. */
const open = (expected: readonly number[] = [], url = service.url): Promise<GuardedPage> =>
  openPage(browser, url, { expected: [404, ...expected] });

async function post(url: string, path: string, json: unknown, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', prefer: 'wait=30' },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(json),
  });
  expect(response.status, path).toBeLessThan(300);
  return (await response.json()) as Record<string, unknown>;
}

const create = (key: string, url = service.url, token?: string) =>
  post(url, '/api/bank/v1/Vault', { key, event: 'open' }, token);

async function signIn(page: Page, token: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('API key or JSON Web Token').fill(token);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('what needs a person (S6.3, S5.4)', () => {
  it('stands first, says why, and is mended by its button', async () => {
    yard.shelf.failures.set('jammed', 1_000);
    await fetch(`${service.url}/api/bank/v1/Gate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'jammed', event: 'open' }),
    });
    const { page, wrong } = await open();
    await page.goto(`${service.url}/`);
    const need = page.locator('.need');
    await need.getByRole('heading', { name: 'Gate in Lifting: all attempts are used up' }).waitFor();
    await need.getByText('no room for jammed').waitFor();
    await page.locator('nav .count.bad', { hasText: '1' }).waitFor();
    expect(await hindrances(page)).toEqual([]);

    await need.getByRole('link', { name: 'Why?' }).click();
    await page.getByRole('heading', { name: 'Gate/jammed' }).waitFor();
    await page.getByRole('heading', { name: /^Stuck for/ }).waitFor();
    await page
      .locator('.need')
      .getByText(/no room for jammed/)
      .waitFor();
    expect(await hindrances(page)).toEqual([]);

    yard.shelf.failures.delete('jammed');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.locator('.title .badge', { hasText: 'Open' }).waitFor();
    // At rest too, it names the worker.
    await page.locator('.standing', { hasText: `Last run by ${process.pid}@` }).waitFor();
    await page.goto(`${service.url}/#/`);
    await page.getByText('Nothing needs you.').waitFor();
    expect(wrong).toEqual([]);
  });
});

describe('deployed versions (Q2)', () => {
  it('stand on the first view with the rollout that is under way, for who may see what runs of all tenants', async () => {
    const since = Date.now() - 90_000;
    const builds: BuildStatus[] = [
      { build: 'old-build', role: 'current', running: 30, served: true },
      {
        build: 'new-build',
        role: 'ramping',
        percent: 10,
        running: 10,
        served: true,
        note: { state: 'rolling', since, by: 'ada@ops-1' },
      },
      { build: 'lost-build', role: 'old', running: 1, served: false },
      { build: 'done-build', role: 'old', running: 0, served: false },
      { build: 'fresh-build', role: 'new', running: 0, served: true },
    ];
    const rolling = await yard.serve({
      authenticator: tokens,
      rollout: async () => ({ deployment: 'bank', builds, unversioned: 2 }),
    });
    const { page, wrong } = await open([401], rolling.url);
    await page.goto(`${rolling.url}/`);
    await signIn(page, 'reader@*');
    const shown = page.locator('.builds');
    await shown.getByRole('heading', { name: 'Builds of bank' }).waitFor();
    const line = (build: string) => shown.locator('li', { hasText: build });
    await line('old-build').getByText('new executions begin on it').waitFor();
    await line('new-build').getByText('10 of 43 workflows').waitFor();
    await line('new-build')
      .getByText(/its rollout began/)
      .waitFor();
    expect(await line('new-build').getByRole('progressbar').getAttribute('max')).toBe('43');
    await line('new-build')
      .getByText(/by ada@ops-1$/)
      .waitFor();
    // It is the service that tells what can be rolled back.
    await shown.getByText('npx reeve rollout undo new-build').waitFor();
    await shown.getByText('npx reeve replay --open 200').waitFor();
    expect(await shown.getByRole('button', { name: 'Copy: the command' }).count()).toBeGreaterThan(0);
    await line('lost-build').getByText('No worker serves it').waitFor();
    await line('done-build').getByText('drained: its workers can be stopped').waitFor();
    await line('fresh-build').getByText('never rolled out').waitFor();
    await line('without builds').getByText('2 workflows').waitFor();
    expect(await hindrances(page)).toEqual([]);
    expect(wrong).toEqual([]);

    // Anyone who asks for one tenant is not told how much runs of all of them.
    const other = await open([401], rolling.url);
    await other.page.goto(`${rolling.url}/`);
    await signIn(other.page, 'reader@acme');
    await other.page.getByRole('heading', { name: 'Everything else' }).waitFor();
    await other.page.locator('.figure').first().waitFor();
    expect(await other.page.locator('.builds').count()).toBe(0);
    expect(other.wrong).toEqual([]);
  });

  it('are nowhere where workers have no builds', async () => {
    const { client } = yard.environment;
    const routing = new BuildRouting(client, 'nobody');
    const plain = await yard.serve({ rollout: () => readStatus(client, routing, DEFAULT_TASK_QUEUE) });
    const answered = await fetch(`${plain.url}/api/rollout`);
    expect(await answered.json()).toMatchObject({ deployment: 'nobody', builds: [] });
    const { page, wrong } = await open([], plain.url);
    await page.goto(`${plain.url}/`);
    await page.locator('.figure').first().waitFor();
    expect(await page.locator('.builds').count()).toBe(0);
    expect(wrong).toEqual([]);
  });
});

describe('distributed operations (I5, I8)', () => {
  it('are started, listed, followed live, paused, limited, and cancelled', async () => {
    yard.farm.rowMs = 50;
    const name = nameOf({ target: yard.target, type: 'sow', instance: 1 });
    const { page, wrong } = await open();
    await page.goto(`${service.url}/#/`);
    await page.getByRole('link', { name: 'Distributed' }).click();
    await page.getByRole('link', { name: 'New distributed operation' }).click();
    const form = page.getByRole('dialog', { name: 'New distributed operation' });
    await form.getByRole('button', { name: 'plough' }).click();
    expect(await form.getByLabel('crop').count()).toBe(0);
    await form.getByRole('button', { name: 'sow' }).click();
    const start = form.getByRole('button', { name: 'Start' });
    const field = (label: string) => form.locator('.field.wrong', { hasText: label });
    // The first wrong field has the focus at once: a frame later, somebody may be typing in another one.
    const focused = await page.evaluate(`(async () => {
      document.querySelector('dialog [type=submit]').click();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      return document.activeElement.name;
    })()`);
    expect(focused).toBe('target');
    await field('crop').getByText('This has to be given.').waitFor();
    await form.getByLabel('crop').fill('rye');
    await form.getByLabel(/rows/).fill('all');
    await form.getByLabel('target').fill(yard.target);
    await start.click();
    await field('rows').locator('.issue').waitFor();
    await form.getByLabel(/rows/).fill('20000');
    await form.getByLabel('target').fill('nowhere');
    await start.click();
    await field('target').getByText('nowhere').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await form.getByLabel('target').fill(yard.target);
    const command = `npx reeve distributed start sow ${yard.target} --params '{"crop":"rye","rows":20000}'`;
    expect(await form.locator('.commands').textContent()).toContain(command);
    await start.click();
    await page.getByRole('heading', { name: `sow 1 on ${yard.target}` }).waitFor();
    await page.getByRole('link', { name: 'Distributed operations' }).click();
    await page.getByRole('link', { name: 'sow 1' }).click();
    await page.getByRole('heading', { name: `sow 1 on ${yard.target}` }).waitFor();
    const badge = (word: string) => page.locator('.title .badge', { hasText: word }).waitFor();
    await badge('running');
    await page
      .locator('.lines')
      .getByText(/at partition \d/)
      .first()
      .waitFor();
    expect(await hindrances(page)).toEqual([]);

    const act = async (button: string) => {
      await page.getByRole('button', { name: button, exact: true }).click();
      return page.getByRole('dialog');
    };
    const pause = await act('Pause');
    expect(await pause.locator('.commands').textContent()).toContain(`npx reeve distributed pause ${name}`);
    await pause.getByRole('button', { name: 'Pause' }).click();
    await badge('paused');
    const limit = await act('Limit');
    await limit.getByLabel(/jobs at once/).fill('0');
    await limit.getByRole('button', { name: 'Limit' }).click();
    await limit.locator('.field.wrong .issue').waitFor();
    await limit.getByLabel(/jobs at once/).fill('2');
    await limit.getByRole('button', { name: 'Limit' }).click();
    await page.getByText('run now, at most 2').waitFor();
    await (await act('Resume')).getByRole('button', { name: 'Resume' }).click();
    await badge('running');
    // The lists offer the cancel as well.
    await page.goto(`${service.url}/#/distributed`);
    await page.getByRole('button', { name: 'Cancel the operation' }).click();
    const listed = page.getByRole('dialog', { name: `Cancel sow on ${yard.target}` });
    expect(await listed.locator('.commands').textContent()).toContain('npx reeve distributed cancel');
    await listed.getByRole('button', { name: 'Back' }).click();
    await page.goto(`${service.url}/#/operations`);
    await page.getByRole('button', { name: `Cancel sow distributed/${yard.target}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
    await page.goto(`${service.url}/#/distributed/${encodeURIComponent(name)}`);
    const cancel = await act('Cancel the operation');
    await cancel.getByLabel(/reason/).fill('It rains.');
    await cancel.getByLabel(/To continue, type/).fill('sow');
    await cancel.getByRole('button', { name: 'Cancel the operation' }).click();
    await badge('canceled');
    // The page hears of the end before the request that asked for it is answered.
    await cancel.waitFor({ state: 'detached' });
    await page.getByText('It rains.').waitFor();
    expect(await page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0);
    expect(await hindrances(page)).toEqual([]);
    // A value that is refused at the field is an answer of 400.
    expect(wrong.filter((each) => !each.includes('status of 400'))).toEqual([]);
    yard.farm.rowMs = 0;
  });
});

describe('the jobs of a distributed operation (I1, I5)', () => {
  it('show what they wait for, and a person can retry and move them', async () => {
    const { farm, reeve, target } = yard;
    farm.held = true;
    farm.gates.set(1, 4711);
    farm.stuck.set(2, 1);
    farm.postponed.set(2, 'The tractor is in the workshop.');
    farm.postponed.set(4, 'The seed has not come.');
    const ref = await reeve.distributed.start('sow', target, { crop: 'wheat' }, { atOnce: 8 });
    const name = nameOf(ref);
    const { page, wrong } = await open([400]);
    await page.goto(`${service.url}/#/distributed/${encodeURIComponent(name)}`);
    await page.getByRole('heading', { name: 'Jobs that wait' }).waitFor();
    await page.getByText('The gate is locked. Held by pid 4711.').waitFor();
    await page.getByText('The tractor is in the workshop.').waitFor();
    await page.getByText('1 attempt', { exact: true }).waitFor();
    // A job that has postponed itself is not retried.
    await page.locator('[aria-labelledby=blocked-title]').getByText('The seed has not come.').waitFor();
    expect(await page.getByText('0 attempts').count()).toBe(0);
    farm.postponed.set(2, 'The tractor has no fuel.');
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry a job' }).click();
    const retry = page.getByRole('dialog');
    await retry.getByLabel(/partition/).fill('2');
    expect(await retry.locator('.commands').textContent()).toContain(`npx reeve distributed retry ${name} 2`);
    await retry.getByRole('button', { name: 'Retry a job' }).click();
    await retry.waitFor({ state: 'detached' });
    await page.getByText('The tractor has no fuel.').waitFor();
    await page.getByRole('button', { name: 'Move a job' }).click();
    const move = page.getByRole('dialog');
    await move.getByLabel(/partition/).fill('3');
    await move.getByLabel(/place/).fill('mars');
    await move.getByRole('button', { name: 'Move a job' }).click();
    await move.getByText(/There is no place 'mars'/).waitFor();
    // A lock that is held for long is on the first view, with the cancel.
    const locked = { kind: 'distributed', name, operation: null, state: null, since: new Date().toISOString() };
    const words = { reason: 'lock', cause: 'sow: waits for a lock', message: 'The gate is locked.', fix: 'cancel' };
    const advice = { what_to_do: 'End it.', command: `reeve distributed show ${name}`, error: null };
    const items = [{ ...locked, ...words, ...advice }];
    const attention = { at: locked.since, items, workers: null, partial: [] };
    await page.route('**/api/attention', (route) => route.fulfill({ json: attention }));
    await page.goto(`${service.url}/#/`);
    await page.locator('.need').getByRole('button', { name: 'Cancel the operation' }).click();
    const cancel = page.getByRole('dialog', { name: `Cancel sow on ${target}` });
    await cancel.getByLabel(/To continue, type/).fill('sow');
    await cancel.getByRole('button', { name: 'Cancel the operation' }).click();
    await cancel.waitFor({ state: 'detached' });
    farm.gates.clear();
    farm.postponed.clear();
    farm.held = false;
    expect(await reeve.distributed.result(ref)).toMatchObject({ outcome: 'cancelled' });
    expect(wrong).toEqual([]);
  });
});

describe('deployments (W1, W4)', () => {
  it('are started, listed, shown as their trees, live, and ended', async () => {
    const { page, wrong } = await open([400]);
    await page.goto(`${service.url}/#/deployments`);
    await page.getByRole('link', { name: 'New deployment' }).click();
    const form = page.getByRole('dialog', { name: 'New deployment' });
    await form.getByRole('button', { name: 'Lamp' }).click();
    await form.getByLabel('name').fill('hall');
    await form.getByLabel(/colour/).fill('a colour that no lamp has');
    await form.getByRole('button', { name: 'Deploy' }).click();
    await form.locator('.field.wrong', { hasText: 'colour' }).locator('.issue').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await form.getByLabel(/colour/).fill('red');
    expect(await form.locator('.commands').textContent()).toContain(
      `npx reeve deploy Lamp hall --params '{"colour":"red"}'`,
    );
    await form.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('heading', { name: 'hall' }).waitFor();
    await page.goto(`${service.url}/#/deployments`);
    await page.getByRole('link', { name: 'hall' }).click();
    await page.locator('.tree').getByText('counter').first().waitFor();
    await page
      .locator('.tree')
      .getByText(/has 0 of 2 events/)
      .first()
      .waitFor();
    expect(await hindrances(page)).toEqual([]);
    await post(service.url, '/api/deployments/hall/events', { path: 'running/counter', event: { press: 1 } });
    await page.getByRole('button', { name: 'End' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/description/).fill('The hall closes.');
    await dialog.getByLabel(/To continue, type/).fill('hall');
    await dialog.getByRole('button', { name: 'End it' }).click();
    await page.locator('.title .badge', { hasText: 'ended' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('ha');
    await page.getByRole('option', { name: /hall.*deployment/ }).waitFor();
    expect(wrong).toEqual([]);
  });
});

describe('many at once (S6.1)', () => {
  it('an event is raised on many: so many a second, with the outcome of each, until somebody stops', async () => {
    for (const key of ['row-1', 'row-2', 'row-3']) await create(key);
    await post(service.url, '/api/bank/v1/Vault/row-3/remove', {});
    await until(async () => {
      const filter = encodeURIComponent("startswith(key,'row-') and state eq 'Open'");
      const found = await fetch(`${service.url}/api/entities?$filter=${filter}`);
      expect(((await found.json()) as { value: object[] }).value).toHaveLength(2);
    });
    const { page, wrong } = await open([409]);
    await page.goto(`${service.url}/#/entities/Vault?state=Open`);
    await page.getByRole('link', { name: 'An event for all of these' }).click();
    await page.getByRole('heading', { name: 'An event for each Vault in Open' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('button', { name: 'touch', exact: true }).click();
    await page.getByLabel('in a second').fill('100');
    await page.getByRole('button', { name: /^touch on \d+ × Vault$/ }).click();
    await page.locator('.lines li', { hasText: 'row-1' }).getByText('success').waitFor();
    await page.locator('.lines li', { hasText: 'row-2' }).getByText('success').waitFor();
    await page.getByText(/[2-9] accepted, 0 rejected\./).waitFor();
    expect(await page.locator('.lines').getByText('row-3').count()).toBe(0);
    expect(await hindrances(page)).toEqual([]);

    // Another event: stopped after the first, the others are left alone.
    await page.goto(`${service.url}/#/many/Vault?state=Open&event=unseal`);
    await page.getByLabel('in a second').fill('0.01');
    await page.getByRole('button', { name: /^unseal on/ }).click();
    await page.getByText('1 rejected').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/0 accepted, 1 rejected, \d left alone\./).waitFor();
    expect(wrong).toEqual([]);
  });

  it('eight tabs agree on what is', async () => {
    await create('shared');
    const context = await browser.newContext();
    const tabs = await Promise.all(Array.from({ length: 8 }, () => context.newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`${service.url}/#/entities/Vault/shared`)));
    const shows = (touched: number) =>
      Promise.all(
        tabs.map((tab) => tab.locator('.facts div', { hasText: 'touched' }).getByText(`${touched}`).waitFor()),
      );
    await shows(0);
    for (const touched of [1, 2, 3]) {
      await post(service.url, '/api/bank/v1/Vault/shared/touch', {});
      await shows(touched);
    }
    await context.close();
  });

  it('all entities are one list, filtered and sorted by its columns, and found again where it was left', async () => {
    for (const key of ['line-1', 'line-2', 'line-3', 'line-4']) await create(key);
    const { page, wrong } = await openPage(browser, service.url, {
      ...{ expected: [404], viewport: { width: 1_280, height: 300 } },
    });
    await page.goto(`${service.url}/#/`);
    await page.locator('.figure', { hasText: 'in an error state' }).click();
    await page.getByText('There are none.').waitFor();
    expect(await page.title()).toBe('Entities · Reeve');
    await page.getByRole('button', { name: 'all', exact: true }).click();
    const keys = page.locator('tbody td:first-child');
    const shows = (wanted: string) => until(async () => expect((await keys.allTextContents()).join(' ')).toBe(wanted));
    await page.getByLabel('Text').fill('LINE-');
    const head = page.getByRole('columnheader', { name: 'Key' });
    await head.getByRole('button').click();
    await page.locator('th[aria-sort=ascending]', { hasText: 'Key' }).waitFor();
    await shows('line-1 line-2 line-3 line-4');
    await head.getByRole('button').click();
    await shows('line-4 line-3 line-2 line-1');
    // A part of a state finds, too, and the other columns narrow it down.
    await page.getByLabel('Text').fill('pen');
    await page.getByLabel('Type').selectOption('Vault');
    await page.getByLabel('State').selectOption('Open');
    await page.getByRole('link', { name: 'line-1' }).waitFor();
    // The text counts once its writer pauses.
    await page.locator('.commands', { hasText: 'reeve entities Vault --state Open --where' }).waitFor();
    await page.getByRole('link', { name: 'line-1' }).waitFor();
    await page.getByLabel('For', { exact: true }).selectOption('over an hour');
    await page.getByText('There are none.').waitFor();
    await page.locator('.commands', { hasText: 'reeve entities Vault --state Open --for 1h --where' }).waitFor();
    await page.getByLabel('For', { exact: true }).selectOption('at most an hour');
    await page.locator('.commands', { hasText: 'reeve entities Vault --state Open --since 1h --where' }).waitFor();
    await page.getByRole('link', { name: 'line-1' }).waitFor();
    expect(await hindrances(page)).toEqual([]);

    const far = () => page.evaluate('scrollY');
    await page.mouse.wheel(0, 60);
    await until(async () => expect(await far()).toBe(60));
    const listed = page.url();
    await page.getByRole('link', { name: 'line-4' }).click();
    await page.getByRole('heading', { name: 'Vault/line-4' }).waitFor();
    expect(await page.title()).toBe('line-4 · Vault · Reeve');
    expect(await far()).toBe(0);
    await page.goBack();
    expect(page.url()).toBe(listed);
    await until(async () => expect(await far()).toBe(60));

    // Ids begin with the time, so operations are told apart by the end.
    await page.goto(`${service.url}/#/operations`);
    const ends = page.locator('tbody .id-end');
    const end = await ends.first().textContent();
    await page.getByLabel('Text').fill(end!.slice(1));
    await until(async () => expect(await ends.allTextContents()).toEqual([end]));
    await page.locator('.operation').click();
    await until(async () => expect(await page.title()).toMatch(/^\w+ Vault\/.+ · Reeve$/));
    expect(wrong).toEqual([]);
  });

  it('says that no worker answers, and what the store knows, and goes on when there is one again', async () => {
    await create('quiet');
    await until(async () => {
      const found = await fetch(
        `${service.url}/api/entities?$filter=${encodeURIComponent("key eq 'quiet' and settled eq true")}`,
      );
      expect(((await found.json()) as { value: object[] }).value).toHaveLength(1);
    });
    const { page, wrong } = await open([503]);
    await page.goto(`${service.url}/#/entities/Vault/quiet`);
    await page.locator('.title .badge', { hasText: 'Open' }).waitFor();
    await yard.stopWorker();
    await page.reload();
    await page.getByText('No worker answers for it.').waitFor();
    await page.getByText('The valid events are not known.').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await yard.startWorker();
    await page.getByText('No worker answers for it.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'touch', exact: true }).waitFor();
    expect(wrong).toEqual([]);
  });
});

describe('for whom (S6.5)', () => {
  it("another tenant's entities are nowhere: not in counts, lists, searches and streams", async () => {
    const keyed = await yard.serve({ authenticator: tokens });
    await create('acme-safe', keyed.url, 'owner@acme');
    await create('rival-safe', keyed.url, 'owner@rival');
    const { page, wrong } = await open([401, 403, 404], keyed.url);
    await page.goto(`${keyed.url}/#/entities/Vault`);
    await signIn(page, 'owner@acme');
    await page.getByRole('link', { name: 'acme-safe' }).waitFor();
    expect(await page.getByText('rival-safe').count()).toBe(0);
    await page.locator('.title .total', { hasText: /^1$/ }).waitFor();
    await page.goto(`${keyed.url}/#/entities/Vault/rival-safe`);
    await page.getByText('There is nothing here.').waitFor();
    const about = page.getByRole('link', { name: 'About absent' });
    expect(await about.getAttribute('href')).toBe('/guide/reference/errors/absent');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('rival');
    await page.getByText('No results.').waitFor();
    expect(await page.getByText('rival-safe', { exact: true }).count()).toBeLessThanOrEqual(1);
    // Operations over partitions belong to no tenant.
    expect(await page.getByRole('link', { name: 'Distributed' }).count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  it('a visitor sees how a distributed operation is, and no button that would be refused', async () => {
    const keyed = await yard.serve({ authenticator: tokens });
    const { name } = await post(
      ...([
        keyed.url,
        '/api/distributed',
        { type: 'sow', target: yard.target, argument: { crop: 'oats' } },
        'farmer@*',
      ] as const),
    );
    const { page, wrong } = await open([401], keyed.url);
    await page.goto(`${keyed.url}/#/distributed/${encodeURIComponent(String(name))}`);
    await signIn(page, 'visitor@*');
    await page.locator('.title .badge').waitFor();
    expect(await page.locator('.steering button').count()).toBe(0);
    await page.getByRole('link', { name: 'Distributed operations' }).click();
    await page.getByRole('link', { name: 'sow' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'New distributed operation' }).count()).toBe(0);
    await page.goto(`${keyed.url}/#/start`);
    await page.getByRole('heading', { name: 'You may not start distributed operations.' }).waitFor();
    expect(wrong).toEqual([]);
  });
});

describe('the audit trail (S6.5)', () => {
  it('is filtered by caller, action, entity and time, and leaves out what only reads', async () => {
    const keyed = await yard.serve({ authenticator: tokens });
    await create('audited', keyed.url, 'owner@acme');
    const headers = { authorization: 'Bearer stranger@acme' };
    expect((await fetch(`${keyed.url}/api/bank/v1/Vault/audited`, { headers })).status).toBe(403);
    const { page, wrong } = await open([401], keyed.url);
    await page.goto(`${keyed.url}/#/audit`);
    await signIn(page, 'operator@*');
    const rows = page.locator('tbody tr');
    const shows = (...wanted: readonly RegExp[]) =>
      until(async () => {
        const texts = await rows.allTextContents();
        expect(texts).toHaveLength(wanted.length);
        for (const [index, each] of wanted.entries()) expect(texts[index]).toMatch(each);
      });
    const [created, denied] = [
      /owner of acme.*create open Vault\/audited.*allowed/,
      /stranger of acme.*read Vault\/audited.*denied/,
    ];
    const text = page.getByLabel('Text');
    for (const entity of ['AUDITED', 'vault/audited']) {
      await text.fill(entity);
      await shows(denied, created);
    }
    await page.getByRole('link', { name: 'Vault/audited' }).first().waitFor();
    await text.fill('stranger of');
    await shows(denied);
    await text.fill('audited');
    await page.getByRole('button', { name: 'denied' }).click();
    await shows(denied);
    await page.getByRole('button', { name: 'changes and denials' }).click();
    await page.getByRole('button', { name: 'last hour' }).click();
    await shows(denied, created);
    expect(await page.locator('.commands').textContent()).toContain('npx reeve audit --since 1h --where');
    expect(page.url()).toContain('when=1h');
    await text.fill('create');
    await until(async () => {
      const texts = await rows.allTextContents();
      expect(texts.filter((each) => created.test(each))).toHaveLength(1);
      expect(texts.filter((each) => !each.includes('create'))).toEqual([]);
    });
    expect(wrong).toEqual([]);
  });
});

describe('for everyone', () => {
  it('every view is fit for other senses and hands, light and dark, wide and narrow', async () => {
    await create('seen');
    const { value } = (await (await fetch(`${service.url}/api/distributed`)).json()) as { value: { name: string }[] };
    const operations = (await (
      await fetch(`${service.url}/api/operations?$top=1&$orderby=operation_id desc`)
    ).json()) as { value: { request_id: string }[] };
    const views = [
      ...[
        '',
        'fleet',
        'entities',
        'entities/Vault',
        'entities/Vault/seen',
        'create/Vault',
        'operations',
        'deployments',
        'distributed',
        'deploy',
        'start',
        'audit',
      ],
      ...['deployments/hall', `distributed/${encodeURIComponent(value[0]!.name)}`, 'nowhere', 'entities/Vault/none'],
      `operations/${operations.value[0]!.request_id}`,
    ];
    // The scheme changes colours alone, and the width where things are.
    const looks = [
      { colorScheme: 'light', width: 1_280 },
      { colorScheme: 'dark', width: 360 },
    ] as const;
    await Promise.all(
      looks.map(async ({ colorScheme, width }) => {
        const { page, wrong } = await openPage(browser, service.url, {
          ...{ expected: [404], colorScheme, viewport: { width, height: 800 } },
        });
        for (const view of views) {
          await page.goto(`${service.url}/#/${view}`);
          await page.reload();
          await page.locator('main h1, main .notice, dialog h2').first().waitFor();
          await until(async () => expect(await page.locator('.loading').count()).toBe(0));
          expect([colorScheme, width, view, await hindrances(page)]).toEqual([colorScheme, width, view, []]);
          const wider = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect([view, width, wider]).toEqual([view, width, 0]);
        }
        expect(wrong).toEqual([]);
        await page.context().close();
      }),
    );
  });

  it('an entity is created, changed and left by keyboard alone', async () => {
    const { page, wrong } = await open([404]);
    await page.goto(`${service.url}/#/`);
    await page.getByRole('list', { name: 'Dependencies' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Vault');
    await page.getByRole('option', { name: 'Vault type' }).waitFor();
    // A choice by an arrow key stays when more results come.
    for (let step = 0; step < 20; step++) {
      await page.keyboard.press('ArrowDown');
      const chosen = await page.locator('[role=option][aria-selected=true]').textContent();
      if (chosen === 'Vaulttype') break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Vault', exact: true }).waitFor();
    await tabTo(page, 'New Vault');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New Vault' }).waitFor();
    await page.keyboard.type('by-hand');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Vault/by-hand' }).waitFor();
    await page.locator('.title .badge', { hasText: 'Open' }).waitFor();
    await tabTo(page, 'touch', 10);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'touch');
    await page.keyboard.press('Enter');
    await page.locator('.facts div', { hasText: 'touched' }).getByText('1').waitFor();
    await tabTo(page, 'touch');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(wrong).toEqual([]);
  });
});

/** Goes on with the Tab key until that has the focus which says this. */
async function tabTo(page: Page, text: string, most = 80): Promise<void> {
  for (let step = 0; step < most; step++) {
    await page.keyboard.press('Tab');
    // Whatever has the focus shows it by its frame.
    expect(await page.evaluate(FRAME_OF_FOCUS)).toMatch(/^(solid [1-9]|nothing)/);
    if ((await page.evaluate('document.activeElement?.textContent')) === text) return;
  }
  throw new Error(`The Tab key does not reach '${text}'.`);
}

/** Runs in the browser, where this program has no types. */
const FRAME_OF_FOCUS = `(({ activeElement }) => {
  if (activeElement === document.body) return 'nothing has it';
  const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
  return outlineStyle + ' ' + outlineWidth + ' ' + activeElement.outerHTML;
})(document)`;
