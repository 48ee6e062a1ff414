/*
 * Loaded once for a worker, after the declarations and before any workflow. The SDK freezes what these modules export, and zod adds
 * members to a schema when it is first used: so a schema that only actions use could not be used any more.
 */
import { makeShareable } from '../definition/shareable.js';

/** All modules of the bundle by their ids, and those of them that were loaded: webpack and the SDK give them. */
declare const __webpack_modules__: object;
declare const __webpack_module_cache__: Readonly<Record<string, { readonly exports: object } | undefined>>;

for (const id of Object.keys(__webpack_modules__))
  for (const exported of Object.values(__webpack_module_cache__[id]?.exports ?? {})) makeShareable(exported);
