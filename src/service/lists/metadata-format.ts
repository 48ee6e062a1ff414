import { ODataError } from '../odata/index.js';
import { ProblemError } from '../problem.js';

/** The forms in which `$metadata` is served. The one that most clients read comes first. S6.2 */
export const FORMATS = { xml: 'application/xml', json: 'application/json' } as const;
export type MetadataFormat = keyof typeof FORMATS;

interface Range {
  readonly type: string;
  readonly quality: number;
}

/**
 * The form that a request asks for, by `$format` or else by `Accept`. It is XML where the request does not say.
 * @throws ODataError for another `$format`; ProblemError 406
 */
export function metadataFormat(format: string | undefined, accept: string | undefined): MetadataFormat {
  if (format !== undefined) {
    const [type = ''] = format.toLowerCase().split(';');
    const found = formats().find((name) => type === name || type === FORMATS[name]);
    if (found) return found;
    throw new ODataError('unsupported', '$format', 1, 'it can be xml or json');
  }
  const ranges = (accept ?? '*/*').split(',').map(rangeOf);
  const [best] = formats()
    .map((name) => ({ name, quality: qualityOf(FORMATS[name], ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  if (best) return best.name;
  const message = `$metadata has the formats ${Object.values(FORMATS).join(' and ')}, but Accept asks for ${accept}.`;
  throw new ProblemError('not_acceptable', message);
}

function formats(): readonly MetadataFormat[] {
  return ['xml', 'json'];
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.toLowerCase().split(';');
  const quality = parameters.map((each) => /^\s*q\s*=\s*([\d.]{1,5})\s*$/.exec(each)?.[1]).find((each) => each);
  return { type: type.trim(), quality: quality === undefined ? 1 : Number(quality) };
}

/** The quality of a type by the most specific range: the type itself, all of its kind, or anything. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.find((range) => range.type === wanted);
    if (found) return found.quality;
  }
  return 0;
}
