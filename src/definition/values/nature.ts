import { defOf, isCodec, partsOf, type AnySchema } from './schema-parts.js';

/** Tells what a schema does to values. */
interface Nature {
  /** It has a codec in it: what code sees is decoded, what is stored is encoded. */
  readonly codec: boolean;
  /** It has a transform in it, which nothing can undo. */
  readonly transform: boolean;
  /** Only a trial can say what it does: it has code of its author in it. */
  readonly unsure: boolean;
}

const natures = new WeakMap<AnySchema, Nature>();

export function natureOf(schema: AnySchema): Nature {
  const known = natures.get(schema);
  if (known) return known;
  const found = { codec: false, transform: false, unsure: false };
  collect(schema, new Set(), found);
  natures.set(schema, found);
  return found;
}

function collect(schema: AnySchema, seen: Set<AnySchema>, found: { -readonly [N in keyof Nature]: boolean }): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { type, checks = [] } = defOf(schema);
  if (isCodec(schema)) found.codec = true;
  if (type === 'transform' || type === 'success') found.transform = true;
  const hasCode = type === 'transform' || type === 'success' || type === 'custom' || type === 'catch';
  if (hasCode || isCodec(schema) || checks.some(isCode)) found.unsure = true;
  for (const part of partsOf(schema)) collect(part, seen, found);
}

/** Tells whether a check is code: a refinement, or one that overwrites the value. */
function isCode({ _zod: { def } }: { readonly _zod: { readonly def: { readonly check: string } } }): boolean {
  return def.check === 'custom' || def.check === 'overwrite';
}
