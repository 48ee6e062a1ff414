import type { Chain, Link } from './wait-chain.js';

/** A drawing in sentences, for those who do not see it. */
export function sentencesOf({ roots, across }: Chain): readonly string[] {
  return [
    ...roots.flatMap(sentencesFrom),
    ...across.map(({ from, to, why, circular }) => `${from} waits for ${to} ${why}${circular ? ': a deadlock' : ''}.`),
  ];
}

function sentencesFrom(link: Link): readonly string[] {
  return link.next.flatMap((each) => {
    const { title, backwards, why, state, said } = each;
    const is = state?.state ?? said?.words;
    const named = is === undefined ? title : `${title} (${is})`;
    const sentence = backwards
      ? `${named} ${why.replace(/\bit\b/, link.title)}.`
      : `${link.title} waits for ${named}: ${why}.`;
    return [sentence, ...sentencesFrom(each)];
  });
}
