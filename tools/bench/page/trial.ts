/*
 * Measures the web page in a real browser: over a store with many entities, with the whole way of a change to the screen, and with
 * an operation that has reached many entities. S6.3
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import type { Browser, Page } from 'playwright-core';
import { createApplication } from '../../../src/service/application.js';
import { startService } from '../../../src/service/server.js';
import { serviceStore } from '../../../src/service/service-store.js';
import { dimensionNames } from '../../../src/definition/dimension-names.js';
import { openStore, type Store } from '../../../src/store/index.js';
import { createPool } from '../../../src/store/pool.js';
import { writeOffered } from '../../../src/store/writing/write-records.js';
import type { StoreRecord } from '../../../src/protocol/records.js';
import { controlPlaneModule } from '../../../workflows/definitions.js';
import { openBrowser } from '../../browser.js';
import { past } from '../../store/past.js';
import { Valve } from '../entities/valve.js';
import { Plant } from '../entities/plant.js';
import type { Rig } from '../rig.js';
import { median, quantile } from '../statistics.js';
import { largeOperation } from './large-operation.js';
import { figure, type PageFigure } from './table.js';

export interface PageTrial {
  /** Entities in the store. */
  readonly entities: number;
  /** Entities that the large operation has reached. */
  readonly reached: number;
  /** How often each is measured. */
  readonly visits: number;
  readonly changes: number;
}

export const FULL_PAGE: PageTrial = { entities: 100_000, reached: 1_000, visits: 10, changes: 60 };
export const QUICK_PAGE: PageTrial = { entities: 2_000, reached: 1_000, visits: 3, changes: 10 };

const BUILT = fileURLToPath(new URL('../../../', import.meta.url));
const KB = 1_024;
const BATCH = 4_000;
const OPERATION = 'large-operation';
const VALVE = 'watched';
const SCROLLS_MS = 3_000;

export async function measurePage(
  rig: Rig,
  trial: PageTrial,
  report: (line: string) => void,
): Promise<readonly PageFigure[]> {
  const modules = [controlPlaneModule, { name: 'bench', version: 1, entities: [Valve, Plant] }];
  const dimensions = dimensionNames(modules.flatMap(({ entities }) => entities));
  const store = openStore({ url: rig.databaseUrl, dimensions, warn: report });
  // The views have a column for each dimension.
  await store.migrate();
  report(`fills a store with ${trial.entities} entities`);
  await fill(rig.databaseUrl, trial);
  const application = createApplication({
    ...{ reeve: rig.reeve.reeve, store: serviceStore(store), log: pino({ level: 'silent' }) },
    modules,
    ...{ page: join(BUILT, 'page'), diagrams: join(BUILT, 'diagrams') },
  });
  const service = await startService(application, { graceMs: 100 });
  const browser = await openBrowser();
  try {
    return [
      figure('scripts of the page, compressed', 'KB', scriptBytes() / KB, { atMost: 80 }),
      ...(await firstSight(browser, service.url, store, trial, report)),
      ...(await changes(browser, service.url, rig, trial, report)),
      ...(await large(browser, service.url, trial, report)),
    ];
  } finally {
    await browser.close();
    await service.stop();
    await store.close();
  }
}

/** Writes what has happened to many entities, and one large operation. */
async function fill(url: string, { entities, reached }: PageTrial): Promise<void> {
  const until = Date.now();
  const pool = createPool({ url, connections: 1, name: 'reeve bench', begin: 'set synchronous_commit = off' });
  const write = (records: readonly StoreRecord[]) =>
    writeOffered(pool, [...records], (table, row, reason) => {
      throw new Error(`The store rejects a row of ${table}: ${reason}. The row is ${JSON.stringify(row)}`);
    });
  let waiting: StoreRecord[] = [];
  for (const records of past({ entities, transitions: entities * 2, days: 2, until })) {
    waiting.push(...records);
    if (waiting.length < BATCH) continue;
    await write(waiting);
    waiting = [];
  }
  await write(waiting);
  await write(largeOperation(OPERATION, reached, until - 60_000));
  await pool.query('vacuum analyze');
  await pool.end();
}

function scriptBytes(): number {
  const folder = join(BUILT, 'page', 'assets');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
}

/** How long it takes until something is seen, and until the numbers are; and whether they are right. */
async function firstSight(
  browser: Browser,
  url: string,
  store: Store,
  { visits }: PageTrial,
  report: (line: string) => void,
): Promise<readonly PageFigure[]> {
  report('opens the fleet');
  const rows = await store.reader
    .selectFrom('entities')
    .select(({ fn }) => ['type', fn.countAll<string>().as('count')])
    .where('deleted', '=', false)
    .groupBy('type')
    .execute();
  const right = new Map(rows.map(({ type, count }) => [type, Number(count)]));
  const [paints, counted]: [number[], number[]] = [[], []];
  let wrong = 0;
  for (let visit = 0; visit < visits; visit++) {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${url}/#/fleet`);
    await page.locator('.type .total', { hasText: /^\d+$/ }).first().waitFor();
    counted.push(await page.evaluate<number>('performance.now()'));
    paints.push(
      await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`),
    );
    for (const card of await page.locator('.type').all()) {
      const type = (await card.locator('h2').textContent()) ?? '';
      const shown = Number(await card.locator('.total').textContent());
      if (shown !== (right.get(type) ?? 0)) wrong++;
    }
    await context.close();
  }
  return [
    figure('first paint of the fleet', 'ms', median(paints), { atMost: 500 }),
    figure('the counts of all entities are seen', 'ms', median(counted)),
    figure('counts that are not exact', '', wrong, { atMost: 0 }),
  ];
}

/** How long it takes from the answer to an event until the page shows what has changed. */
async function changes(
  browser: Browser,
  url: string,
  { reeve }: Rig,
  { changes: count }: PageTrial,
  report: (line: string) => void,
): Promise<readonly PageFigure[]> {
  report('changes an entity that is looked at');
  await reeve.create(VALVE);
  const page = await browser.newPage();
  await page.goto(`${url}/#/entities/Valve/${VALVE}`);
  const value = page.locator('.facts div', { hasText: 'value' }).locator('dd');
  await value.waitFor();
  // The page notes when its text becomes another one, by the clock that this process has too.
  await page.evaluate(`
    globalThis.seen = [];
    new MutationObserver(() => {
      const row = [...document.querySelectorAll('.facts div')].find((each) => each.firstChild.textContent === 'value');
      const text = row?.querySelector('dd')?.textContent;
      if (text !== undefined && globalThis.seen.at(-1)?.text !== text)
        requestAnimationFrame(() => globalThis.seen.push({ text, at: Date.now() }));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
  const took: number[] = [];
  for (let change = 1; change <= count; change++) {
    const taken = await reeve.reeve.raise(Valve, VALVE, 'turn', { value: change });
    await reeve.reeve.operations.result(taken);
    const at = Date.now();
    const seen = await page.waitForFunction(
      (text: string) => (globalThis as unknown as Seeing).seen.find((each) => each.text === text)?.at,
      String(change),
    );
    took.push(Math.max(0, Number(await seen.jsonValue()) - at));
  }
  await page.close();
  return [
    figure('a change is on the screen, median', 'ms', median(took)),
    figure('a change is on the screen, p95', 'ms', quantile(took, 0.95), { atMost: 300 }),
  ];
}

interface Seeing {
  readonly seen: readonly { readonly text: string; readonly at: number }[];
}

/** How long it takes to open an operation that has reached many entities, and how smoothly it scrolls. */
async function large(
  browser: Browser,
  url: string,
  { reached, visits }: PageTrial,
  report: (line: string) => void,
): Promise<readonly PageFigure[]> {
  report(`opens an operation with ${reached} entities`);
  const [opened, frames]: [number[], number[]] = [[], []];
  for (let visit = 0; visit < visits; visit++) {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${url}/#/fleet`);
    await page.locator('.type .total').first().waitFor();
    opened.push(await open(page, reached));
    frames.push(await scroll(page));
    await context.close();
  }
  return [
    figure(`an operation with ${reached} entities opens`, 'ms', median(opened), { atMost: 1_000 }),
    figure('and scrolls with frames in a second', '/s', median(frames), { atLeast: 50 }),
  ];
}

function open(page: Page, reached: number): Promise<number> {
  return page.evaluate<number, readonly [string, number]>(
    ([id, rows]) => {
      const { location, document, performance, requestAnimationFrame } = globalThis as unknown as Browsing;
      const from = performance.now();
      location.hash = `#/operations/${id}`;
      return new Promise((resolve, reject) => {
        const look = () => {
          if (performance.now() - from > 60_000) reject(new Error('The operation is not there after a minute.'));
          else if (document.querySelectorAll('.waterfall li').length < rows) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - from));
        };
        look();
      });
    },
    [OPERATION, reached],
  );
}

function scroll(page: Page): Promise<number> {
  return page.evaluate<number, number>((lasts) => {
    const { scrollBy, performance, requestAnimationFrame } = globalThis as unknown as Browsing;
    return new Promise((resolve) => {
      const from = performance.now();
      let frames = 0;
      const step = () => {
        frames++;
        scrollBy(0, 60);
        const passed = performance.now() - from;
        if (passed < lasts) requestAnimationFrame(step);
        else resolve((frames / passed) * 1_000);
      };
      requestAnimationFrame(step);
    });
  }, SCROLLS_MS);
}

/** The parts of the browser that code running in it has; this program has no types for that. */
interface Browsing {
  readonly location: { hash: string };
  readonly document: { querySelectorAll(selector: string): { readonly length: number } };
  readonly performance: { now(): number };
  scrollBy(x: number, y: number): void;
  requestAnimationFrame(run: () => void): void;
}
