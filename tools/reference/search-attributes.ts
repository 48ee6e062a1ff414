import { SEARCH_ATTRIBUTES } from '../../src/protocol/names.js';
import { KEYWORD, TYPES } from '../../src/temporal/search-attributes.js';
import { code, made, table, type Section } from './page.js';

const TEXTS: Readonly<Record<keyof typeof SEARCH_ATTRIBUTES, string>> = {
  state: 'the state of an entity, or the phase of a deployment',
  health: 'the health of an entity: `normal` or `error`',
  settled: 'true if the entity rests in a stable state',
  operation: 'the operation in which an entity takes part, or the id of an operation',
  outcome: 'how an operation ended, or `running`, or `hung`',
  name: 'the name of an operation for people, such as `create LogicalServer/orders`',
  tenant: 'the tenant of an entity, an operation or a deployment; not set without one',
  component: 'the type of the component that was deployed',
};

/** The page of search attributes. */
export function searchAttributePages(): Section {
  const text = [
    '# Search attributes',
    made('src/protocol/names.ts'),
    "Workflows of Reeve have these search attributes of Temporal. Use them in the queries of Temporal's UI and command line:",
    "```text\ntemporal workflow list --query \"WorkflowType = 'Website' AND ReeveState = 'Live'\"\n```",
    '`reeve prepare` registers them in a namespace. On Temporal Cloud, an administrator adds them.',
    table(
      ['search attribute', 'type', ''],
      Object.entries(SEARCH_ATTRIBUTES).map(([name, attribute]) => [
        code(attribute),
        TYPES[attribute] === KEYWORD ? 'Keyword' : 'Bool',
        TEXTS[name as keyof typeof TEXTS],
      ]),
    ),
  ].join('\n\n');
  return {
    title: 'Search attributes',
    about: "What you can query in Temporal's UI.",
    start: 'search-attributes.md',
    pages: [{ path: 'search-attributes.md', text }],
  };
}
