import { fileURLToPath } from 'node:url';

/** Where the build puts the files of the web page, and the diagrams of the control plane. */
export const PAGE_FOLDER = fileURLToPath(new URL('../page', import.meta.url));
export const DIAGRAMS_FOLDER = fileURLToPath(new URL('../diagrams', import.meta.url));
