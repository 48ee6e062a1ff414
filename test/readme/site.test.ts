import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import pino from 'pino';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
// @ts-expect-error plain JavaScript, which the build of the site runs
import { deadAnchors as deadAnchorsOf } from '../../docs/.vitepress/dead-anchors.mjs';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Site } from '../entities/site.js';
import { hindrances, openBrowser, openPage } from '../support/browser.js';
import { rolesAndTenants } from '../support/who.js';

const deadAnchors = deadAnchorsOf as (folder: string, base: string) => readonly string[];
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the site of the documentation, as the service serves it (S6.3)', () => {
  let guide: string;
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    guide = await mkdtemp(join(root, 'dist', 'site-'));
    const opened = openBrowser();
    const vitepress = join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
    await promisify(execFile)(process.execPath, [vitepress, 'build', 'docs', '--outDir', guide], { cwd: root });
    const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
    const application = createApplication({
      reeve: new ReeveClient({ client, entities: [Site] }),
      modules: [{ name: 'sites', version: 1, entities: [Site] }],
      ...{ log: pino({ level: 'silent' }), authenticator: rolesAndTenants, guide },
    });
    service = await startService(application, { graceMs: 100 });
    browser = await opened;
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await rm(guide, { recursive: true });
  });

  it.each(['light', 'dark'] as const)('is read and searched by its own files alone, in %s', async (colorScheme) => {
    const { page, wrong } = await openPage(browser, service.url, { colorScheme });
    await page.goto(`${service.url}/guide`);
    await page.getByRole('link', { name: 'Something is stuck' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runbook' }).waitFor();
    expect(page.url()).toBe(`${service.url}/guide/operate/stuck`);
    expect(await page.evaluate('document.documentElement.classList.contains("dark")')).toBe(colorScheme === 'dark');

    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('snapshot_too_large');
    await page.locator('.result').first().click();
    await page.getByRole('heading', { level: 1, name: 'snapshot_too_large' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'snapshot_too_large' }).waitFor();
    expect(wrong).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('hinders nobody, in %s', async (colorScheme) => {
    const { page } = await openPage(browser, service.url, { colorScheme });
    for (const path of ['start/five-minutes', 'concepts/processes', 'operate/stuck', 'reference/errors/gone']) {
      await page.goto(`${service.url}/guide/${path}`);
      // The name of the search button does not have its keys in it.
      const found = (await hindrances(page)).filter((each) => !each.startsWith('label-content-name-mismatch: '));
      expect.soft(found, path).toEqual([]);
    }
  });

  it('says that a page does not exist', async () => {
    const { page, wrong } = await openPage(browser, service.url, { expected: [404] });
    await page.goto(`${service.url}/guide/gone`);
    await page.getByText('PAGE NOT FOUND').waitFor();
    expect(wrong).toEqual([]);
  });

  it('fits a narrow screen', async () => {
    const { page, wrong } = await openPage(browser, service.url, { viewport: { width: 390, height: 844 } });
    const pages = ['', 'start/tutorial', 'concepts/event', 'guides/wait-for-others', 'operate/command-line'];
    for (const path of [...pages, 'reference/api/definition', 'background/guarantees']) {
      await page.goto(`${service.url}/guide/${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390);
    }
    expect(wrong).toEqual([]);
  });
});

it('a link of the site to no page or anchor is found', async () => {
  const folder = await mkdtemp(join(root, 'dist', 'dead-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'start'));
  const link = (href: string) => `<a class="link" href="${href}">x</a>`;
  const alive = ['/guide/', '#top', '/guide/start/five#end', '/guide/icon.svg', 'https://b.example/x']
    .map(link)
    .join('');
  await writeFile(join(folder, 'icon.svg'), '');
  await writeFile(join(folder, 'start', 'five.html'), `<h2 id="end">${link('./six')}${link('../')}</h2>`);
  await writeFile(join(folder, 'index.html'), `<h1 id="top">${alive}${link('/guide/start/five#begin')}</h1>`);
  expect(deadAnchors(folder, '/guide/')).toEqual(['/guide/: /guide/start/five#begin', '/guide/start/five: ./six']);
});
