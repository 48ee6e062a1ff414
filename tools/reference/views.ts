import { READER_ROLE, VIEWS } from '../../src/store/names.js';
import { ALL_VIEWS } from '../../src/store/views/index.js';
import { code, made, table, type Section } from './page.js';
import { COLUMN_TEXTS, VIEW_TEXTS } from './view-texts.js';

const TEXTS = 'tools/reference/view-texts.ts';

/** The page of the views of the store, with their columns. */
export function viewPages(): Section {
  const text = [
    '# Views and columns',
    made('src/store/views'),
    `The store has its history in views of the schema \`${VIEWS}\`. Read them with any PostgreSQL client and the role \`${READER_ROLE}\`, with ` +
      'the lists of the command line, or over HTTP with OData. The tables behind them may change from version to version.',
    'Views with dimensions have one more column for each dimension of your declarations.',
    table(
      ['view', ''],
      ALL_VIEWS.map(({ name }) => [`[\`${name}\`](#${name})`, VIEW_TEXTS[name] ?? '']),
    ),
    ...ALL_VIEWS.flatMap((view) => [
      `## ${view.name}`,
      VIEW_TEXTS[view.name] ?? '',
      `Its key is ${view.key.map((each) => code(each)).join(', ')}.${'dimensions' in view ? ' It has a column for each dimension.' : ''}`,
      table(
        ['column', 'type', ''],
        Object.entries(view.columns).map(([name, { kind, nullable }]) => [
          code(name),
          nullable ? `${kind} or null` : kind,
          COLUMN_TEXTS[name] ?? '',
        ]),
      ),
    ]),
  ].join('\n\n');
  return {
    title: 'Views and columns',
    about: 'Every view of the store that you can query, with its columns.',
    start: 'views.md',
    pages: [{ path: 'views.md', text }],
  };
}

/** Each view and column without a text, and each text without a view or column. */
export function strayColumns(
  views: readonly View[] = ALL_VIEWS,
  viewTexts = VIEW_TEXTS,
  columnTexts = COLUMN_TEXTS,
): readonly string[] {
  return [
    ...differing('view', new Set(views.map(({ name }) => name)), new Set(Object.keys(viewTexts))),
    ...differing(
      'column',
      new Set(views.flatMap(({ columns }) => Object.keys(columns))),
      new Set(Object.keys(columnTexts)),
    ),
  ];
}

interface View {
  readonly name: string;
  readonly columns: object;
}

function differing(what: string, has: ReadonlySet<string>, told: ReadonlySet<string>): readonly string[] {
  return [
    ...[...has]
      .filter((name) => !told.has(name))
      .map((name) => `${TEXTS}: the ${what} '${name}' has no text: add one.`),
    ...[...told].filter((name) => !has.has(name)).map((name) => `${TEXTS}: there is no ${what} '${name}': remove it.`),
  ];
}
