import chromium from '@sparticuz/chromium';
import { chromium as engine, type Browser } from 'playwright-core';

/** Opens a real browser without a window: that of the package, or the one that `CHROMIUM_PATH` names. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath());
  return engine.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
