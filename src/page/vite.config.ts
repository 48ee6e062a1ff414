import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the page for the service, which serves it at `/`. Nothing in it may be inline, and nothing comes from elsewhere. */
export default defineConfig({
  root: folder('.'),
  publicDir: folder('public'),
  logLevel: 'warn',
  // The words of explanations are those of the command line, without the colours of a terminal.
  resolve: { alias: [{ find: '../colours.js', replacement: folder('parts/no-colours.ts') }] },
  build: {
    outDir: folder('../../dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
});
