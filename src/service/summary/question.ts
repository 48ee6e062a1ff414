import { parseDuration, type Duration } from '../../definition/duration.js';
import type { LevelModels } from '../lists/level-models.js';
import { ODataError, parseQuery, type Query } from '../odata/index.js';
import { ProblemError } from '../problem.js';

/** Which operations are summed up, and how. */
export interface SummaryQuestion {
  /** Which operations: its filter, over the columns of their list. */
  readonly query: Pick<Query, 'model' | 'filter'>;
  readonly models: LevelModels;
  /** What belongs to it: all that were under way at some time in it. */
  readonly from: Date;
  readonly until: Date;
  /** Whether the period lasts until now. */
  readonly lasts: boolean;
  /** `name` and dimensions. None: all operations are one group. */
  readonly by: readonly string[];
  /** The most groups. */
  readonly top: number;
}

/** Of an operation, what it does, whatever the key: `create LogicalServer`. */
export const NAME = 'name';

const OPTIONS = ['from', 'until', 'by', '$filter', '$top'];
const DEFAULTS = { from: '24h', by: NAME };
/** The groups that are told unless another number is asked for, and the most. */
const USUAL = 100;
const MOST = 1_000;

/** What a request asks for. @throws ProblemError 400; ODataError */
export function questionOf(
  options: URLSearchParams,
  { levels, dimensions }: { readonly levels: LevelModels; readonly dimensions: readonly string[] },
  now: number,
): SummaryQuestion {
  refuseOthers(options);
  const model = levels.operations;
  const given = ['$filter', '$top'].flatMap((name) => options.getAll(name).map((value) => [name, value] as const));
  const { filter, top = USUAL } = parseQuery(Object.fromEntries(given), model);
  const until = options.has('until') ? timeIn(options, 'until', now) : now;
  const from = timeIn(options, 'from', now);
  if (from >= until) throw wrong('from', 'the period ends before it begins');
  return {
    query: { model, ...(filter && { filter }) },
    models: levels,
    from: new Date(from),
    until: new Date(until),
    lasts: until >= now,
    by: groupsIn(options.get('by') ?? DEFAULTS.by, dimensions),
    top: Math.min(top, MOST),
  };
}

function refuseOthers(options: URLSearchParams): void {
  for (const name of options.keys()) {
    if (!OPTIONS.includes(name)) {
      const message = `the option is not supported; supported are ${OPTIONS.join(', ')}`;
      throw new ODataError('unsupported', name, 1, message);
    }
    if (options.getAll(name).length > 1) throw new ODataError('syntax', name, 1, 'it is given twice');
  }
}

/** A time, or how long ago it is: `24h`. */
function timeIn(options: URLSearchParams, name: 'from' | 'until', now: number): number {
  const text = options.get(name) ?? DEFAULTS.from;
  const ago = parseDuration(text as Duration);
  const time = ago === undefined ? timeOf(text) : now - ago;
  // Nothing that PostgreSQL takes for a time is so far away.
  if (time !== undefined && Math.abs(time) <= FARTHEST_MS) return time;
  throw wrong(name, `'${text}' is not a time: write it like 30m, 24h, 7d or 2026-11-21T14:00:00Z`);
}

/** In milliseconds: up to the year 9999. */
const FARTHEST_MS = Date.UTC(9999, 11, 31);

/** A date, or a time with its zone. */
function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function groupsIn(text: string, dimensions: readonly string[]): readonly string[] {
  const groups = [...new Set(text.split(',').filter((each) => each !== ''))];
  const unknown = groups.find((each) => each !== NAME && !dimensions.includes(each));
  if (unknown === undefined) return groups;
  throw wrong('by', `there is no '${unknown}': write ${[NAME, ...dimensions].join(', ')}, with commas between them`);
}

function wrong(path: string, message: string): ProblemError {
  return ProblemError.invalid('invalid_parameters', [{ path, message }]);
}
