import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from './browser.js';
import { commandOptions } from './command-options.js';

const HELP = `npm run page:pictures -- [--out FOLDER] [--all]

Takes pictures of the web page while 'npm start' is up. REEVE_API_PORT is the port of the management service (default: 8234).

  --out FOLDER   put them here (default: docs/page)
  --all          each view, light and dark, at three widths; otherwise those of the docs`;

/** Enough for a view to be still once it has read what it shows. */
const SETTLES_MS = 1_200;
const SHOWN = [
  { view: 'entity', scheme: 'light', width: 1280 },
  { view: 'operation', scheme: 'light', width: 1280 },
  { view: 'type', scheme: 'dark', width: 1280, as: 'fleet' },
  { view: 'needs-you', scheme: 'light', width: 1280 },
  { view: 'distributed', scheme: 'dark', width: 1280 },
] as const;

const { values } = commandOptions(HELP, {
  out: { type: 'string', default: 'docs/page' },
  all: { type: 'boolean', default: false },
});
const url = `http://127.0.0.1:${process.env['REEVE_API_PORT'] ?? 8234}`;

interface Listed {
  readonly value: readonly Readonly<Record<string, string>>[];
}

const rows = async (path: string) => ((await (await fetch(url + path)).json()) as Listed).value;
const first = async (path: string) => (await rows(path))[0] ?? {};
const { key = 'demo' } = await first('/api/control-plane/v1/LogicalServer?$top=1');
const { request_id: operation = '' } = await first(
  `/api/operations?$filter=name eq 'create LogicalServer/${key}'&$top=1`,
);
const [{ name: distributed = '' } = {}] = await rows('/api/distributed');
const { name: deployment = '' } = await first('/api/deployments?$orderby=start_time desc&$top=1');
const VIEWS: Readonly<Record<string, string>> = {
  'needs-you': '#/',
  fleet: '#/fleet',
  type: '#/entities/LogicalServer?period=24h',
  create: '#/create/LogicalServer',
  entity: `#/entities/LogicalServer/${key}`,
  operations: '#/operations',
  operation: `#/operations/${operation}`,
  many: '#/many/LogicalServer?event=setFirewallRule',
  deployments: '#/deployments',
  deployment: `#/deployments/${encodeURIComponent(deployment)}`,
  'distributed-list': '#/distributed',
  distributed: `#/distributed/${encodeURIComponent(distributed)}`,
  audit: '#/audit',
};
const all = Object.keys(VIEWS).flatMap((view) =>
  (['light', 'dark'] as const).flatMap((scheme) => [360, 1280, 1920].map((width) => ({ view, scheme, width }))),
);

await mkdir(values.out, { recursive: true });
const browser = await openBrowser();
for (const picture of values.all ? all : SHOWN) {
  const { view, scheme, width } = picture;
  const height = width < 500 ? 780 : width > 1500 ? 1080 : 860;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  await page.goto(`${url}/${VIEWS[view]!}`);
  await page.locator('main h1').first().waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(SETTLES_MS);
  const name = values.all ? `${view}-${width}-${scheme}` : `${'as' in picture ? picture.as : view}-${scheme}`;
  await page.screenshot({ path: join(values.out, `${name}.png`) });
  console.log(`${name}.png`);
  await page.close();
}
await browser.close();
