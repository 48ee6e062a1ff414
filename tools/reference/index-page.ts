import { made, table, type Page, type Section } from './page.js';

/** Pages that are made or written in another way. */
const OTHERS = [
  ['[Limits](limits.md)', 'How large things may be, where that is checked, and what happens beyond it.'],
  ['[Guarantees](../background/guarantees.md)', 'What Reeve promises, and the tests that prove it.'],
  ['[Glossary](../background/glossary.md)', 'The words that only Reeve has.'],
];

/** The page that lists the sections. */
export function indexPage(sections: readonly Section[]): Page {
  const rows = sections.map(({ title, about, start }) => [`[${title}](${start})`, about]);
  const text = [
    '# Reference',
    made('the code'),
    'These pages are made from the code of this version, so they fit the package that you have installed.',
    table(['page', ''], [...rows, ...OTHERS]),
  ].join('\n\n');
  return { path: 'index.md', text };
}
