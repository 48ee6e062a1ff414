import chromium from '@sparticuz/chromium';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium as engine, type Browser } from 'playwright-core';
import { cacheFolder } from '../src/stack/cache.js';
import { writeFileAtomically } from '../src/stack/files.js';

/** Opens a real browser without a window: that of the package, or the one that `CHROMIUM_PATH` names. */
export async function openBrowser(): Promise<Browser> {
  const own = process.env['CHROMIUM_PATH'];
  const { executablePath, fonts } = own === undefined ? await unpackedBrowser() : { executablePath: own, fonts: {} };
  return engine.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], env: { ...process.env, ...fonts } });
}

interface UnpackedBrowser {
  readonly executablePath: string;
  /** The environment in which it finds its fonts. */
  readonly fonts: Readonly<Record<string, string>>;
}

/**
 * The browser of the package, unpacked into the user's cache. The package itself unpacks it into the folder for temporary files, where
 * it belongs to whoever came first, and where a second process finds it half done.
 */
async function unpackedBrowser(): Promise<UnpackedBrowser> {
  const folder = join(cacheFolder(), 'chromium', chromiumVersion());
  if (!existsSync(folder)) {
    await mkdir(join(cacheFolder(), 'chromium'), { recursive: true });
    const fresh = await mkdtemp(`${folder}-`);
    await withTemporaryFolder(fresh, () => chromium.executablePath());
    // Somebody else may have been sooner.
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  }
  return { executablePath: join(folder, 'chromium'), fonts: await fontsIn(join(folder, 'fonts')) };
}

/**
 * Lets the browser find the fonts of the package in this folder. Its own settings name only folders of other machines, and without
 * any font text has no size, so that nothing is ever visible.
 */
async function fontsIn(folder: string): Promise<UnpackedBrowser['fonts']> {
  const settings = join(folder, 'here.conf');
  if (!existsSync(settings)) {
    const places = `<dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir>`;
    await writeFileAtomically(settings, `<?xml version="1.0"?>\n<fontconfig>${places}</fontconfig>\n`);
  }
  return { FONTCONFIG_PATH: folder, FONTCONFIG_FILE: settings };
}

async function withTemporaryFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

function chromiumVersion(): string {
  // The package tells others no path but its own.
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8')) as PackageFile;
  return version;
}

interface PackageFile {
  readonly version: string;
}
