import type { LevelModels } from '../lists/level-models.js';
import { ODataError, parseQuery, type Query } from '../odata/index.js';
import { ProblemError } from '../problem.js';
import { periodOf, type Period } from './period.js';

/** Which operations are summed up, and how. */
export interface SummaryQuestion extends Period {
  /** Which operations: its filter, over the columns of their list. What belongs to it was under way at some time in the period. */
  readonly query: Pick<Query, 'model' | 'filter'>;
  readonly models: LevelModels;
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

/** Reads what a request asks for. @throws ProblemError 400; ODataError */
export function questionOf(
  options: URLSearchParams,
  { levels, dimensions }: { readonly levels: LevelModels; readonly dimensions: readonly string[] },
  now: number,
): SummaryQuestion {
  refuseOthers(options, OPTIONS);
  const model = levels.operations;
  const given = ['$filter', '$top'].flatMap((name) => options.getAll(name).map((value) => [name, value] as const));
  const { filter, top = USUAL } = parseQuery(Object.fromEntries(given), model);
  return {
    query: { model, ...(filter && { filter }) },
    models: levels,
    ...periodOf(options, DEFAULTS.from, now),
    by: groupsIn(options.get('by') ?? DEFAULTS.by, dimensions),
    top: Math.min(top, MOST),
  };
}

/** @throws ODataError for an option that is not among the known ones, or is given twice */
export function refuseOthers(options: URLSearchParams, known: readonly string[]): void {
  for (const name of options.keys()) {
    if (!known.includes(name)) {
      const message = `the option is not supported; supported are ${known.join(', ')}`;
      throw new ODataError('unsupported', name, 1, message);
    }
    if (options.getAll(name).length > 1) throw new ODataError('syntax', name, 1, 'it is given twice');
  }
}

function groupsIn(text: string, dimensions: readonly string[]): readonly string[] {
  const groups = [...new Set(text.split(',').filter((each) => each !== ''))];
  const unknown = groups.find((each) => each !== NAME && !dimensions.includes(each));
  if (unknown === undefined) return groups;
  throw wrong(
    'by',
    `cannot be '${unknown}'. Write one or more of ${[NAME, ...dimensions].join(', ')}, separated by commas`,
  );
}

function wrong(path: string, message: string): ProblemError {
  return ProblemError.invalid('invalid_parameters', [{ path, message }]);
}
