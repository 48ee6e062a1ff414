import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export { openBrowser } from '../../tools/browser.js';

/** A page of the browser that notes whatever must never happen. */
export interface GuardedPage {
  readonly page: Page;
  /** Errors of the console and of scripts, violations of the content policy, and requests to elsewhere. */
  readonly wrong: string[];
}

/**
 * Opens a page at the address of a service, until the test ends: one that is open goes on to ask and to draw.
 * @param expected the console tells of each failed request as of an error; those with these statuses are meant to fail
 */
export async function openPage(
  browser: Browser,
  url: string,
  { expected = [], ...options }: BrowserContextOptions & { readonly expected?: readonly number[] } = {},
): Promise<GuardedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(async () => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const wrong: string[] = [];
  const isExpected = (text: string) => expected.some((status) => text.includes(`status of ${status}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text())) wrong.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) wrong.push(`request elsewhere: ${request.url()}`);
  });
  await page.addInitScript({ content: TELL_VIOLATIONS });
  return { page, wrong };
}

/** Runs in the browser, where this program has no types. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('content policy: ' + violatedDirective + ' ' + blockedURI));`;

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists what keeps people with other senses or hands from using what the page shows now. */
export async function hindrances(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}
