import { levelModels } from '../../src/service/lists/level-models.js';
import { entityHasText } from '../../src/protocol/odata-text.js';
import { allRows, PageQuery, parseQuery } from '../../src/service/odata/index.js';
import type { Random } from '../../src/simulation/random.js';
import type { List } from './lists.js';
import { DIMENSIONS } from './past.js';

const PAGE = 100;
const MODEL = levelModels(DIMENSIONS).entities;

/** The list of all entities with a text, as the web page asks for it: with the number of those that have it. S6.3 */
export const TEXT_LISTS: readonly List[] = [
  list('few have', (random) => `server-${1_000 + random.below(9_000)}`),
  list('many have', (random) => `server-${1 + random.below(9)}`),
  list('none has', (random) => `nobody-${random.below(100)}`),
  list('with the code of an error', (random) => `provider_${random.below(7)}`),
];

function list(name: string, textOf: (random: Random) => string): List {
  return {
    name: `entities with a text: ${name}`,
    async page(reader, random, after) {
      const $skiptoken = after?.['next'];
      if (after && typeof $skiptoken !== 'string') return [];
      const query = parseQuery(
        {
          ...{ $filter: entityHasText(textOf(random)), $orderby: 'key,type', $count: 'true' },
          ...(typeof $skiptoken === 'string' && { $skiptoken }),
        },
        MODEL,
      );
      const page = new PageQuery(query, { rows: allRows, maxRows: PAGE, maxExpanded: PAGE });
      const { rows } = await page.select().execute(reader);
      if (page.all(rows) === undefined) await page.count().execute(reader);
      const { items, nextSkipToken } = page.page(rows);
      return items.map((item) => ({ ...item, next: nextSkipToken }));
    },
  };
}
